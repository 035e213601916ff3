"""Reads model calls of OpenAI, Anthropic, Ollama and Gemini from their HTTP traffic, without changing it."""

from .exchange_recorder import ExchangeRecorder
from .provider_keys import ProviderKeys
from .wire_exchange import FORMATS, PATHS, WireExchange, decode_request_body, find_wire_format, read_exchange

__all__ = [
    "FORMATS",
    "PATHS",
    "ExchangeRecorder",
    "ProviderKeys",
    "WireExchange",
    "decode_request_body",
    "find_wire_format",
    "read_exchange",
]
