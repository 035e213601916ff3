// The results of a search.

import { getActionTitle } from "../history/repeated-calls.ts";
import type { Player } from "../player.ts";
import type { TabName } from "../panels/table.ts";
import { formatClockTime, formatCount, toReadableText } from "../ui/format.ts";
import { useUi } from "../ui/hooks.ts";
import { getConsoleLine } from "../history/console.ts";
import { iterShownTexts } from "./shown-texts.ts";

const MOST = 200;

/** A place that a search found: its time in ms, its kind, its text, and the offset of the match in it. */
export interface SearchHit {
  readonly t: number;
  readonly kind: string;
  readonly tab?: TabName;
  readonly text: string;
  readonly at: number;
}

/** The list of places that a search found; pressing one seeks to it. */
export function SearchResults({ words, hits }: { words: string; hits: readonly SearchHit[] }) {
  const ui = useUi();
  const { player } = ui;
  return (
    <div class="found">
      <p role="status">{hits.length === MOST ? `the first ${MOST} places` : formatCount(hits.length, "place")}</p>
      <ul>
        {hits.map((hit, index) => (
          <li key={index}>
            <button
              type="button"
              onClick={() => {
                void player.seek(hit.t);
                ui.set(hit.tab ? { tab: hit.tab, searching: false } : { searching: false });
              }}
            >
              <span class="when">{formatClockTime(hit.t)}</span>
              <span class="kind">{hit.kind}</span>
              <span class="what">
                {hit.at > 30 && "…"}
                {hit.text.slice(Math.max(0, hit.at - 30), hit.at)}
                <mark>{hit.text.slice(hit.at, hit.at + words.length)}</mark>
                {hit.text.slice(hit.at + words.length, hit.at + 90)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * Searches the texts that pages showed at any time, the steps, actions, model calls, console and network. Returns the
 * places found.
 */
export function searchRecording(player: Player, query: string): SearchHit[] {
  const words = query.toLowerCase();
  const hits: SearchHit[] = [];
  const look = (t: number, kind: string, text: string, tab?: TabName): void => {
    const at = text.toLowerCase().indexOf(words);
    if (at >= 0) hits.push({ t, kind, text, at, ...(tab ? { tab } : {}) });
  };
  const { story } = player;
  for (const step of story.steps)
    look(
      step.time,
      "step",
      [step.title, step.reasoning, step.message, step.error].filter(Boolean).join(" \u2014 "),
      "Story",
    );
  for (const item of story.items) {
    const { event } = item;
    if (item.kind === "call")
      look(item.time, "action", `${getActionTitle(item)} ${toReadableText(event.error ?? "")}`, "Actions");
    else if (item.kind === "llm")
      look(
        item.time,
        "model",
        `${toReadableText(event.prompt ?? "")} ${toReadableText(event.response ?? "")}`,
        "Model",
      );
    else
      look(
        item.time,
        item.kind,
        [event.name, event.key, event.value, event.text, event.arguments, item.result?.result]
          .map((part) => toReadableText(part ?? ""))
          .join(" "),
        "Story",
      );
  }
  for (const { t, content } of story.said.values()) look(t, "model", toReadableText(content), "Model");
  for (const entry of story.console) look(entry.t, "console", getConsoleLine(entry).text, "Console");
  for (const { request } of story.network) look(request.t, "network", `${request.method} ${request.url}`, "Network");
  const seen = new Set<string>();
  for (const { t, text } of iterShownTexts(player.recording)) {
    if (hits.length > MOST * 4) break;
    if (seen.has(text)) continue; // Shown again: once is enough.
    const before = hits.length;
    look(t, "page", text.replace(/\s+/g, " "));
    if (hits.length > before) seen.add(text);
  }
  return hits.sort((a, b) => a.t - b.t).slice(0, MOST);
}
