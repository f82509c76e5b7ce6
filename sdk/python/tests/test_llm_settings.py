import os

from term_sdk.llm import Claude, ModelRequest, OpenAICompatible, UserMessage, create_model

from .llm_case import LlmCase
from .model_server import claude_answer, openai_answer

HI = ModelRequest([UserMessage("Hi")])


class Settings(LlmCase):
    def test_a_missing_key_is_an_error_before_the_first_call(self):
        for create, variable in (
            (Claude, "ANTHROPIC_API_KEY"),
            (lambda: OpenAICompatible("small"), "OPENAI_API_KEY"),
        ):
            with self.subTest(variable):
                error = self.error_of(create)
                self.assertEqual(error.kind, "invalid")
                self.assertIn(f"set {variable}", error.message)
                self.assertIn(f"--env {variable}", error.message)

    def test_the_environment(self):
        server = self.serve(claude_answer("Hello"))
        os.environ.update(
            TERM_MODEL="claude-opus-5-5",
            TERM_MODEL_BASE_URL=f"{server.url}/v1/",
            TERM_MODEL_API_KEY="general",
            ANTHROPIC_API_KEY="special",
            TERM_MODEL_MAX_TOKENS="123",
            TERM_MODEL_TEMPERATURE="0.5",
        )
        create_model().run(HI)
        (sent,) = server.requests
        self.assertEqual((sent.path, sent.headers["x-api-key"]), ("/v1/messages", "general"))
        self.assertEqual(sent.body["model"], "claude-opus-5-5")
        self.assertEqual((sent.body["max_tokens"], sent.body["temperature"]), (123, 0.5))

    def test_arguments_override_the_environment(self):
        server = self.serve(claude_answer("Hello"))
        os.environ.update(TERM_MODEL="other", TERM_MODEL_MAX_TOKENS="1", TERM_MODEL_API_KEY="k")
        Claude("claude-sonnet-5", "own", server.url, max_tokens=7).run(HI)
        (sent,) = server.requests
        self.assertEqual((sent.body["model"], sent.body["max_tokens"]), ("claude-sonnet-5", 7))
        self.assertEqual(sent.headers["x-api-key"], "own")

    def test_the_provider_is_chosen(self):
        server = self.serve(openai_answer("Hello"))
        os.environ.update(TERM_MODEL_PROVIDER="openai", TERM_MODEL="small")
        os.environ["OPENAI_BASE_URL"] = server.url
        self.assertEqual(create_model(temperature=0).run(HI).content, "Hello")
        self.assertEqual(server.requests[0].body["temperature"], 0)
        self.assertIn("claude or openai", self.error_of(create_model, "other").message)

    def test_openai_needs_a_model(self):
        self.assertIn("TERM_MODEL", self.error_of(OpenAICompatible, api_key="k").message)

    def test_known_models(self):
        self.assertEqual(Claude(api_key="k").context_tokens, 1_000_000)
        self.assertIsNone(Claude("claude-unheard-of", api_key="k").context_tokens)
        self.assertEqual(Claude(api_key="k", context_tokens=5).context_tokens, 5)

    def test_invalid_settings(self):
        wrong = ("models.test", "ftp://models.test", "http://", "http://a b/", "http://a:b/")
        for url in (*wrong, "http://a\n", "http://["):
            with self.subTest(url):
                self.assertEqual(self.error_of(Claude, base_url=url, api_key="k").kind, "invalid")
        os.environ["TERM_MODEL_MAX_TOKENS"] = "many"
        self.assertIn("TERM_MODEL_MAX_TOKENS", self.error_of(Claude, api_key="k").message)

    def test_secrets_stay_out_of_messages(self):
        error = self.error_of(Claude, api_key="two\nlines")
        self.assertEqual(error.message, "the API key in api_key contains a space or a line break")
        error = self.error_of(Claude, base_url="https://user:secret@models.test", api_key="k")
        self.assertNotIn("secret", error.message)
