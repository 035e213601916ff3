"""Model traffic as it goes over the wire: OpenAI, Anthropic, Ollama, Gemini, read beside the bytes that are passed on."""

from .exchange import FORMATS, Exchange, format_of, read_exchange, sent_body
from .keys import Keys

__all__ = ["FORMATS", "Exchange", "Keys", "format_of", "read_exchange", "sent_body"]
