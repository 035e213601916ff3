"""Model traffic as it goes over the wire: OpenAI, Anthropic, Ollama, Gemini, read beside the bytes that are passed on."""

from .exchange import FORMATS, PATHS, Exchange, format_of, read_exchange, sent_body
from .keys import Keys
from .reader import Reader

__all__ = ["FORMATS", "PATHS", "Exchange", "Keys", "Reader", "format_of", "read_exchange", "sent_body"]
