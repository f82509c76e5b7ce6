import re
import unittest
from pathlib import Path

from .agent_process import AgentProcess
from .model_server import ModelServer, claude_answer

HERE = Path(__file__).parent


class Examples(unittest.TestCase):
    def test_the_minimal_agent(self):
        with AgentProcess((HERE / "minimal_agent.py").read_text()) as agent:
            command = "echo 'Hello, world!' > hello.txt"
            self.assertEqual(agent.ask(1), {"command": command, "task_complete": False})
            answer = agent.ask(2, last_command=command, output="", exit_code=0)
            self.assertEqual(answer, {"command": None, "task_complete": True})
            self.assertEqual(agent.exit_code(), 0)

    def test_the_quick_start(self):
        with AgentProcess(readme_example("class MyAgent")) as agent:
            agent.ask(1)
            answer = agent.ask(2, last_command="c", output="", exit_code=0)
            self.assertEqual(answer["text"], "hello.txt is written")
            self.assertEqual(agent.exit_code(), 0)

    def test_the_script(self):
        with AgentProcess(readme_example("run_script")) as agent:
            agent.ask(1)
            self.assertEqual(agent.ask(2, output="Makefile", exit_code=0)["command"], "make")
            self.assertEqual(agent.ask(3, output="", exit_code=2)["text"], "make ended with 2")

    def test_the_agent_with_a_model(self):
        calls = (("time_left", {}), ("shell", {"command": "ls"}))
        with ModelServer(claude_answer("Looking", calls), claude_answer("4")) as server:
            env = {"TERM_MODEL_BASE_URL": server.url, "TERM_AGENT_TIMEOUT_SEC": "600"}
            with AgentProcess(readme_example("llm_agent"), **env) as agent:
                self.assertEqual(agent.ask(1)["command"], "ls")
                self.assertEqual(agent.ask(2, output="", exit_code=0)["text"], "4")
        left, _ = server.requests[1].body["messages"][-1]["content"]
        self.assertRegex(left["content"], r"^\d+ s$")

    def test_a_model_without_an_agent(self):
        with ModelServer(claude_answer("It unpacks.")) as server:
            env = {"ANTHROPIC_BASE_URL": server.url, "TERM_MODEL_BASE_URL": ""}
            with AgentProcess(readme_example("tar -xzf"), **env) as agent:
                self.assertEqual(agent.rest(), b"It unpacks. 7e-05\n")

    def test_the_test(self):
        agent = readme_example("class MyAgent").replace("run(MyAgent())", "pass")
        with AgentProcess(agent + readme_example("term_sdk.testing")) as process:
            self.assertEqual(process.rest(), b"Hello, world!\n")
            self.assertEqual(process.exit_code(), 0, process.stderr)


def readme_example(part):
    readme = (HERE.parent / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    return next(example for example in examples if part in example)
