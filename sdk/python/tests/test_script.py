import unittest

from .agent_process import AgentProcess

DONE = {"command": None, "task_complete": True}


class RunScript(unittest.TestCase):
    def test_each_command_is_a_step_and_returning_completes(self):
        code = r"""
def script(terminal, task):
    files = terminal.run("ls", text=task.instruction, usage={"input_tokens": 5})
    assert files.has("a.txt")
    cat = terminal.run("cat " + files.match(r"\w+\.txt").group())
    return f"{cat.failed} {cat.exit_code} {cat.output} {terminal.cwd}"
run_script(script)
"""
        with AgentProcess(code) as agent:
            self.assertEqual(
                agent.ask(1),
                {
                    "command": "ls",
                    "task_complete": False,
                    "text": "test",
                    "data": {"usage": {"input_tokens": 5}},
                },
            )
            answer = agent.ask(2, last_command="ls", output="a.txt", exit_code=0)
            self.assertEqual(answer["command"], "cat a.txt")
            answer = agent.ask(3, last_command="c", output="hm", exit_code=1, cwd="/tmp")
            self.assertEqual(answer, {**DONE, "text": "True 1 hm /tmp"})
            self.assertEqual(agent.exit_code(), 0)

    def test_a_returned_response_is_sent_complete(self):
        code = "run_script(lambda terminal, task: Response.cmd('make').with_usage(cost_usd=0.5))"
        with AgentProcess(code) as agent:
            self.assertEqual(
                agent.ask(1),
                {"command": "make", "task_complete": True, "data": {"usage": {"cost_usd": 0.5}}},
            )

    def test_raising_reports_the_reason_without_completion(self):
        code = "def script(terminal, task): raise RuntimeError('no compiler')\nrun_script(script)"
        with AgentProcess(code) as agent:
            self.assertEqual(
                agent.ask(1),
                {"command": None, "task_complete": False, "text": "the script failed: no compiler"},
            )
            self.assertEqual(agent.exit_code(), 1)
            self.assertIn("[term-sdk] the script failed:\nTraceback", agent.stderr)

    def test_a_rejected_response_is_an_error_the_script_can_handle(self):
        code = """
def script(terminal, task):
    try: terminal.run("ls")
    except RuntimeError as error: return str(error)
run_script(script)
"""
        with AgentProcess(code) as agent:
            agent.ask(1)
            answer = agent.ask(1, error="too long")
            self.assertEqual(answer, {**DONE, "text": "the runner rejected the response: too long"})

    def test_end_of_input_and_signals_end_the_pending_command(self):
        code = """
import sys
def script(terminal, task):
    try: terminal.run("ls")
    finally: print("finally", file=sys.stderr)
run_script(script)
"""
        with AgentProcess(code) as agent:
            agent.ask(1)
            agent.process.stdin.close()
            self.assertEqual(agent.exit_code(), 0)
            self.assertEqual(agent.stderr, "finally\n")
        with AgentProcess(code) as agent:
            agent.ask(1)
            agent.process.terminate()
            self.assertEqual(agent.exit_code(), 143)
            self.assertEqual(agent.stderr, "finally\n")
            self.assertEqual(agent.rest(), b"")

    def test_giving_up_exits_with_1_without_a_step(self):
        code = """
def script(terminal, task): raise GiveUp("no model answers")
run_script(script)
"""
        with AgentProcess(code) as agent:
            agent.send(1)
            self.assertEqual(agent.exit_code(), 1)
            self.assertEqual(agent.stderr, "[term-sdk] gave up: no model answers\n")
            self.assertEqual(agent.rest(), b"")

    def test_no_request_no_script(self):
        with AgentProcess("run_script(lambda terminal, task: print('ran'))") as agent:
            agent.process.stdin.close()
            self.assertEqual(agent.exit_code(), 0)
            self.assertEqual((agent.rest(), agent.stderr), (b"", ""))
