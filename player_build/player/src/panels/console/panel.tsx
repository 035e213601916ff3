// The Console tab: messages and errors of the page.

import "./style.css";
import { useState } from "preact/hooks";
import { getConsoleLine } from "../../history/console.ts";
import { formatClockTime } from "../../ui/format.ts";
import { usePlayer, useUiValue } from "../../ui/hooks.ts";
import { useScrollToCurrent } from "../shared/lists.tsx";
import { matchesFilter, FilterBar } from "../shared/filter.tsx";
import { shortenUrl } from "../shared/format.ts";
import type { PlayerEvent } from "../../decode/events.ts";

/** What a message is about, where the browser wrote it, and where it comes from. */
function placeOf({ source, url, line }: PlayerEvent): string {
  return [source, url && `${shortenUrl(String(url))}${line ? `:${line}` : ""}`].filter(Boolean).join(" \u00b7 ");
}

/** The list of console messages, errors and dialogs. */
export function ConsolePanel() {
  const player = usePlayer();
  const [filter, setFilter] = useState("");
  const [bad, setBad] = useState(false);
  const known = useUiValue((of) => of.story.console.length);
  const passed = useUiValue((of) => of.story.console.filter((entry) => entry.t <= of.time).length);
  const list = useScrollToCurrent<HTMLUListElement>(passed);
  if (!known) return <p class="empty">The page wrote nothing to the console.</p>;
  return (
    <>
      <FilterBar
        label="Filter the console"
        filter={filter}
        onFilter={setFilter}
        only="Only problems"
        ticked={bad}
        onTick={setBad}
      />
      <ul class="rows" ref={list}>
        {player.story.console.map((entry, index) => {
          const { level, text } = getConsoleLine(entry);
          if (!matchesFilter(filter, level, text) || (bad && level !== "error" && level !== "warning")) return null;
          return (
            <li
              key={index}
              class={`row ${level === "info" ? "" : level} ${index >= passed ? "later" : ""}`}
              aria-current={index === passed - 1 || undefined}
            >
              <button type="button" onClick={() => void player.seek(entry.t)}>
                <span class="when">{formatClockTime(entry.t)}</span>
                <span class="kind">{level}</span>
                <span class="text">{text}</span>
                {entry.k === "console" && <small class="place">{placeOf(entry)}</small>}
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
