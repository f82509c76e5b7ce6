from term_sdk.llm import (
    ModelRequest,
    OpenAICompatible,
    Price,
    Tool,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)

from .llm_case import LlmCase
from .model_server import openai_answer

PLUS = Tool("plus", "Adds numbers", {"type": "object"}, lambda arguments: 0)
USAGE = {"prompt_tokens": 100, "completion_tokens": 20}


class OpenAIWire(LlmCase):
    def ask(self, *replies, messages=(UserMessage("Hi"),), request=None, **options):
        server = self.serve(*replies)
        options = {"model": "small", "base_url": f"{server.url}/v1", **options}
        return OpenAICompatible(**options).run(request or ModelRequest(messages)), server.requests[
            0
        ]

    def test_a_request(self):
        request = ModelRequest([UserMessage("What is 1 + 2?")], "Be brief", [PLUS], 100, 0.5)
        _, sent = self.ask(openai_answer("3"), request=request, api_key="sk-secret")
        self.assertEqual(sent.path, "/v1/chat/completions")
        self.assertEqual(sent.headers["authorization"], "Bearer sk-secret")
        function = {"name": "plus", "description": "Adds numbers", "parameters": {"type": "object"}}
        self.assertEqual(
            sent.body,
            {
                "model": "small",
                "max_tokens": 100,
                "temperature": 0.5,
                "messages": [
                    {"role": "system", "content": "Be brief"},
                    {"role": "user", "content": "What is 1 + 2?"},
                ],
                "tools": [{"type": "function", "function": function}],
            },
        )

    def test_a_server_on_this_machine_needs_no_key(self):
        _, sent = self.ask(openai_answer("Hello"))
        self.assertIsNone(sent.headers["authorization"])

    def test_an_answer_with_calls(self):
        calls = (("plus", '{"a": 1}'), ("plus", '{"a": '), ("plus", "[]"), ("plus", ""))
        response, _ = self.ask(openai_answer("Adding", calls))
        self.assertEqual((response.content, response.stop_reason), ("Adding", "tool_use"))
        whole, broken, list_, empty = response.tool_calls
        self.assertEqual(whole, ToolCall("call_1", "plus", {"a": 1}))
        self.assertIn("aren't valid JSON", broken.invalid)
        self.assertIn("aren't a JSON object", list_.invalid)
        self.assertEqual(empty, ToolCall("call_4", "plus", {}))

    def test_a_call_without_an_id_gets_one(self):
        answer = openai_answer(None, (("plus", "{}"), ("plus", "{}")))
        for call in answer["choices"][0]["message"]["tool_calls"]:
            del call["id"]
        response, _ = self.ask(answer)
        first, second = response.tool_calls
        self.assertNotEqual(first.id, second.id)

    def test_a_conversation_is_sent_back_complete(self):
        first = openai_answer(None, (("plus", '{"a":1}'),), reasoning_content="Hm")
        server = self.serve(first, openai_answer("Done"))
        model = OpenAICompatible("small", base_url=server.url)
        question = UserMessage("Add")
        response = model.run(ModelRequest([question]))
        self.assertEqual(response.reasoning, "Hm")
        result = ToolResultMessage("call_1", "1", is_error=True)
        model.run(ModelRequest([question, response.message, result]))
        call = {"name": "plus", "arguments": '{"a": 1}'}
        self.assertEqual(
            server.requests[1].body["messages"],
            [
                {"role": "user", "content": "Add"},
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [{"id": "call_1", "type": "function", "function": call}],
                    "reasoning_content": "Hm",
                },
                {"role": "tool", "tool_call_id": "call_1", "content": "1"},
            ],
        )

    def test_reasoning_under_its_other_name(self):
        details = [{"type": "reasoning.text", "text": "Hm", "signature": "signed"}]
        answer = openai_answer("ok", reasoning="Hm", reasoning_details=details)
        response, _ = self.ask(answer)
        self.assertEqual(response.reasoning, "Hm")
        self.assertEqual(response.message.native.content["reasoning_details"], details)

    def test_usage(self):
        usage = {**USAGE, "prompt_tokens_details": {"cached_tokens": 60}}
        response, _ = self.ask(openai_answer("ok", usage=usage))
        self.assertEqual(response.usage.model, "small-1")
        self.assertEqual((response.usage.input_tokens, response.usage.output_tokens), (100, 20))
        self.assertEqual((response.usage.cached_tokens, response.usage.cost_usd), (60, None))

    def test_cost_by_price_or_from_the_server(self):
        priced, _ = self.ask(openai_answer("ok", usage=USAGE), price=Price(10, 100))
        self.assertAlmostEqual(priced.usage.cost_usd, 0.003, places=12)
        said, _ = self.ask(openai_answer("ok", usage={**USAGE, "cost": 0.25}))
        self.assertEqual(said.usage.cost_usd, 0.25)

    def test_a_server_that_reports_no_usage(self):
        response, _ = self.ask(openai_answer("ok"), price=Price(10, 100))
        self.assertEqual((response.usage.input_tokens, response.usage.cost_usd), (None, None))

    def test_a_truncated_response(self):
        response, _ = self.ask(openai_answer("Well", finish_reason="length"))
        self.assertEqual(response.stop_reason, "max_tokens")

    def test_a_filtered_response_is_an_error(self):
        error = self.error_of(self.ask, openai_answer(finish_reason="content_filter"))
        self.assertEqual(error.kind, "agent")
        self.assertEqual(error.message, "the provider's content filter blocked the response")

    def test_an_unexpected_response_is_an_error(self):
        for body in ({"choices": []}, {"choices": [{}]}, [], "null"):
            with self.subTest(body):
                self.assertEqual(self.error_of(self.ask, body).kind, "agent")
