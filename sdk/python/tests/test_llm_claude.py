from term_sdk.llm import (
    AssistantMessage,
    Claude,
    ModelRequest,
    Price,
    Tool,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)

from .llm_case import LlmCase
from .model_server import claude_answer

CACHED = {"cache_control": {"type": "ephemeral"}}
PLUS = Tool("plus", "Adds numbers", {"type": "object"}, lambda arguments: 0)
MINUS = Tool("minus", "Subtracts numbers", {"type": "object"}, lambda arguments: 0)


class ClaudeWire(LlmCase):
    def ask(self, *replies, messages=(UserMessage("Hi"),), request=None, **options):
        server = self.serve(*replies)
        model = Claude(api_key="sk-secret", base_url=server.url, **options)
        return model.run(request or ModelRequest(messages)), server.requests[0]

    def test_a_request(self):
        request = ModelRequest(
            [UserMessage("What is 1 + 2?")], "Be brief", [PLUS, MINUS], 100, temperature=0.5
        )
        _, sent = self.ask(claude_answer("3"), request=request, model="claude-haiku-4-5")
        self.assertEqual(sent.path, "/v1/messages")
        self.assertEqual(sent.headers["x-api-key"], "sk-secret")
        self.assertEqual(sent.headers["anthropic-version"], "2023-06-01")
        schema = {"input_schema": {"type": "object"}}
        text = {"type": "text", "text": "What is 1 + 2?", **CACHED}
        self.assertEqual(
            sent.body,
            {
                "model": "claude-haiku-4-5",
                "max_tokens": 100,
                "temperature": 0.5,
                "system": [{"type": "text", "text": "Be brief", **CACHED}],
                "tools": [
                    {"name": "plus", "description": "Adds numbers", **schema},
                    {"name": "minus", "description": "Subtracts numbers", **schema, **CACHED},
                ],
                "messages": [{"role": "user", "content": [text]}],
            },
        )

    def test_the_defaults_are_small(self):
        _, sent = self.ask(claude_answer("Hello"))
        self.assertEqual(sent.body["model"], "claude-sonnet-5-5")
        self.assertEqual(sent.body["max_tokens"], 4096)
        self.assertEqual(sent.body["thinking"], {"type": "adaptive", "display": "summarized"})
        self.assertNotIn("temperature", sent.body)

    def test_an_answer_with_thinking_text_and_calls(self):
        answer = claude_answer("Adding", (("plus", {"a": 1}), ("plus", {"a": 2})), "Hm")
        response, _ = self.ask(answer)
        self.assertEqual(response.content, "Adding")
        self.assertEqual(response.reasoning, "Hm")
        self.assertEqual(response.stop_reason, "tool_use")
        calls = [ToolCall("toolu_1", "plus", {"a": 1}), ToolCall("toolu_2", "plus", {"a": 2})]
        self.assertEqual(response.tool_calls, calls)
        self.assertEqual(response.message.tool_calls, calls)

    def test_a_conversation_is_sent_back_complete(self):
        calls = (("plus", {"a": 1}), ("plus", {"a": 2}))
        first = claude_answer("Adding", calls, thinking="Hm")
        server = self.serve(first, claude_answer("Done"))
        model = Claude(base_url=server.url)
        question = UserMessage("Add them")
        response = model.run(ModelRequest([question], tools=[PLUS]))
        results = [ToolResultMessage("toolu_1", "3"), ToolResultMessage("toolu_2", "no", True)]
        messages = [question, response.message, *results, UserMessage("Go on")]
        model.run(ModelRequest(messages, tools=[PLUS]))
        self.assertEqual(
            server.requests[1].body["messages"],
            [
                {"role": "user", "content": [{"type": "text", "text": "Add them"}]},
                # The thinking with its signature, unchanged.
                {"role": "assistant", "content": first["content"]},
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "tool_use_id": "toolu_1", "content": "3"},
                        {
                            "type": "tool_result",
                            "tool_use_id": "toolu_2",
                            "content": "no",
                            "is_error": True,
                        },
                        {"type": "text", "text": "Go on", **CACHED},
                    ],
                },
            ],
        )

    def test_thinking_is_sent_back_only_after_unchanged_messages(self):
        for options, kept in (({}, False), ({"thinking_tokens": 2048}, True)):
            with self.subTest(options):
                first = claude_answer("Adding", (("plus", {}),), thinking="Hm")
                second = claude_answer("More", (("plus", {}),), thinking="Hm, hm")
                server = self.serve(first, second, claude_answer("Done"), claude_answer("Done"))
                model = Claude("claude-sonnet-5-5", base_url=server.url, **options)
                messages = [UserMessage("Add")]
                for _ in range(2):
                    messages.append(model.run(ModelRequest(messages)).message)
                    messages.append(ToolResultMessage("toolu_1", "3"))
                model.run(ModelRequest(messages))
                turns = server.requests[2].body["messages"]
                self.assertEqual(turns[1]["content"], first["content"])
                self.assertEqual(turns[3]["content"], second["content"])
                messages[2] = ToolResultMessage("toolu_1", "[shortened]")
                model.run(ModelRequest(messages))
                turns = server.requests[3].body["messages"]
                self.assertEqual(turns[1]["content"], first["content"])
                self.assertEqual(turns[3]["content"], second["content"][0 if kept else 1 :])

    def test_a_turn_of_another_provider_is_translated(self):
        turn = AssistantMessage("Adding", [ToolCall("call_1", "plus", {"a": 1})], "Hm")
        messages = [UserMessage("Add"), turn, ToolResultMessage("call_1", "1")]
        _, sent = self.ask(claude_answer("ok"), messages=messages)
        self.assertEqual(
            sent.body["messages"][1]["content"],
            [
                {"type": "text", "text": "Adding"},
                {"type": "tool_use", "id": "call_1", "name": "plus", "input": {"a": 1}},
            ],
        )

    def test_an_empty_turn_is_omitted(self):
        messages = [UserMessage("Hi"), AssistantMessage(""), UserMessage("Go on")]
        _, sent = self.ask(claude_answer("ok"), messages=messages)
        self.assertEqual([turn["role"] for turn in sent.body["messages"]], ["user"])

    def test_usage_and_cost(self):
        counts = {"cache_read_input_tokens": 1000, "cache_creation_input_tokens": 100}
        response, _ = self.ask(claude_answer("ok", **counts))
        usage = response.usage
        self.assertEqual(usage.model, "claude-sonnet-5-5")
        self.assertEqual((usage.input_tokens, usage.output_tokens), (1110, 5))
        self.assertEqual((usage.cached_tokens, usage.cache_write_tokens), (1000, 100))
        cost = (10 * 2 + 1000 * 0.1 + 100 * 2.5 + 5 * 10) / 1e6
        self.assertAlmostEqual(usage.cost_usd, cost, places=12)

    def test_a_custom_price_and_an_unknown_one(self):
        own, _ = self.ask(claude_answer("ok"), price=Price(100, 1000))
        self.assertAlmostEqual(own.usage.cost_usd, 0.006, places=12)
        unknown, _ = self.ask(claude_answer("ok"), model="claude-unheard-of")
        self.assertIsNone(unknown.usage.cost_usd)
        self.assertIsNone(unknown.usage.cached_tokens)

    def test_a_truncated_call_is_invalid(self):
        calls = (("plus", {"a": 1}), ("plus", {}))
        response, _ = self.ask(claude_answer("", calls, stop_reason="max_tokens"))
        self.assertEqual(response.stop_reason, "max_tokens")
        self.assertIsNone(response.tool_calls[0].invalid)
        self.assertIn("token limit", response.tool_calls[1].invalid)

    def test_thinking_with_a_budget(self):
        options = {"model": "claude-haiku-4-5", "thinking_tokens": 2048}
        _, sent = self.ask(claude_answer("ok"), **options)
        self.assertEqual(sent.body["thinking"], {"type": "enabled", "budget_tokens": 2048})
        error = self.error_of(Claude, api_key="k", max_tokens=2048, **options)
        self.assertEqual(error.kind, "invalid")

    def test_a_refusal_is_an_error(self):
        error = self.error_of(self.ask, claude_answer(stop_reason="refusal"))
        self.assertEqual((error.kind, error.message), ("agent", "the model refused to answer"))

    def test_an_unexpected_response_is_an_error(self):
        for body in ([], {}, {"content": 5, "stop_reason": "end_turn"}, "null"):
            with self.subTest(body):
                self.assertEqual(self.error_of(self.ask, body).kind, "agent")
