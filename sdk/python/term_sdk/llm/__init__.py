"""Models for agents: two HTTP APIs, tools, and an agent that uses them."""

from ._claude import Claude
from ._create import create_model
from ._errors import AgentError
from ._llm_agent import llm_agent
from ._openai import OpenAICompatible
from ._price import Price
from ._tool import Tool, tool
from ._types import (
    AssistantMessage,
    Message,
    Model,
    ModelRequest,
    ModelResponse,
    Native,
    ToolCall,
    ToolResultMessage,
    Usage,
    UserMessage,
)

__all__ = [
    "AgentError",
    "AssistantMessage",
    "Claude",
    "Message",
    "Model",
    "ModelRequest",
    "ModelResponse",
    "Native",
    "OpenAICompatible",
    "Price",
    "Tool",
    "ToolCall",
    "ToolResultMessage",
    "Usage",
    "UserMessage",
    "create_model",
    "llm_agent",
    "tool",
]
