"""Model traffic as it goes over the wire: OpenAI, Anthropic, Ollama, Gemini, read beside the bytes that are passed on."""

from .exchange import FORMATS, PATHS, WireExchange, format_of, read_exchange, sent_body
from .keys import Keys
from .reader import WireReader

__all__ = ["FORMATS", "PATHS", "Keys", "WireExchange", "WireReader", "format_of", "read_exchange", "sent_body"]
