"""Reads model calls of OpenAI, Anthropic, Ollama and Gemini from their HTTP traffic, without changing it."""

from .exchange import FORMATS, PATHS, WireExchange, format_of, read_exchange, sent_body
from .keys import Keys
from .reader import WireReader

__all__ = ["FORMATS", "PATHS", "Keys", "WireExchange", "WireReader", "format_of", "read_exchange", "sent_body"]
