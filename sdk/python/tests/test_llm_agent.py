import os
import signal

from term_sdk import GiveUp
from term_sdk.llm import Claude, Tool, llm_agent, tool
from term_sdk.testing import LocalShell, drive, scripted
from term_sdk.testing import Reply as ShellReply

from .agent_process import AgentProcess
from .llm_case import LlmCase
from .model_server import ModelServer, Reply, claude_answer

FINISH = claude_answer("", (("finish", {"summary": "all done"}),))


def shell(*commands, **options):
    return claude_answer(calls=tuple(("shell", {"command": text}) for text in commands), **options)


class LlmAgent(LlmCase):
    def trial(self, terminal, *replies, max_steps=100, **options):
        self.server = self.serve(*replies)
        model = Claude(base_url=self.server.url, max_retries=0)
        return drive(llm_agent(model, **options), terminal, "Say hello", max_steps)

    def results(self, request):
        """What the model saw of its last calls."""
        blocks = self.server.requests[request].body["messages"][-1]["content"]
        return [(block["content"], block.get("is_error", False)) for block in blocks]

    def test_solves_a_task_in_a_real_shell(self):
        with LocalShell() as terminal:
            trial = self.trial(
                terminal,
                shell("mkdir sub && cd sub && echo 'Hello, world!' > hello.txt", text="Writing"),
                shell("cat hello.txt; exit 3"),
                FINISH,
            )
            self.assertTrue(trial.completed, trial.errors)
            self.assertEqual(terminal.run("cat hello.txt").output, "Hello, world!")
            cwd = terminal.cwd
        first, second, last = (step.response for step in trial.steps)
        self.assertEqual((first.text, second.text, last.text), ("Writing", None, "all done"))
        self.assertEqual(self.results(1), [(f"(no output)\n[exit code 0, in {cwd}]", False)])
        self.assertEqual(self.results(2), [(f"Hello, world!\n[exit code 3, in {cwd}]", False)])
        request = self.server.requests[0].body
        self.assertIn("Say hello", request["messages"][0]["content"][0]["text"])
        self.assertEqual([tool["name"] for tool in request["tools"]], ["shell", "finish"])

    def test_each_step_reports_its_cost(self):
        trial = self.trial(
            scripted(ShellReply(), ShellReply()),
            shell("ls", "pwd", cache_read_input_tokens=1000),
            claude_answer("Hm"),
            FINISH,
        )
        first, second, idle, last = (step.response.data for step in trial.steps)
        self.assertEqual(
            first,
            {
                "usage": {
                    "model": "claude-sonnet-5-5",
                    "input_tokens": 1010,
                    "output_tokens": 5,
                    "cached_tokens": 1000,
                    "cost_usd": (10 * 2 + 1000 * 0.1 + 5 * 10) / 1e6,
                }
            },
        )
        # Both commands came from one model call.
        self.assertIsNone(second)
        self.assertEqual(idle["usage"]["input_tokens"], 10)
        self.assertEqual(last["usage"]["output_tokens"], 5)

    def test_calls_since_the_last_step_are_added_up(self):
        note = Tool("note", "Keeps a note", {"type": "object"}, lambda arguments: {"kept": True})
        call = claude_answer(calls=(("note", {"text": "x"}),))
        trial = self.trial(scripted(), call, call, FINISH, tools=[note])
        (step,) = trial.steps
        self.assertEqual(step.response.data["usage"]["input_tokens"], 30)
        self.assertEqual(self.results(1), [('{"kept": true}', False)])

    def test_text_alone_is_an_idle_step(self):
        cut = claude_answer("So", stop_reason="max_tokens")
        trial = self.trial(scripted(), claude_answer("Hm"), cut, FINISH)
        self.assertEqual([step.response.idle for step in trial.steps], [True, True, False])
        self.assertEqual(trial.steps[0].response.text, "Hm")
        told = [self.server.requests[n].body["messages"][-1]["content"][-1] for n in (1, 2)]
        self.assertIn("shell", told[0]["text"])
        self.assertIn("token limit", told[1]["text"])

    def test_the_first_error_stops_the_turn(self):
        @tool
        def fail(reason: str) -> str:
            """Fails."""
            raise RuntimeError(reason)

        calls = (
            ("shell", {"command": "false"}),
            ("fail", {"reason": "boom"}),
            ("shell", {"command": "never"}),
        )
        replies = (ShellReply(exit_code=1, command="false"), ShellReply(command="ls"))
        trial = self.trial(
            scripted(*replies), claude_answer(calls=calls), shell("ls"), FINISH, tools=[fail]
        )
        # A non-zero exit code is an ordinary result.
        self.assertEqual(trial.commands, ["false", "ls"])
        self.assertEqual(
            self.results(1),
            [
                ("(no output)\n[exit code 1, in /app]", False),
                ("Error: boom", True),
                ("Error: not run: an earlier call in this turn failed", True),
            ],
        )

    def test_finish_waits_until_the_model_has_seen_a_failure(self):
        calls = (("shell", {"command": "false"}), ("finish", {"summary": "Done"}))
        reply = ShellReply(exit_code=1, command="false")
        trial = self.trial(scripted(reply), claude_answer(calls=calls), FINISH)
        self.assertEqual(trial.commands, ["false"])
        self.assertTrue(trial.completed)
        ((_, _), (text, is_error)) = self.results(1)
        self.assertTrue(is_error)
        self.assertIn("an earlier command failed", text)

    def test_invalid_calls(self):
        cases = {
            "unknown tool fly": ("fly", {}),
            "needs a command": ("shell", {"command": " "}),
        }
        for reason, call in cases.items():
            with self.subTest(reason):
                trial = self.trial(scripted(), claude_answer(calls=(call,)), FINISH)
                self.assertTrue(trial.completed)
                ((text, is_error),) = self.results(1)
                self.assertTrue(is_error)
                self.assertIn(reason, text)

    def test_a_truncated_call_is_not_made(self):
        cut = shell("rm -rf /tmp/x", stop_reason="max_tokens")
        trial = self.trial(scripted(), cut, FINISH)
        self.assertEqual(trial.commands, [])
        self.assertIn("token limit", self.results(1)[0][0])

    def test_max_turns_completes_and_says_so(self):
        replies = [ShellReply()] * 2
        trial = self.trial(scripted(*replies), shell("ls"), shell("ls"), max_turns=2)
        self.assertTrue(trial.completed)
        text = trial.steps[-1].response.text
        self.assertEqual(text, "Stopped after 2 turns, before the model finished.")
        os.environ["TERM_MAX_STEPS"] = "1"
        trial = self.trial(scripted(ShellReply()), shell("ls"))
        self.assertIn("after 1 turns", trial.steps[-1].response.text)

    def test_a_long_output_is_truncated(self):
        terminal = scripted(ShellReply("x" * 100))
        self.trial(terminal, shell("yes"), FINISH, output_limit=20)
        text, _ = self.results(1)[0]
        self.assertIn("[80 characters of output omitted here]", text)

    def test_a_small_window(self):
        lines = [ShellReply("x" * 3000), ShellReply("y" * 3000), ShellReply("z")]
        server = self.serve(*[shell("ls", input_tokens=2500)] * 3, FINISH)
        model = Claude(base_url=server.url, context_tokens=3000)
        self.assertTrue(drive(llm_agent(model), scripted(*lines)).completed)
        sent = str(server.requests[3].body["messages"])
        self.assertIn("characters of an older result omitted", sent)

    def test_gives_up_when_the_model_fails(self):
        replies = (shell("ls"), Reply({"error": {"message": "no such model"}}, 404))
        trial = self.trial(scripted(ShellReply()), *replies)
        (error,) = trial.errors
        self.assertIsInstance(error, GiveUp)
        self.assertIn("no such model", str(error))
        self.assertEqual((trial.end, len(trial.steps)), ("stopped", 1))
        self.assertIn("gave up: the model failed: ", self.stderr.getvalue())

    def test_giving_up_reports_usage(self):
        note = Tool("note", "Keeps a note", {"type": "object"}, lambda arguments: "kept")
        trial = self.trial(scripted(), claude_answer(calls=(("note", {}),)), tools=[note])
        (step,) = trial.steps
        self.assertTrue(step.response.idle)
        self.assertEqual(step.response.data["usage"]["output_tokens"], 5)

    def test_a_tool_can_give_up(self):
        @tool
        def surrender() -> None:
            """Ends it all."""
            raise GiveUp("enough")

        trial = self.trial(scripted(), claude_answer(calls=(("surrender", {}),)), tools=[surrender])
        self.assertEqual((trial.end, str(trial.errors[0])), ("stopped", "enough"))

    def test_a_bug_in_a_model_ends_the_agent_too(self):
        class Broken:
            name = "broken"
            context_tokens = None

            def run(self, request, deadline=None):
                raise ZeroDivisionError("oh")

        trial = drive(llm_agent(Broken()), scripted())
        self.assertEqual((trial.end, str(trial.errors[0])), ("stopped", "the model failed: oh"))
        self.assertIn("ZeroDivisionError", self.stderr.getvalue())

    def test_two_tools_with_the_same_name(self):
        other = Tool("shell", "Another", {"type": "object"}, print)
        model = Claude(base_url="http://localhost:1")
        self.assertEqual(self.error_of(llm_agent, model, tools=[other]).kind, "invalid")


CODE = """
from term_sdk.llm import create_model, llm_agent
run(llm_agent(create_model(max_retries=0)))
"""


class LlmAgentProcess(LlmCase):
    def start(self, server: ModelServer, **env: str) -> AgentProcess:
        return self.enter(AgentProcess(CODE, TERM_MODEL_BASE_URL=server.url, **env))

    def test_a_whole_conversation(self):
        agent = self.start(self.serve(shell("ls"), FINISH))
        self.assertEqual(agent.ask(1)["command"], "ls")
        answer = agent.ask(2, last_command="ls", output="a", exit_code=0)
        self.assertEqual((answer["task_complete"], answer["text"]), (True, "all done"))
        self.assertEqual(agent.exit_code(), 0)

    def test_a_rejected_command_is_returned_to_the_model(self):
        server = self.serve(shell("a\0b", "ls"), FINISH)
        agent = self.start(server)
        self.assertEqual(agent.ask(1)["command"], "a\0b")
        self.assertTrue(agent.ask(1, error="a command can't hold a NUL")["task_complete"])
        refused, rest = server.requests[1].body["messages"][-1]["content"]
        self.assertEqual(
            refused["content"], "Error: the command was rejected: a command can't hold a NUL"
        )
        self.assertTrue(refused["is_error"] and rest["is_error"])

    def test_giving_up_exits_with_1_without_completion(self):
        refused = Reply({"error": {"message": "invalid x-api-key"}}, 401)
        agent = self.start(self.serve(refused), ANTHROPIC_API_KEY="sk-secret")
        agent.send(1)
        self.assertEqual(agent.exit_code(), 1)
        self.assertEqual(agent.rest(), b"")
        self.assertRegex(agent.stderr, r"gave up: .*401: invalid x-api-key .*ANTHROPIC_API_KEY")
        self.assertNotIn("sk-secret", agent.stderr)

    def test_gives_up_if_a_retry_would_exceed_the_step(self):
        busy = Reply({}, 429, {"retry-after": "600"})
        code = CODE.replace("max_retries=0", "max_retries=5")
        env = {"TERM_MODEL_BASE_URL": self.serve(busy).url, "TERM_STEP_TIMEOUT_SEC": "300"}
        with AgentProcess(code, **env) as agent:
            agent.send(1)
            self.assertEqual(agent.exit_code(), 1)
            self.assertIn("would exceed", agent.stderr)

    def test_a_signal_ends_a_call_at_once(self):
        server = self.serve(Reply(FINISH, fault="stall"))
        agent = self.start(server)
        agent.send(1)
        self.assertTrue(server.received.wait(30))
        agent.process.send_signal(signal.SIGTERM)
        self.assertEqual(agent.exit_code(), 143)
        self.assertEqual(agent.rest(), b"")
