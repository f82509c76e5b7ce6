import contextlib
import io
import unittest

from term_sdk import Request, Response, limits
from term_sdk._agent import Caller, to_agent
from term_sdk._serve import serve
from term_sdk._session import Session

from .vectors import build, vectors


class Conformance(unittest.TestCase):
    maxDiff = None

    def test_requests(self):
        for vector in vectors("requests"):
            with self.subTest(vector["name"]):
                fill = vector.get("fill")
                line = vector["line"]
                if fill:
                    line = line.replace(fill["marker"], fill["unit"] * fill["times"])
                request = Request.parse(line)
                for name, value in vector["reads"].items():
                    if name == "output_bytes":
                        self.assertEqual(len(request.output.encode()), value)
                    else:
                        self.assertEqual(getattr(request, name), value, name)
                for case in vector.get("has", []):
                    self.assertEqual(request.has(*case["patterns"]), case["found"], case)
                for case in vector.get("match", []):
                    found = request.match(case["regex"])
                    groups = found and [found.group(), *found.groups()]
                    self.assertEqual(groups, case["groups"], case)

    def test_refused(self):
        for vector in vectors("refused"):
            with self.subTest(vector["name"]), self.assertRaises(ValueError):
                Request.parse(vector["line"])

    def test_responses(self):
        for vector in vectors("responses"):
            with self.subTest(vector["name"]):
                self.assertEqual(build(vector["build"]).to_line(), vector["line"])
                self.assertEqual(Response.of(vector["fields"]).to_line(), vector["line"])

    def test_llm(self):
        for vector in vectors("llm"):
            with self.subTest(vector["name"]):
                self.assertEqual(Response.from_llm(vector["reply"]).to_line(), vector["line"])

    def test_sessions(self):
        for vector in vectors("sessions"):
            with self.subTest(vector["name"]):
                channel = Lines(vector["input"])
                answers = list(vector["answers"])

                def solve(request, answers=answers):
                    answer = answers.pop(0)
                    if isinstance(answer, dict):
                        raise RuntimeError(answer["throw"])
                    return build(answer)

                with contextlib.redirect_stderr(io.StringIO()):
                    serve(to_agent(solve), Session(channel), Caller())
                self.assertEqual(channel.sent, vector["output"])
                self.assertEqual(answers, [])

    def test_limits(self):
        for vector in vectors("limits"):
            with self.subTest(vector["name"]):
                read = limits(vector["env"])
                for name, value in vector["reads"].items():
                    self.assertEqual(getattr(read, name), value, name)


class Lines:
    """A channel with fixed input that records what is sent."""

    def __init__(self, lines):
        self.input = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
        self.sent = []

    def receive(self):
        return self.input.readline().decode() or None

    def send(self, line):
        self.sent.append(line)
        return True
