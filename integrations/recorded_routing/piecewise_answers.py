"""Gives recorded responses in pieces, at the recorded pace, and not before the requests that came before them.

Playwright can answer a routed request only with a complete response. So the page gets the whole response, with a number
in a header, and a script in the page passes the pieces on when they are due. Messages on a WebSocket tell the script
when that is; Playwright mocks this WebSocket, so no request is made. An ``EventSource`` gets a response with one event
that has the number. The script hides the end of this response, which would count as a lost connection.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import orjson

from .recorded_network import RecordedExchange, RecordedNetwork

STREAM_HEADER: Final = "x-pagereel-stream"
LED_HEADER: Final = "x-pagereel-url"
"""Header with the target of redirects, because a mocked response cannot redirect a script's request."""
_PLACE: Final = "wss://pagereel.invalid/stream/"
"""A host that cannot exist: RFC 2606, 2."""
_HELD: Final = "pagereel-held"
_EXPOSE: Final = "access-control-expose-headers"


def parse_stream_number(url: str) -> int | None:
    """Return the stream's number in the URL of a mocked WebSocket; None for the URL of the page's own WebSockets."""
    number = url.removeprefix(_PLACE)
    return int(number) if number != url and number.isdecimal() else None


def add_stream_headers(headers: Mapping[str, str], stream_headers: Mapping[str, str]) -> dict[str, str]:
    """Return a response's headers with the headers `stream_headers` added.

    They are exposed (CORS), so that the script can read them on pages of other origins.
    """
    if not stream_headers:
        return dict(headers)
    exposed = [value for name, value in headers.items() if name.lower() == _EXPOSE]
    rest = {name: value for name, value in headers.items() if name.lower() != _EXPOSE}
    return {**rest, **stream_headers, _EXPOSE: ", ".join([*exposed, *stream_headers])}


def build_event_source_body(number: int) -> bytes:
    """Return the response body for an ``EventSource``: one event with the stream's number, and a reconnection time of a
    day.
    """
    return f"retry: 86400000\nevent: {_HELD}\ndata: {number}\n\n".encode()


class PiecewiseAnswer:
    """A recorded response that is given in pieces."""

    def __init__(self, recorded: RecordedNetwork, exchange: RecordedExchange) -> None:
        self._recorded = recorded
        self._begin = recorded.find_last_script_request(float(exchange.request["t"]))
        """Requests before the connection's opening are not waited for."""
        self._last = float(exchange.response.get("t") or exchange.request["t"])
        pieces: list[list[object]] = []
        ending = exchange.response_ending
        if exchange.request.get("type") == "eventsource":
            for message in exchange.messages:
                said = recorded.get_message_bytes(message).decode("utf-8", "replace")
                pieces.append(self._describe_piece([str(message.get("name") or "message"), said], float(message["t"])))
        else:
            pieces = [self._describe_piece(size, t) for t, size in exchange.chunk_times_and_sizes]
            if exchange.response_ending == "open":
                pieces.append([0, exchange.open_seconds * 1000, 0])  # Nobody waits for ever.
                ending = "error"
        if exchange.response_ending == "end":
            pieces.append(self._describe_piece(0, float(exchange.response.get("end") or self._last)))
        self._plan = {"pieces": pieces, "ending": ending}

    def _describe_piece(self, piece: object, t: float) -> list[object]:
        """Return a piece with its delay in ms, and with the number of the page's request that must have been made
        before it.
        """
        cause, made = self._recorded.find_last_script_request_and_time(t)
        since = max(self._last, made) if cause > self._begin else self._last
        self._last = max(self._last, t)
        return [piece, max(0.0, round(t - since, 1)), cause if cause > self._begin else 0]

    def build_first_message(self) -> str:
        """Return the first message to the script in the page: the plan of all pieces, as JSON."""
        return orjson.dumps({**self._plan, "reached": self._recorded.reached}).decode()

    def build_progress_message(self) -> str:
        """Return the message that tells the script in the page how many requests were made so far, as JSON."""
        return orjson.dumps({"reached": self._recorded.reached}).decode()


def is_answered_in_pieces(exchange: RecordedExchange) -> bool:
    """Return whether a recorded response is given in pieces.

    An event stream that the server ended is given whole, because its end must reach the browser, which then reconnects.
    """
    kind = exchange.request.get("type")
    if kind == "eventsource":
        return exchange.response_ending != "end" and (exchange.is_event_stream or "body" not in exchange.response)
    return (
        kind == "fetch"
        and "body" in exchange.response
        and (bool(exchange.chunk_times_and_sizes) or exchange.response_ending != "end")
    )


_SOURCE: Final = """((PLACE, STREAM, LED, HELD) => {
  const Socket = globalThis.WebSocket;
  if (!Socket) return;

  /** Gives the pieces of a stream as they are due. Returns what stops it. */
  const paced = (number, give, end) => {
    const socket = new Socket(PLACE + number);
    let reached = 0;
    let stopped = false;
    let wake = () => {};
    const run = async ({ pieces, ending }) => {
      let due = performance.now();
      for (const [piece, gap, cause] of pieces) {
        while (cause > reached && !stopped) {
          await new Promise((go) => { wake = go; });
          due = performance.now();
        }
        due += gap;
        const left = due - performance.now();
        if (left > 1) await new Promise((go) => setTimeout(go, left));
        if (stopped) return;
        give(piece);
      }
      if (ending !== "open") socket.close();
      end(ending);
    };
    socket.addEventListener("message", ({ data }) => {
      const told = JSON.parse(data);
      reached = told.reached;
      if (told.pieces) void run(told);
      else wake();
    });
    return () => {
      stopped = true;
      wake();
      socket.close();
    };
  };

  const real = globalThis.fetch;
  const define = Object.defineProperties;
  const dressed = (answer, as) => define(answer, {
    url: { value: as.url }, redirected: { value: as.redirected }, type: { value: as.type },
    clone: { configurable: true, value() { return dressed(Response.prototype.clone.call(this), as); } },
  });
  /** A response says what it was left for only to who reads it piece by piece. */
  const whole = async (answer) => {
    const parts = [];
    const reader = answer.body.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return new Blob(parts, { type: (answer.headers.get("content-type") ?? "").toLowerCase() });
      parts.push(value);
    }
  };
  const readable = (answer) => define(answer, {
    blob: { value() { return whole(this); } },
    text: { async value() { return (await whole(this)).text(); } },
    json: { async value() { return JSON.parse(await (await whole(this)).text()); } },
    arrayBuffer: { async value() { return (await whole(this)).arrayBuffer(); } },
    bytes: { async value() { return new Uint8Array(await (await whole(this)).arrayBuffer()); } },
    clone: { value() { return readable(dressed(Response.prototype.clone.call(this), this)); } },
  });
  const streamed = (answer, number, signal) => {
    let over = false;
    let stop = () => {};
    const body = new ReadableStream({
      type: "bytes",
      start(controller) {
        answer.arrayBuffer().then((whole) => {
          let at = 0;
          stop = paced(number, (size) => {
            if (size) controller.enqueue(new Uint8Array(whole.slice(at, (at += size))));
          }, (ending) => {
            over = ending !== "open";
            if (ending === "end") {
              controller.close();
              controller.byobRequest?.respond(0);
            }
            else if (ending === "error") controller.error(new TypeError("network error"));
          });
          const abort = () => {
            stop();
            if (!over) controller.error(signal.reason);
            over = true;
          };
          if (signal?.aborted) abort();
          else signal?.addEventListener("abort", abort, { once: true });
        }, (error) => controller.error(error));
      },
      cancel() {
        over = true;
        stop();
      },
    });
    const headers = new Headers(answer.headers);
    headers.delete(STREAM);
    const { status, statusText } = answer;
    return readable(define(new Response(body, { status, statusText, headers }), {
      url: { value: answer.url }, redirected: { value: answer.redirected }, type: { value: answer.type },
    }));
  };
  globalThis.fetch = async function fetch(input) {
    const given = await real.apply(this, arguments);
    const led = given.headers.get(LED);
    const answer = led === null ? given : dressed(given, { url: led, redirected: true, type: given.type });
    const number = answer.headers.get(STREAM);
    if (number === null) return answer;
    return streamed(answer, number, arguments[1]?.signal ?? (input instanceof Request ? input.signal : undefined));
  };

  const asked = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, "responseURL");
  Object.defineProperty(XMLHttpRequest.prototype, "responseURL", {
    ...asked,
    get() { return (this.readyState > 1 && this.getResponseHeader(LED)) || asked.get.call(this); },
  });

  const Real = globalThis.EventSource;
  if (!Real) return;
  const state = Object.getOwnPropertyDescriptor(Real.prototype, "readyState").get;
  globalThis.EventSource = class EventSource extends Real {
    #held = false;
    #stop = () => {};
    constructor(...given) {
      super(...given);
      super.addEventListener(HELD, ({ data }) => {
        this.#held = true;
        const origin = new URL(this.url).origin;
        this.#stop = paced(data, ([name, said]) => this.dispatchEvent(new MessageEvent(name, { data: said, origin })), () => {});
      });
      super.addEventListener("error", (event) => { if (this.#held) event.stopImmediatePropagation(); });
    }
    get readyState() {
      const now = state.call(this);
      return this.#held && now === Real.CONNECTING ? Real.OPEN : now;
    }
    close() {
      this.#stop();
      super.close();
    }
  };
})"""
SCRIPT: Final = f"{_SOURCE}({orjson.dumps([_PLACE, STREAM_HEADER, LED_HEADER, _HELD]).decode()[1:-1]});"
"""The script that runs in each page before the page's own."""
