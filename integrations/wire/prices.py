"""Computes the cost of a model call by the price list of the package `genai-prices`, if it is installed.

Nothing is fetched from the network.
"""

from __future__ import annotations

import importlib.metadata
import warnings
from functools import cache
from typing import Any

from pagereel.recorder import ModelCall

_LIST = "genai-prices"


def set_call_cost(call: ModelCall) -> None:
    """Set a call's cost in US dollars, and the price list's name and version.

    A model that is not in the list has no cost.
    """
    list_ = _load_price_list()
    answered = call.answered
    model = answered.model or (call.asked.model if call.asked else None)
    if list_ is None or model is None or answered.input_tokens is None:
        return
    module, version = list_
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            usage = module.Usage(
                input_tokens=answered.input_tokens,
                output_tokens=answered.output_tokens or 0,
                cache_read_tokens=answered.cached_tokens or 0,
                cache_write_tokens=answered.cache_write_tokens or 0,
            )
            call.cost_usd = _compute_cost(module, usage, model, call.provider)
    except Exception:  # The package has changed: the recording goes on without a price.
        return
    if call.cost_usd is not None:
        call.prices = {"name": _LIST, "version": version}


def _compute_cost(module: Any, usage: Any, model: str, provider: str | None) -> float | None:
    for known in ({"openai": "openai", "anthropic": "anthropic", "gemini": "google"}.get(provider or ""), None):
        try:
            return float(module.calc_price(usage, model_ref=model, provider_id=known).total_price)
        except LookupError:
            continue
    return None


@cache
def _load_price_list() -> tuple[Any, str] | None:
    try:
        import genai_prices

        return genai_prices, importlib.metadata.version(_LIST)
    except ImportError:
        return None
