import contextlib
import io
import os
import re
import time
import unittest
from pathlib import Path

from term_sdk import Agent, Response
from term_sdk.testing import LocalShell, Reply, drive, drive_script, scripted


class Testing(unittest.TestCase):
    def test_drives_an_agent_against_scripted_replies(self):
        calls = []

        class Look(Agent):
            def setup(self):
                calls.append("setup")

            def solve(self, request):
                if request.first:
                    return Response.cmd("ls")
                return Response.done(f"{request.output} in {request.cwd}")

            def cleanup(self):
                calls.append("cleanup")

        shell = scripted(Reply("a", command=re.compile("^ls"), cwd="/tmp"))
        trial = drive(Look(), shell, instruction="look")
        self.assertTrue(trial.completed)
        self.assertEqual(trial.commands, ["ls"])
        self.assertEqual(trial.steps[0].request.instruction, "look")
        self.assertEqual(trial.steps[1].response.text, "a in /tmp")
        self.assertEqual(calls, ["setup", "cleanup"])

    def test_an_unexpected_command_fails_the_test(self):
        with self.assertRaisesRegex(AssertionError, "command 1 should be pwd, but was ls"):
            drive(lambda request: Response.cmd("ls"), scripted(Reply(command="pwd")))
        with self.assertRaisesRegex(AssertionError, "no reply left for command 1"):
            drive(lambda request: Response.cmd("ls"), scripted())

    def test_ends_as_a_runner_would(self):
        idle = drive(lambda request: Response.say("hm"), scripted())
        self.assertEqual((idle.end, len(idle.steps)), ("idle", 3))
        busy = drive(lambda request: Response.cmd("ls"), scripted(Reply(), Reply()), max_steps=2)
        self.assertEqual((busy.end, busy.commands), ("max_steps", ["ls", "ls"]))
        with contextlib.redirect_stderr(io.StringIO()):
            failing = drive(lambda request: 1 / 0, scripted())
        self.assertEqual((failing.end, len(failing.errors)), ("idle", 3))

    def test_drives_a_script(self):
        trial = drive_script(lambda terminal, task: terminal.run("ls").output, scripted(Reply("a")))
        self.assertEqual((trial.end, trial.steps[-1].response.text), ("complete", "a"))
        with contextlib.redirect_stderr(io.StringIO()):
            failed = drive_script(lambda terminal, task: 1 / 0, scripted())
        self.assertEqual((failed.end, len(failed.errors)), ("stopped", 1))

    def test_the_local_shell_keeps_directory_and_environment(self):
        with LocalShell() as shell:
            home = shell.cwd

            def script(terminal, task):
                terminal.run("mkdir -p 'a b' && cd 'a b' && export NAME='it is'")
                result = terminal.run('echo "$NAME" | tee f; echo two >&2; exit 3')
                return f"{result.output} {result.exit_code} {result.cwd}"

            trial = drive_script(script, shell)
            self.assertEqual(trial.steps[-1].response.text, f"it is\ntwo 3 {home}/a b")
            self.assertEqual(Path(home, "a b", "f").read_text(), "it is\n")
            self.assertNotEqual(shell.run("echo 'unbalanced").exit_code, 0)
            self.assertEqual(shell.run("cat").output, "")
        self.assertFalse(os.path.exists(home))

    def test_the_local_shell_kills_commands_and_leftovers(self):
        with LocalShell(command_timeout_sec=0.3) as shell:
            self.assertEqual(shell.run("sleep 60").exit_code, 124)
            pid = int(shell.run("sleep 60 & echo $!").output)
            os.kill(pid, 0)
        deadline = time.monotonic() + 30
        while is_running(pid):
            self.assertLess(time.monotonic(), deadline)


def is_running(pid):
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
