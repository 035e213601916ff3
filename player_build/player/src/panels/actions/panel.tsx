// The Actions tab: each call of the browser's interface, with what it was given and gave.

import "./style.css";
import { getFoldedEndTime, foldRepeatedCalls, formatFoldedTitle } from "../../history/repeated-calls.ts";
import type { StoryItem } from "../../history/story.ts";
import { formatClockTime, toReadableText, formatDuration } from "../../ui/format.ts";
import { useUi, useUiValue } from "../../ui/hooks.ts";
import { NamedBlock, useScrollToCurrent } from "../shared/lists.tsx";

/** The list of Playwright calls. The call under way, or the one that the reader chose, shows its details. */
export function ActionsPanel() {
  const ui = useUi();
  const { player } = ui;
  const known = useUiValue(() => player.story.actions.length);
  const current = useUiValue(() => player.story.callAt(player.time)?.id ?? 0);
  const list = useScrollToCurrent<HTMLOListElement>(current);
  if (!known) return <p class="empty">No actions of Playwright were recorded.</p>;
  return (
    <ol class="rows" ref={list}>
      {foldRepeatedCalls(player.story.actions).map((fold) => {
        const { item } = fold;
        const { event } = item;
        const now = fold.items.find(({ id }) => id === current);
        return (
          <li
            key={item.id}
            class={`row action ${event.error ? "error" : ""} ${item.time > player.time ? "later" : ""}`}
            aria-current={now ? true : undefined}
          >
            <button type="button" onClick={() => void player.seek(item.time)}>
              <span class="when">{formatClockTime(item.time)}</span>
              <span class="text">{formatFoldedTitle(fold)}</span>
              <small>{formatDuration(getFoldedEndTime(fold) - item.time)}</small>
            </button>
            {now && <Detail item={now} />}
          </li>
        );
      })}
    </ol>
  );
}

function Detail({ item }: { item: StoryItem }) {
  const ui = useUi();
  const { event } = item;
  const source = event.source as { file?: string; line?: number; function?: string; code?: string[] } | undefined;
  const end = item.time + Number(event.duration ?? 0);
  const [error, log] = toReadableText(event.error ?? "").split("\nCall log:\n");
  const box = ui.player.actionNode(item);
  return (
    <div class="detail">
      <p class="group" role="group" aria-label="This action">
        <button type="button" onClick={() => void ui.player.seek(Math.max(0, item.time))}>
          Before
        </button>
        <button type="button" onClick={() => void ui.player.seek(end)}>
          After
        </button>
        {box && (
          <button type="button" onClick={() => ui.set({ picked: box, tab: "DOM" })}>
            Element
          </button>
        )}
      </p>
      {error && <p class="outcome failed">{error}</p>}
      {Boolean(event.locator) && <NamedBlock name="Locator">{String(event.locator)}</NamedBlock>}
      {event.params !== undefined && event.params !== null && (
        <NamedBlock name="Parameters">{toReadableText(event.params)}</NamedBlock>
      )}
      {source && (
        <NamedBlock
          name={`${source.file ?? ""}:${source.line ?? ""}${source.function ? ` in ${source.function}` : ""}`}
        >
          {(source.code ?? []).map((line, index) => (
            <span key={index} class={line.startsWith(">") ? "at" : ""}>
              {line}
              {"\n"}
            </span>
          ))}
        </NamedBlock>
      )}
      {log && (
        <details>
          <summary>Call log</summary>
          <pre>{log}</pre>
        </details>
      )}
    </div>
  );
}
