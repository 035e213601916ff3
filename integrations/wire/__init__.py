"""Reads the model traffic of OpenAI, Anthropic, Ollama and Gemini from the bytes on the wire, which pass unchanged."""

from .exchange import FORMATS, PATHS, WireExchange, format_of, read_exchange, sent_body
from .keys import Keys
from .reader import WireReader

__all__ = ["FORMATS", "PATHS", "Keys", "WireExchange", "WireReader", "format_of", "read_exchange", "sent_body"]
