"""Event streams that were open at the end: their answer is given all at once, and the page is kept from taking its end for a lost connection.

Only an answer that is whole can be given to a request that is routed. A page's `EventSource` would say that the connection is
lost, and ask again and again; so a first event says that this stream is held open, and a small script in the page hides what follows its end.
"""

from __future__ import annotations

from typing import Final

_HELD: Final = "pagereel-held"
HEAD: Final = f"retry: 86400000\nevent: {_HELD}\ndata: 1\n\n".encode()
"""What a held stream begins with: it is asked for again in a day at the earliest."""
HELD_STREAMS: Final = f"""(() => {{
  const Real = globalThis.EventSource;
  if (!Real) return;
  const state = Object.getOwnPropertyDescriptor(Real.prototype, "readyState").get;
  globalThis.EventSource = class EventSource extends Real {{
    #held = false;
    constructor(...given) {{
      super(...given);
      super.addEventListener("{_HELD}", () => {{ this.#held = true; }});
      super.addEventListener("error", (event) => {{ if (this.#held) event.stopImmediatePropagation(); }});
    }}
    get readyState() {{
      const now = state.call(this);
      return this.#held && now === Real.CONNECTING ? Real.OPEN : now;
    }}
  }};
}})();"""
