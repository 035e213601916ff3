// The messages of a WebSocket or an event stream.

import { useState } from "preact/hooks";
import type { PlayerEvent } from "../../decode/events.ts";
import { formatClockTime } from "../../ui/format.ts";
import { usePlayer, useUiValue } from "../../ui/hooks.ts";
import { formatBytes } from "../shared/format.ts";

const SHORT = 160;

/** The messages of a WebSocket or an event stream. Pressing a message seeks to its time and shows its whole text. */
export function SocketMessages({ events }: { events: readonly PlayerEvent[] }) {
  const player = usePlayer();
  const [open, setOpen] = useState(-1);
  const passed = useUiValue(() => events.filter((event) => event.t <= player.time).length);
  const texts = useUiValue((of) => events.map((event) => of.resources.body(event.body)));
  return (
    <>
      <h2 class="label">Messages</h2>
      <ol class="rows messages">
        {events.map((event, index) => {
          const text = texts[index];
          const said = text ?? (event.why ? `not kept: ${event.why}` : "not in this file");
          return (
            <li class={`row ${index >= passed ? "later" : ""}`} key={index}>
              <button
                type="button"
                aria-expanded={open === index}
                onClick={() => {
                  setOpen(open === index ? -1 : index);
                  void player.seek(event.t);
                }}
              >
                <span class="when">{formatClockTime(event.t)}</span>
                <span class="way" title={event.sent ? "sent by the page" : "received"}>
                  {event.sent ? "\u2191" : "\u2193"}
                  <span class="visually-hidden">{event.sent ? "sent" : "received"}</span>
                </span>
                <span class={`text ${text === undefined ? "none" : ""}`}>
                  {Boolean(event.name) && event.name !== "message" && <b>{String(event.name)} </b>}
                  {said.slice(0, SHORT)}
                  {said.length > SHORT && "\u2026"}
                </span>
                <span class="number">{formatBytes(Number(event.size))}</span>
              </button>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
              {open === index && text !== undefined && <pre tabIndex={0}>{text}</pre>}
            </li>
          );
        })}
      </ol>
    </>
  );
}
