// The conversation of a run without a page, turn by turn.

import "./style.css";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type AgentStyle, collectAgents } from "../history/agents.ts";
import { findLastItemUntil } from "../history/time-search.ts";
import { formatClockTime, formatWithThousands } from "../ui/format.ts";
import { AgentName } from "../ui/agent.tsx";
import { usePlayer, useUiValue } from "../ui/hooks.ts";
import { PageTabs } from "../ui/tabs.tsx";
import { type ConversationTurn, buildTurns } from "./turns.ts";

/** Characters of which a long text shows the first until it is opened. */
const SHORT = 900;

const WHO: Readonly<Record<ConversationTurn["who"], string>> = {
  step: "Step",
  system: "System",
  user: "User",
  model: "Model",
  thought: "Thought",
  tool: "Tool",
  note: "Note",
  error: "Error",
  message: "Message",
};

/**
 * The conversation of a run without pages: turns after the player's time are faint, and pressing a turn seeks to it.
 */
export function Conversation() {
  const player = usePlayer();
  const known = useUiValue(() => player.story.items.length + player.story.steps.length);
  const turns = useMemo(() => buildTurns(player.story), [known]);
  const agents = useMemo(() => collectAgents(player.story, player.index.info.agent), [known]);
  const now = useUiValue(() => {
    const last = findLastItemUntil(turns, player.time, (turn) => turn.time);
    return last ? turns.lastIndexOf(last) : -1;
  });
  const area = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const row = area.current?.querySelector<HTMLElement>("[aria-current]");
    if (!row || !area.current) return;
    const { top, bottom } = row.getBoundingClientRect();
    const seen = area.current.getBoundingClientRect();
    // Its beginning, where it is longer than what is seen.
    if (top < seen.top || bottom > seen.bottom)
      area.current.scrollTop += Math.min(top - seen.top - 12, bottom - seen.bottom + 24);
  }, [now]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section class="talk" aria-label="Conversation" ref={area} tabIndex={0}>
      {player.tracks.length > 1 && <PageTabs />}
      {turns.length ? (
        <ol>
          {turns.map((turn, index) => (
            <Row key={index} turn={turn} look={agents.get(turn.agent)} current={index === now} later={index > now} />
          ))}
        </ol>
      ) : (
        <p class="empty">This run opened no page, and no model was called in it.</p>
      )}
    </section>
  );
}

interface RowProps {
  turn: ConversationTurn;
  /** Who it is, where there are several. */
  look: AgentStyle | undefined;
  current: boolean;
  later: boolean;
}

function Row({ turn, look, current, later }: RowProps) {
  const player = usePlayer();
  const { who, name, text, given } = turn;
  return (
    <li
      class={`turn ${who} ${look ? "whose" : ""} ${later ? "later" : ""}`}
      style={look && { "--agent": `var(--${look.colour})` }}
      aria-current={current ? "step" : undefined}
    >
      <button type="button" title="Go to this moment" onClick={() => void player.seek(turn.time)}>
        <AgentName look={look} />
        <b>{WHO[who]}</b> {name && <span class="of">{name}</span>} <small>{formatClockTime(turn.time)}</small>
      </button>
      {given && <Long text={given} code />}
      {text && <Long text={text} code={who === "tool"} />}
    </li>
  );
}

function Long({ text, code }: { text: string; code: boolean }) {
  const [open, setOpen] = useState(false);
  const long = text.length > SHORT;
  const shown = long && !open ? `${text.slice(0, SHORT)}\u2026` : text;
  return (
    <>
      <p class={code ? "code" : undefined}>{shown}</p>
      {long && (
        <button type="button" class="more" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Less" : `All of it (${formatWithThousands(text.length)} characters)`}
        </button>
      )}
    </>
  );
}
