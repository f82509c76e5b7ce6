import signal
import unittest

from .agent_process import AgentProcess

LOG = "import sys\ndef log(text): print(text, file=sys.stderr, flush=True)\n"
HELLO = (
    LOG
    + """
class Hello(Agent):
    def setup(self): log("setup")
    def solve(self, request):
        return Response.cmd("ls") if request.first else Response.done("ok")
    def cleanup(self): log("cleanup")
run(Hello())
log("after run")
"""
)
IDLE = {"command": None, "task_complete": False}
DONE = {"command": None, "task_complete": True}


class Run(unittest.TestCase):
    def test_answers_at_once_and_ends_while_stdin_stays_open(self):
        with AgentProcess(HELLO) as agent:
            self.assertEqual(agent.ask(1), {"command": "ls", "task_complete": False})
            answer = agent.ask(2, last_command="ls", output="a", exit_code=0)
            self.assertEqual(answer, {**DONE, "text": "ok"})
            self.assertEqual(agent.exit_code(), 0)
            self.assertEqual(agent.stderr, "setup\ncleanup\nafter run\n")

    def test_cleans_up_at_the_end_of_input(self):
        with AgentProcess(HELLO) as agent:
            agent.ask(1)
            agent.process.stdin.close()
            self.assertEqual(agent.exit_code(), 0)
            self.assertEqual(agent.stderr, "setup\ncleanup\nafter run\n")

    def test_cleans_up_on_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number), AgentProcess(HELLO) as agent:
                agent.ask(1)
                agent.process.send_signal(number)
                self.assertEqual(agent.exit_code(), 128 + number)
                self.assertEqual(agent.stderr, "setup\ncleanup\n")

    def test_cleans_up_on_a_signal_in_the_middle_of_a_step(self):
        code = (
            LOG
            + """
import time
class Slow(Agent):
    def solve(self, request):
        log("solving")
        try: time.sleep(600)
        except Exception: pass
    def cleanup(self): log("cleanup")
run(Slow())
"""
        )
        with AgentProcess(code) as agent:
            agent.send(1)
            agent.until_stderr("solving\n")
            agent.process.terminate()
            self.assertEqual(agent.exit_code(), 143)
            self.assertEqual(agent.stderr, "solving\ncleanup\n")
            self.assertEqual(agent.rest(), b"")

    def test_keeps_stdout_for_the_protocol(self):
        code = """
import os, subprocess, sys
early = sys.stdout
def solve(request):
    print("print")
    early.write("kept\\n")
    os.write(1, b"raw\\n")
    subprocess.run(["echo", "child"])
    return Response.done()
run(solve)
"""
        with AgentProcess(code) as agent:
            agent.send(1)
            self.assertEqual(agent.rest(), b'{"command":null,"task_complete":true}\n')
            self.assertEqual(agent.exit_code(), 0)
            for word in ("print", "kept", "raw", "child"):
                self.assertIn(word, agent.stderr)

    def test_an_exception_becomes_an_idle_step(self):
        code = """
def solve(request):
    if request.step == 1: raise ValueError("boom")
    if request.step == 2: return None
    if request.step == 3: return Response.cmd("ls").with_data({"x": object()})
    if request.step == 4: return Response.cmd(5)
    return Response.done()
run(solve)
"""
        with AgentProcess(code) as agent:
            self.assertEqual(agent.ask(1), {**IDLE, "text": "solve failed: boom"})
            self.assertIn("not NoneType", agent.ask(2)["text"])
            self.assertEqual(
                agent.ask(3), {**IDLE, "text": "solve failed: JSON can't represent a object"}
            )
            self.assertIn("command has the wrong type: int", agent.ask(4)["text"])
            self.assertEqual(agent.ask(5), DONE)
            self.assertEqual(agent.exit_code(), 0)
            self.assertIn("[term-sdk] solve failed at step 1:\nTraceback", agent.stderr)

    def test_giving_up_exits_with_1_without_a_step(self):
        code = (
            LOG
            + """
class Weary(Agent):
    def solve(self, request): raise GiveUp("no model answers")
    def cleanup(self): log("cleanup")
run(Weary())
"""
        )
        with AgentProcess(code) as agent:
            agent.send(1)
            self.assertEqual(agent.exit_code(), 1)
            self.assertEqual(agent.stderr, "[term-sdk] gave up: no model answers\ncleanup\n")
            self.assertEqual(agent.rest(), b"")

    def test_giving_up_reports_usage(self):
        code = """
def solve(request): raise GiveUp("enough", usage={"input_tokens": 5, "cached_tokens": 3})
run(solve)
"""
        with AgentProcess(code) as agent:
            data = {"usage": {"input_tokens": 5, "cached_tokens": 3}}
            self.assertEqual(agent.ask(1), {**IDLE, "text": "gave up: enough", "data": data})
            self.assertEqual(agent.exit_code(), 1)

    def test_a_failed_setup_exits_with_1(self):
        code = (
            LOG
            + """
class Broken(Agent):
    def setup(self): raise RuntimeError("no key")
    def solve(self, request): return Response.done()
    def cleanup(self): log("cleanup")
run(Broken())
"""
        )
        with AgentProcess(code) as agent:
            self.assertEqual(agent.exit_code(), 1)
            self.assertRegex(agent.stderr, r"(?s)setup failed:.*no key.*cleanup")
            self.assertEqual(agent.rest(), b"")

    def test_logs_a_cleanup_that_fails(self):
        code = """
class Broken(Agent):
    def solve(self, request): return {"command": "ls", "task_complete": True}
    def cleanup(self): raise RuntimeError("stuck")
run(Broken())
"""
        with AgentProcess(code) as agent:
            self.assertEqual(agent.ask(1), {"command": "ls", "task_complete": True})
            self.assertEqual(agent.exit_code(), 0)
            self.assertRegex(agent.stderr, r"(?s)cleanup failed:.*stuck")

    def test_exits_despite_a_leftover_thread(self):
        code = """
import threading, time
threading.Thread(target=lambda: time.sleep(600)).start()
run(lambda request: Response.done())
"""
        with AgentProcess(code) as agent:
            self.assertEqual(agent.ask(1), DONE)
            self.assertEqual(agent.exit_code(), 0)
            self.assertIn("keeps it alive", agent.stderr)

    def test_cleans_up_when_the_runner_stops_reading(self):
        with AgentProcess(HELLO) as agent:
            agent.until_stderr("setup\n")
            agent.process.stdout.close()
            agent.send(1)
            self.assertEqual(agent.exit_code(), 0)
            self.assertEqual(agent.stderr, "setup\ncleanup\nafter run\n")

    def test_large_lines_in_any_locale(self):
        output = "0123456789 äöü 世界 🌍\u2028\n" * 40_000
        code = "run(lambda request: Response.done(request.output))"
        with AgentProcess(code, LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0") as agent:
            answer = agent.ask(2, last_command="c", output=output, exit_code=0)
            self.assertEqual(answer, {**DONE, "text": output})
            self.assertEqual(agent.exit_code(), 0)

    def test_methods_may_be_async(self):
        code = (
            LOG
            + """
import asyncio
class Async(Agent):
    async def setup(self): self.queue = asyncio.Queue()
    async def solve(self, request):
        await self.queue.put(request.step)
        return Response.cmd("ls") if request.first else Response.done(str(self.queue.qsize()))
    async def cleanup(self): await asyncio.sleep(0); log("cleanup")
run(Async())
"""
        )
        with AgentProcess(code) as agent:
            agent.ask(1)
            self.assertEqual(agent.ask(2), {**DONE, "text": "2"})
            self.assertEqual(agent.exit_code(), 0)
            self.assertEqual(agent.stderr, "cleanup\n")

    def test_limits_come_from_the_environment(self):
        code = "run(lambda r: Response.done(f'{limits().task} {limits().time_left_sec < 60}'))"
        with AgentProcess(code, TERM_TASK="hello", TERM_AGENT_TIMEOUT_SEC="60") as agent:
            self.assertEqual(agent.ask(1), {**DONE, "text": "hello True"})
