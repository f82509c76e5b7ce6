import os
import socket
import time
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from unittest import mock

from term_sdk import limits
from term_sdk.llm import Claude, ModelRequest, OpenAICompatible, UserMessage

from .llm_case import LlmCase
from .model_server import Reply, claude_answer, openai_answer

HI = ModelRequest([UserMessage("Hi")])
OK = claude_answer("Hello")
KEY = "sk-very-secret"


def failure(status, message="no luck", **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply({"type": "error", "error": {"message": message}}, status, named)


class Retries(LlmCase):
    """Delays are recorded, not slept."""

    def setUp(self):
        super().setUp()
        self.waits = []
        self.enter(mock.patch("term_sdk.llm._retry.sleep", self.waits.append))
        self.random = self.enter(mock.patch("term_sdk.llm._retry.random", return_value=0.0))

    def ask(self, *replies, deadline=None, **options):
        server = self.serve(*replies)
        self.requests = server.requests
        return Claude(api_key=KEY, base_url=server.url, **options).run(HI, deadline)

    def test_transient_failures(self):
        cut = Reply(OK, fault="cut")
        broken = Reply('{"content": [')
        for reply in (*map(failure, (408, 409, 429, 500, 502, 503, 529)), cut, broken):
            with self.subTest(reply):
                self.assertEqual(self.ask(reply, OK).content, "Hello")
                self.assertEqual(len(self.requests), 2)

    def test_permanent_failures(self):
        for status in (400, 404, 413, 422):
            with self.subTest(status):
                error = self.error_of(self.ask, failure(status, "too odd"), OK)
                self.assertEqual((error.kind, error.status), ("invalid", status))
                self.assertIn("too odd", error.message)
                self.assertEqual(len(self.requests), 1)

    def test_the_kind_of_a_persistent_failure(self):
        for status, kind in ((429, "rate_limit"), (500, "agent"), (529, "agent")):
            with self.subTest(status):
                error = self.error_of(self.ask, *[failure(status)] * 3, max_retries=2)
                self.assertEqual((error.kind, error.status), (kind, status))
                self.assertIn("gave up after 3 tries", error.message)
                self.assertEqual(len(self.requests), 3)

    def test_the_back_off_doubles_up_to_a_limit(self):
        self.random.return_value = 1.0
        self.ask(*[failure(500)] * 7, OK, max_retries=7)
        self.assertEqual(self.waits, [1, 2, 4, 8, 16, 30, 30])

    def test_the_delay_the_server_asks_for(self):
        for header, value, wait in (
            ("retry-after", "7", 7),
            ("retry-after", "0.25", 0.25),
            ("retry-after-ms", "1500", 1.5),
            ("retry-after", "soon", 0),
        ):
            with self.subTest(header, value=value):
                self.waits.clear()
                self.ask(Reply({}, 429, {header: value}), OK)
                self.assertEqual(self.waits, [wait])

    def test_a_delay_until_a_date(self):
        later = format_datetime(datetime.now(timezone.utc) + timedelta(days=1), usegmt=True)
        earlier = "Wed, 21 Oct 2015 07:28:00 GMT"
        self.ask(failure(429, retry_after=later), failure(429, retry_after=earlier), OK)
        self.assertTrue(80_000 < self.waits[0] <= 86_400)
        self.assertEqual(self.waits[1], 0)

    def test_a_delay_beyond_the_task_fails_at_once(self):
        os.environ["TERM_AGENT_TIMEOUT_SEC"] = str(limits().elapsed_sec + 50)
        error = self.error_of(self.ask, failure(429, "slow down", retry_after="60"), OK)
        self.assertEqual((error.kind, error.status, self.waits), ("rate_limit", 429, []))
        self.assertRegex(error.message, r"slow down; not retried: a delay of 60\.0 s")

    def test_a_delay_beyond_the_deadline_fails_at_once(self):
        reply = failure(503, retry_after="60")
        error = self.error_of(self.ask, reply, OK, deadline=time.monotonic() + 50)
        self.assertEqual((error.status, self.waits), (503, []))

    def test_no_call_when_no_time_is_left(self):
        os.environ["TERM_AGENT_TIMEOUT_SEC"] = "0"
        self.assertEqual(self.error_of(self.ask, OK).kind, "timeout")
        self.assertEqual(self.requests, [])

    def test_a_failure_with_status_200(self):
        limited = Reply({"error": {"code": 429, "message": "slow down"}})
        server = self.serve(limited, openai_answer("Hello"))
        model = OpenAICompatible("small", base_url=server.url)
        self.assertEqual(model.run(HI).content, "Hello")

    def test_each_retry_is_logged(self):
        self.ask(failure(529, "Overloaded"), OK)
        self.assertRegex(self.stderr.getvalue(), r"\[term-sdk\] .*529: Overloaded; try 2 in 0\.0 s")


class Failures(LlmCase):
    def ask(self, *replies, **options):
        server = self.serve(*replies)
        return Claude(api_key=KEY, base_url=server.url, max_retries=0, **options).run(HI)

    def test_a_stalled_response(self):
        for fault in ("stall", "drip"):
            with self.subTest(fault):
                reply = Reply(OK, fault=fault)
                error = self.error_of(self.ask, reply, request_timeout_sec=0.2)
                self.assertEqual(error.kind, "timeout")
                self.assertIn("within 0.2 s", error.message)

    def test_the_deadline_ends_a_stalled_response(self):
        server = self.serve(Reply(OK, fault="stall"))
        model = Claude(base_url=server.url)
        error = self.error_of(model.run, HI, deadline=time.monotonic() + 0.2)
        self.assertEqual(error.kind, "timeout")

    def test_a_cut_connection(self):
        error = self.error_of(self.ask, Reply(OK, fault="cut"))
        self.assertEqual(error.kind, "network")
        self.assertIsNotNone(error.cause)

    def test_connection_refused(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{taken.getsockname()[1]}"
            error = self.error_of(Claude(base_url=url, max_retries=0).run, HI)
        self.assertEqual(error.kind, "network")
        self.assertIn("refused", error.message)

    def test_a_page_instead_of_json(self):
        reply = Reply("<html>", content_type="text/html")
        error = self.error_of(self.ask, reply)
        self.assertEqual((error.kind, error.status), ("agent", 200))
        self.assertIn("text/html instead of JSON; check the base URL", error.message)

    def test_a_rejected_key_is_named_but_not_shown(self):
        os.environ["ANTHROPIC_API_KEY"] = KEY
        server = self.serve(failure(401, f"invalid key {KEY}"))
        model = Claude(base_url=server.url)
        error = self.error_of(model.run, HI)
        self.assertEqual((error.kind, error.status), ("invalid", 401))
        self.assertIn("the API key is from ANTHROPIC_API_KEY", error.message)
        for text in (str(error), repr(error), repr(error.cause), repr(model)):
            self.assertNotIn(KEY, text)

    def test_a_redirect_does_not_forward_the_key(self):
        other = self.serve(OK)
        error = self.error_of(self.ask, Reply({}, 302, {"location": f"{other.url}/v1/messages"}))
        self.assertEqual((error.kind, error.status, other.requests), ("invalid", 302, []))

    def test_a_proxy_of_the_environment(self):
        proxy = self.serve(openai_answer("Hello"))
        os.environ.update(http_proxy=proxy.url, no_proxy="")
        model = OpenAICompatible("small", api_key=KEY, base_url="http://models.test/v1")
        self.assertEqual(model.run(HI).content, "Hello")
        self.assertEqual(proxy.requests[0].path, "http://models.test/v1/chat/completions")

    def test_a_server_on_this_machine_is_not_behind_the_proxy(self):
        proxy = self.serve()
        os.environ.update(http_proxy=proxy.url, no_proxy="")
        self.assertEqual(self.ask(OK).content, "Hello")
        self.assertEqual(proxy.requests, [])

    def test_a_lone_surrogate_is_replaced(self):
        server = self.serve(OK)
        Claude(base_url=server.url).run(ModelRequest([UserMessage("a\ud83d")]))
        sent = server.requests[0].body["messages"][0]["content"][0]["text"]
        self.assertEqual(sent, "a?")
