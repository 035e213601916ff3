// The Model tab: calls of language models, with messages, tools, tokens and cost.

import "./style.css";
import { formatClockTime, toReadableText } from "../../ui/format.ts";
import { usePlayer, useUiValue } from "../../ui/hooks.ts";
import { useScrollToCurrent } from "../shared/lists.tsx";
import { formatModelCallFigures } from "../shared/call-figures.ts";
import { findLastItemUntil } from "../../history/time-search.ts";

interface Message {
  readonly role: string;
  readonly text: string;
}

/**
 * The list of model calls with their prompts and answers. The latest call shows its details, beside the page at its
 * time.
 */
export function ModelPanel() {
  const player = usePlayer();
  const known = useUiValue(() => player.story.models.length);
  const current = useUiValue(() => findLastItemUntil(player.story.models, player.time, (item) => item.time)?.id ?? 0);
  const list = useScrollToCurrent<HTMLOListElement>(current);
  if (!known) return <p class="empty">No model calls were recorded.</p>;
  return (
    <ol class="rows" ref={list}>
      {player.story.models.map((item) => (
        <li key={item.id} class="row model" aria-current={item.id === current || undefined}>
          <button type="button" onClick={() => void player.seek(item.time)}>
            <span class="when">{formatClockTime(item.time)}</span>
            <span class="what">
              <b>{String(item.event.model ?? "model")}</b> <small>{formatModelCallFigures(item)}</small>
            </span>
          </button>
          {item.id === current && (
            <div class="messages">
              {messages(player.story.promptOf(item), "prompt").map((message, index) => (
                <Bubble key={index} message={message} />
              ))}
              {Boolean(item.event.reasoning) && (
                <Bubble message={{ role: "reasoning", text: toReadableText(item.event.reasoning) }} />
              )}
              {messages(item.event.response, "response").map((message, index) => (
                <Bubble key={`r${index}`} message={message} />
              ))}
              {Boolean(item.event.error) && <p class="outcome failed">{toReadableText(item.event.error)}</p>}
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

function Bubble({ message }: { message: Message }) {
  return (
    <div class={`message ${message.role}`}>
      <h2 class="label">{message.role}</h2>
      <p>{message.text}</p>
    </div>
  );
}

/** Chat messages as such, everything else as one text. */
function messages(value: unknown, role: string): Message[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  if (list.every((item) => typeof item === "object" && item !== null && "content" in item))
    return list.map((item) => ({
      role: String((item as { role?: unknown }).role ?? role),
      text: toReadableText((item as { content: unknown }).content),
    }));
  return [{ role, text: toReadableText(value) }];
}
