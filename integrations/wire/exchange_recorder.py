"""Records requests to model providers, with their answers, as model calls.

A separate thread does it, so that errors do not affect the traffic.
"""

from __future__ import annotations

import contextlib
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pagereel.recorder import RecorderWarning

from .provider_keys import ProviderKeys
from .wire_exchange import WireExchange, read_exchange

if TYPE_CHECKING:
    from pagereel.recorder import Session


class ExchangeRecorder:
    """The thread that records the exchanges with model providers of one session.

    `only_models`: exchanges that are no model calls are not recorded.
    """

    def __init__(self, session: Session, keys: ProviderKeys, *, only_models: bool = False) -> None:
        self._session = session
        self._keys = keys
        self._only_models = only_models
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pagereel-wire")
        self._warned = False

    def queue_exchange(self, exchange: WireExchange) -> None:
        """Queue an exchange that has just ended, to be recorded."""
        # A client that has the last part of an answer may ask again before this is called.
        exchange.ended = exchange.chunks[-1][0] if exchange.whole and exchange.chunks else self._session.now
        with contextlib.suppress(RuntimeError):  # the recording has ended
            self._thread.submit(self._record_exchange, exchange)

    def close(self) -> None:
        """Record the queued exchanges, and end the thread. Exchanges that are queued later are ignored."""
        self._thread.shutdown(wait=True)

    def _record_exchange(self, exchange: WireExchange) -> None:
        try:
            call = read_exchange(exchange, self._keys)
            if call.asked is not None or not self._only_models:
                self._session.record_model_call(call)
        except Exception as error:
            if not self._warned:
                self._warned = True
                text = (
                    f"pagereel could not record a model call ({type(error).__name__}: {error}); the run is not affected"
                )
                with contextlib.suppress(Exception):
                    warnings.warn(text, RecorderWarning, stacklevel=2)
