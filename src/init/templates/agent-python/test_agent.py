"""python3 -m unittest"""

import json
import subprocess
import sys
import unittest
from pathlib import Path

from agent import CHECK, WRITE, solve

AGENT = Path(__file__).with_name("agent.py")


def request(step, last_command=None, output=None, exit_code=None):
    return {
        "instruction": "Create a file hello.txt containing 'Hello, world!'",
        "step": step,
        "last_command": last_command,
        "output": output,
        "exit_code": exit_code,
        "cwd": "/app",
    }


class Solve(unittest.TestCase):
    def test_starts_with_a_command(self):
        self.assertEqual(solve(request(1))["command"], WRITE)

    def test_checks_before_it_is_done(self):
        self.assertEqual(solve(request(2, WRITE, "", 0))["command"], CHECK)
        self.assertTrue(solve(request(3, CHECK, "Hello, world!", 0))["task_complete"])

    def test_tries_again_after_a_failure(self):
        self.assertIn(WRITE, solve(request(2, WRITE, "Is a directory", 1))["command"])


class Program(unittest.TestCase):
    def test_answers_each_line_with_a_line(self):
        requests = [request(1), request(2, WRITE, "", 0), request(3, CHECK, "Hello, world!", 0)]
        lines = "".join(json.dumps(one) + "\n" for one in requests)
        program = [sys.executable, str(AGENT)]
        result = subprocess.run(program, input=lines, capture_output=True, text=True, check=True)
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([answer["command"] for answer in answers], [WRITE, CHECK, None])
        self.assertTrue(answers[-1]["task_complete"])


if __name__ == "__main__":
    unittest.main()
