import unittest

from term_sdk.llm import AssistantMessage, ToolResultMessage, Usage, UserMessage
from term_sdk.llm._truncate import truncate_middle
from term_sdk.llm._history import History


class TruncateMiddle(unittest.TestCase):
    def test_head_and_tail_stay(self):
        cut = truncate_middle("a" * 50 + "b" * 50, 10, "output")
        self.assertEqual(cut, "aaaaa\n[90 characters of output omitted here]\nbbbbb")
        self.assertEqual(truncate_middle("abc", 3, "output"), "abc")
        self.assertEqual(truncate_middle("abc", 1, "x"), "\n[2 characters of x omitted here]\nc")


class Fit(unittest.TestCase):
    def history(self, context_tokens, results):
        history = History(context_tokens, "system")
        history.append(UserMessage("task" * 500))
        for number in range(results):
            history.append(AssistantMessage("look"))
            history.append(ToolResultMessage(str(number), f"{number}" * 3000))
        return history

    def test_a_conversation_that_fits_is_unchanged(self):
        for context_tokens in (None, 100_000):
            history = self.history(context_tokens, 4)
            before = list(history.messages)
            history.fit()
            self.assertEqual(history.messages, before)

    def test_the_oldest_results_are_shortened_first(self):
        # About 4670 tokens by the first estimate, just over three quarters.
        history = self.history(6200, 4)
        history.fit()
        task, *rest = history.messages
        self.assertEqual(task.content, "task" * 500)
        first, second, third, newest = (m for m in rest if m.role == "tool_result")
        for result in (first, second):
            self.assertIn("2600 characters of an older result omitted", result.content)
            self.assertLess(len(result.content), 500)
        self.assertEqual((len(third.content), len(newest.content)), (3000, 3000))

    def test_the_newest_stays_whatever_its_length(self):
        history = self.history(100, 3)
        history.fit()
        lengths = [len(m.content) for m in history.messages if m.role == "tool_result"]
        self.assertLess(max(lengths[:2]), 500)
        self.assertEqual(lengths[2], 3000)
        again = list(history.messages)
        history.fit()
        self.assertEqual(history.messages, again)

    def test_the_size_is_learned_from_usage(self):
        history = self.history(100_000, 3)
        history.learn(Usage("m", 90_000, 5))
        history.append(AssistantMessage("look"))
        history.fit()
        self.assertLess(len(history.messages[2].content), 500)
