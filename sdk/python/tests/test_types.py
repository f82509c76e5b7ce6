import re
import unittest

import term_sdk
from term_sdk import Limits, Request, Response


class Types(unittest.TestCase):
    def test_older_names(self):
        self.assertIs(term_sdk.AgentRequest, Request)
        self.assertIs(term_sdk.AgentResponse, Response)

    def test_match_takes_a_compiled_regex(self):
        request = Request("t", output="Value: 7")
        self.assertEqual(request.match(re.compile("value: (.)", re.I)).group(1), "7")

    def test_a_lone_surrogate_can_be_sent(self):
        line = Response.say("a\ud83d \ude00 \ud83d\ude00").to_line()
        self.assertEqual(line.encode(), Response.say("a\ufffd \ufffd 😀").to_line().encode())

    def test_numbers_json_lacks(self):
        line = Response.done().with_usage(cost_usd=float("nan")).to_line()
        self.assertIn('"data":{"usage":{"cost_usd":null}}', line)

    def test_a_deeply_nested_reply_is_not_an_answer(self):
        self.assertTrue(Response.from_llm('{"a":' * 5_000).idle)

    def test_time_left_never_goes_below_zero(self):
        self.assertEqual(Limits(None, None, None, 0, None, None).time_left_sec, 0)
        self.assertEqual(Limits(None, None, None, None, None, None).time_left_sec, float("inf"))
