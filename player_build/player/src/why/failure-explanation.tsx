// The failure chain on top of the story.

import "./style.css";
import { useState } from "preact/hooks";
import type { EvidenceLink } from "../decode/pieces.ts";
import { useUi } from "../ui/hooks.ts";
import type { UiState } from "../ui/state.ts";

/**
 * The explanation of a run's failure, as a chain of sentences from the first cause on. Each sentence links to its
 * time, and to its element, request or console line.
 */
export function FailureExplanation() {
  const ui = useUi();
  const { why } = ui.player.index;
  // On a phone a line for each sentence, until somebody wants to read them.
  const [folded, fold] = useState(Math.min(globalThis.innerWidth, globalThis.innerHeight) <= 480);
  if (!why) return null;
  return (
    <section class={`why ${why.failed ? "bad" : ""} ${folded ? "folded" : ""}`} aria-labelledby="why">
      <h2 id="why">
        <button type="button" aria-expanded={!folded} onClick={() => fold(!folded)}>
          {why.failed ? "Why it failed" : "What went wrong on the way"}
        </button>
      </h2>
      <ol>
        {why.chain.map(([said, t, link], at) => (
          <li key={at} class={t === why.t ? "end" : ""}>
            <button type="button" onClick={() => follow(ui, t, link)}>
              {at ? said : <FirstCause said={said} first={folded} />}
            </button>
          </li>
        ))}
      </ol>
      {why.where && (
        <p class="where">
          {why.where.map((part) => (
            <code key={part}>{part}</code>
          ))}
        </p>
      )}
    </section>
  );
}

/** What fails, and after the colon why: a name in quotes may hold a colon as well. */
const FAILS = /^((?:[^“]|“[^”]*”)*? fails[^:“]*): (.+)$/s;

/**
 * The first sentence of the explanation, with the cause in bold. With `first` the cause comes first, because the end
 * may be cut off.
 */
export function FirstCause({ said, first }: { said: string; first: boolean }) {
  const [, fails, cause = said] = FAILS.exec(said) ?? [];
  if (!fails) return <b>{said}</b>;
  const leading = cause.replace(/^it was/, "the element was").replace(/^it waits/, "the call waits");
  return first ? (
    <>
      <b>{leading.replace(/^\w/, (letter) => letter.toUpperCase())}</b> {fails}.
    </>
  ) : (
    <>
      {fails}: <b>{cause}</b>
    </>
  );
}

/** Shows the moment of a sentence, and where the request, the line or the call stands that it is about. */
function follow(ui: UiState, t: number, link: EvidenceLink): void {
  const { player } = ui;
  const entry = link.request && player.story.network.find((each) => each.request.id === link.request);
  if (entry) ui.set({ tab: "Network", opened: entry.index + 1 });
  else if (link.console) ui.set({ tab: "Console" });
  else if (link.call) ui.set({ opened: link.call });
  void player.seek(t);
}
