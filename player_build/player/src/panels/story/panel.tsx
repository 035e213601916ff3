// The Story tab: steps with what was thought, called and done in each.

import "./style.css";
import { useMemo, useState } from "preact/hooks";
import {
  type AgentStyle,
  getAgentName,
  collectAgents,
  formatMessageDirection,
  involvesAgent,
  stepInvolvesAgent,
} from "../../history/agents.ts";
import {
  type FoldedCalls,
  getFoldedEndTime,
  foldRepeatedCalls,
  formatFoldedTitle,
} from "../../history/repeated-calls.ts";
import { findLastItemUntil } from "../../history/time-search.ts";
import type { StoryItem, Step, Story } from "../../history/story.ts";
import type { Player } from "../../player.ts";
import { formatClockTime, formatCount, formatWithThousands, toReadableText, formatDuration } from "../../ui/format.ts";
import { getCallDuration, formatModelCallFigures } from "../shared/call-figures.ts";
import { formatUsd } from "../shared/format.ts";
import { loadScript } from "../../script-loading.ts";
import { AgentName } from "../../ui/agent.tsx";
import { useUi, usePlayer, useUiValue } from "../../ui/hooks.ts";
import { Icon } from "../../ui/icons.tsx";
import { NamedBlock, useScrollToCurrent } from "../shared/lists.tsx";

/**
 * The list of the agent's steps with their reasoning, calls and costs. It follows the time: the step under way shows
 * its details.
 */
export function StoryPanel() {
  const player = usePlayer();
  const { steps, loose, models } = player.story;
  const known = useUiValue(() => steps.length + loose.length);
  const current = useUiValue(() => player.story.stepAt(player.time)?.id ?? 0);
  const agents = useMemo(
    () => collectAgents(player.story, player.index.info.agent),
    [known, player.story.items.length],
  );
  const [only, setOnly] = useState<string | null>(null);
  const touched = useUiValue((_, ui) => ui.picked);
  const now = useUiValue(() => findLastItemUntil(player.story.items, player.time, (item) => item.time));
  const list = useScrollToCurrent<HTMLOListElement>(`${current} ${now?.kind} ${now?.id}`);
  if (!known)
    return (
      <div class="empty">
        <p>This run told no steps. Its marks, console and network are on the timeline and in the tabs.</p>
        <p>
          Steps stand here when the recording names them: <code>with session.step("Pay"):</code>
        </p>
      </div>
    );
  const open = new Set<number | null>();
  for (let step = player.story.step(current); step; step = player.story.step(step.parent ?? 0)) open.add(step.id);
  const rows: Array<Step | StoryItem[]> = [];
  for (const row of [...steps, ...loose].sort((a, b) => a.time - b.time || a.id - b.id)) {
    if (only !== null && !("items" in row ? stepInvolvesAgent(row, only) : involvesAgent(row, only))) continue;
    if (!("items" in row) && isTheCalls(player.story, row)) continue;
    const last = rows.at(-1);
    if ("items" in row) !isFolded(player.story, row, open) && rows.push(row);
    else if (Array.isArray(last)) last.push(row);
    else rows.push([row]);
  }
  const lit = touched ? player.stepsThatTouched(touched.d, touched.id) : undefined;
  const tokens = sum(models, "input_tokens") + sum(models, "output_tokens");
  const cost = sum(models, "cost_usd");
  return (
    <>
      <p class="sum">
        {[
          steps.length > 0 && formatCount(steps.length, "step"),
          player.story.actions.length > 0 && formatCount(player.story.actions.length, "action"),
          tokens > 0 && `${formatWithThousands(tokens)} tokens`,
          cost > 0 && formatUsd(cost),
        ]
          .filter(Boolean)
          .join(" \u00b7 ")}
      </p>
      {agents.size > 0 && (
        <div class="agents" role="group" aria-label="Agents">
          {[...agents].map(([agent, look]) => (
            <button
              key={agent}
              type="button"
              aria-pressed={only === agent}
              title={only === agent ? "Show all agents" : `Show only ${look.name}`}
              onClick={() => setOnly(only === agent ? null : agent)}
            >
              <AgentName look={look} />
            </button>
          ))}
        </div>
      )}
      <ol class="story" ref={list}>
        {rows.map((row) =>
          Array.isArray(row) ? (
            <li class="step loose" style={{ "--depth": "0" }} key={`i${row[0]?.id}`}>
              <Items items={row} now={now} agents={agents} />
            </li>
          ) : (
            <StepRow
              key={row.id}
              step={row}
              current={row.id === current}
              now={now}
              open={open.has(row.id)}
              lit={lit?.has(row.id) ?? false}
              agents={agents}
            />
          ),
        )}
      </ol>
    </>
  );
}

/** Whether a note says only that the run ended by an error that a call has said. */
function isTheCalls({ actions }: Story, { event }: StoryItem): boolean {
  const said = /^The run ended by [\w.]+: (.+)/.exec(String(event.text))?.[1];
  return said !== undefined && actions.some((call) => String(call.event.error ?? "").includes(said));
}

/** Whether a step lies within a hook or a fixture that is not under way, and went well. */
function isFolded(story: Story, { parent, success }: Step, open: ReadonlySet<number | null>): boolean {
  const around = parent === null || success === false ? undefined : story.step(parent);
  return (
    around !== undefined && ((around.attributes.kind === "hook" && !open.has(parent)) || isFolded(story, around, open))
  );
}

function sum(models: readonly StoryItem[], field: string): number {
  return models.reduce((all, { event }) => all + (typeof event[field] === "number" ? event[field] : 0), 0);
}

interface StepProps {
  step: Step;
  current: boolean;
  now: StoryItem | undefined;
  open: boolean;
  lit: boolean;
  agents: ReadonlyMap<string, AgentStyle>;
}

function StepRow({ step, current, now, open, lit, agents }: StepProps) {
  const player = usePlayer();
  const look = agents.get(step.agent);
  const state = step.success === false ? "failed" : step.success ? "done" : step.closed ? "ended" : "open";
  const words = { failed: "failed", done: "succeeded", ended: "done", open: "never ended" }[state];
  const retry = Number(step.attributes.retry ?? 0);
  return (
    <li
      class={`step ${state} ${step.attributes.kind === "hook" ? "hook" : ""} ${look ? "whose" : ""} ${lit ? "lit" : ""}`}
      style={{ "--depth": `${step.depth}`, ...(look && { "--agent": `var(--${look.colour})` }) }}
      aria-current={current ? "step" : undefined}
    >
      <button type="button" class="head" onClick={() => void player.seek({ step: step.id })}>
        <span class="state" title={words}>
          {(state === "done" || state === "ended") && <Icon name="check" />}
          {state === "failed" && <Icon name="cross" />}
          <span class="visually-hidden">{words}:</span>
        </span>
        <span class="title">
          <span class="number">{step.number}</span> <AgentName look={look} />
          {step.title}
          {retry > 0 && <em class="chip">retry {retry}</em>}
          {step.attributes.inferred === true && <em class="chip">{inferred(step)}</em>}
          {lit && <em class="chip">touches it</em>}
        </span>
        <span class="when">
          {formatClockTime(step.time)}
          <small>{formatDuration(step.duration)}</small>
        </span>
      </button>
      {open && step.reasoning && <p class="reasoning">{step.reasoning}</p>}
      {open && step.items.length > 0 && <Items items={step.items} now={now} agents={agents} agent={step.agent} />}
      {step.error && !(open && isToldAbove(player, step)) && !isSaidWithin(player.story, step, open) && (
        <p class="outcome failed">{open ? step.error : step.error.split("\n")[0]}</p>
      )}
      {step.message && <p class={`outcome ${state}`}>{step.message}</p>}
    </li>
  );
}

interface ItemsProps {
  items: readonly StoryItem[];
  now: StoryItem | undefined;
  agents: ReadonlyMap<string, AgentStyle>;
  /** Whose the step around is. */
  agent?: string;
}

function Items({ items, now, agents, agent }: ItemsProps) {
  return (
    <ul class="items">
      {foldRepeatedCalls(items).map((fold) => (
        <ItemRow
          key={`${fold.item.kind}${fold.item.id}`}
          fold={fold}
          now={now}
          look={getAgentName(fold.item) === agent ? undefined : agents.get(getAgentName(fold.item))}
        />
      ))}
    </ul>
  );
}

/** Whether the run failed by this, which the top of the story explains. */
function isToldAbove({ index: { why } }: Player, { time, duration }: Pick<Step, "time" | "duration">): boolean {
  return why !== undefined && Math.abs(time + duration - why.t) < 1;
}

/** Whether what is in a step says its error already: a step in it, or one of its rows. */
function isSaidWithin({ steps }: Story, { id, error, items }: Step, open: boolean): boolean {
  const line = (error.split("\n")[0] as string).replace(/^([\w.]+: )+/, "");
  return (
    steps.some((step) => step.parent === id && step.error.includes(line)) ||
    (open && items.some(({ event }) => String(event.error ?? "").includes(line)))
  );
}

/** Of a step that nobody told: that it is so, how often the same was done before, and how often it was asked for. */
function inferred({ attributes: { repeats, attempt } }: Step): string {
  return ["inferred", repeats && `the same for the ${ordinal(Number(repeats))} time`, attempt && `attempt ${attempt}`]
    .filter(Boolean)
    .join(", ");
}

/** `2nd`, `11th`. */
function ordinal(count: number): string {
  const ending = Math.floor((count % 100) / 10) === 1 ? "" : ["", "st", "nd", "rd"][count % 10];
  return `${count}${ending || "th"}`;
}

interface ItemProps {
  fold: FoldedCalls;
  now: StoryItem | undefined;
  /** Whose it is, where nothing around says so. */
  look: AgentStyle | undefined;
}

function ItemRow({ fold, now, look }: ItemProps) {
  const { item } = fold;
  const ui = useUi();
  const { player } = ui;
  const { event } = item;
  const error = item.result?.error ?? event.error;
  const line = describe(fold);
  const details = detailsOf(item);
  const end = fold.rounds > 1 ? getFoldedEndTime(fold) : item.time + Math.max(60, getCallDuration(item));
  const told = Boolean(error) && isToldAbove(player, { time: item.time, duration: getCallDuration(item) });
  const under = useUiValue(() => item.time <= player.time && player.time <= end);
  return (
    <li
      class={`item ${item.kind} ${error ? "failed" : ""} ${under ? "under" : ""}`}
      aria-current={(now && fold.items.includes(now)) || undefined}
    >
      <button
        type="button"
        title={formatClockTime(item.time)}
        onClick={() => {
          if (item.kind === "call" || item.kind === "llm") ui.set({ opened: item.id });
          void player.seek(item.time);
        }}
      >
        <span class="kind">{NOTED[item.event.k] ?? KIND[item.kind]}</span>
        <span class="what">
          <AgentName look={item.kind === "agent_message" ? undefined : look} />
          {line.what}
        </span>
        <span class="figures">{told ? ["failed", line.figures].filter(Boolean).join(" after ") : line.figures}</span>
      </button>
      {Boolean(error) && !told && <p class="outcome failed">{toReadableText(error).split("\n")[0]}</p>}
      {item.kind === "screenshot" && <Screenshot item={item} />}
      {details.length > 0 && (
        <details>
          <summary>{details.map(([name]) => name).join(", ")}</summary>
          {details.map(([name, text]) => (
            <NamedBlock key={name} name={name}>
              {text}
            </NamedBlock>
          ))}
        </details>
      )}
    </li>
  );
}

const KIND: Readonly<Record<StoryItem["kind"], string>> = {
  llm: "model",
  tool: "tool",
  call: "action",
  memory: "memory",
  note: "note",
  screenshot: "picture",
  error: "error",
  dialog: "dialog",
  mark: "mark",
  agent_message: "message",
};

/** What is told as a note is, and has another name. */
const NOTED: Readonly<Record<string, string>> = {
  ask: "question",
  answer: "answer",
  artifact: "file",
  score: "score",
  outcome: "outcome",
  version: "version",
  screen: "screen",
};

const OUTCOMES: Readonly<Record<string, string>> = { true: "passed", false: "failed" };

function describe(fold: FoldedCalls): { what: string; figures: string } {
  const { item } = fold;
  const { event } = item;
  const time = getCallDuration(item) ? formatDuration(getCallDuration(item)) : "";
  switch (item.kind) {
    case "llm":
      return { what: String(event.model ?? "model"), figures: formatModelCallFigures(item) };
    case "tool":
      return { what: String(event.name ?? ""), figures: time };
    case "call":
      return {
        what: formatFoldedTitle(fold),
        figures: fold.rounds > 1 ? formatDuration(getFoldedEndTime(fold) - item.time) : time,
      };
    case "memory":
      return { what: `${event.op ?? ""} ${event.key ?? ""}`, figures: "" };
    case "note":
      return {
        what: [
          event.what,
          event.name,
          OUTCOMES[String(event.success)],
          typeof event.text === "string" ? event.text.split("\nCall log:")[0] : event.text,
          event.k === "screen" && loadScript("screens").formatScreenAction?.(event.action),
        ]
          .filter(Boolean)
          .join(": "),
        figures:
          event.k === "screen"
            ? formatClockTime(item.time)
            : event.sha256
              ? String(event.sha256).slice(0, 8)
              : String(event.value ?? event.by ?? ""),
      };
    case "agent_message":
      return { what: `${formatMessageDirection(item)}: ${event.text ?? ""}`, figures: "" };
    default:
      return { what: String(event.label ?? ""), figures: "" };
  }
}

function detailsOf(item: StoryItem): Array<readonly [string, string]> {
  const { event } = item;
  const wanted: Array<readonly [string, unknown]> =
    item.kind === "tool"
      ? [
          ["Arguments", event.arguments],
          ["Result", item.result?.result],
        ]
      : item.kind === "memory"
        ? [["Value", event.value]]
        : item.kind === "note" || item.kind === "agent_message" || item.kind === "screenshot"
          ? Object.entries(event.attributes ?? (event.sha256 ? { value: event.value } : {}))
          : [];
  return wanted.flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, toReadableText(value)] as const],
  );
}

/** What the model saw, with the boxes that it was given. */
function Screenshot({ item }: { item: StoryItem }) {
  const player = usePlayer();
  const src = useUiValue(({ resources }) => resources.fill(String(item.event.body ?? "")) ?? "");
  const [size, setSize] = useState<readonly [number, number]>([0, 0]);
  if (!src.startsWith("blob:")) return null;
  const boxes = size[0] ? boxesOf(item.event.boxes) : [];
  // Boxes are in CSS px of the page; the picture may have several pixels for one.
  const shown = player.recording.pages.get(Number(item.event.page))?.findLast(({ start }) => start <= item.time);
  const width = shown?.sizeAt(item.time).w || size[0];
  return (
    <figure class="seen">
      <img
        src={src}
        alt={`What was seen: ${String(item.event.label ?? "")}`}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize([naturalWidth, naturalHeight])}
      />
      {boxes.length > 0 && (
        <svg
          viewBox={`0 0 ${width} ${(size[1] * width) / size[0]}`}
          role="img"
          aria-label={formatCount(boxes.length, "box", "boxes")}
        >
          {boxes.map(({ box: [x, y, w, h], about }, index) => (
            <g key={index} class="box">
              <title>{about}</title>
              <rect x={x} y={y} width={w} height={h} />
              <text x={x} y={Math.max(y - width / 200, width / 45)} font-size={width / 45}>
                {about}
              </text>
            </g>
          ))}
        </svg>
      )}
    </figure>
  );
}

/** `[x, y, w, h, label?, confidence?, kind?]`; what is none is left out. */
function boxesOf(told: unknown): Array<{ box: readonly [number, number, number, number]; about: string }> {
  return (Array.isArray(told) ? told : []).slice(0, 500).flatMap((each: unknown) => {
    const [x, y, w, h, label, confidence, kind] = Array.isArray(each) ? each : [];
    const box = [x, y, w, h] as const;
    if (!box.every((side) => typeof side === "number" && Number.isFinite(side)) || w < 0 || h < 0) return [];
    const sure = typeof confidence === "number" ? `${Math.round(confidence * 100)} %` : "";
    return [{ box, about: [kind, label, sure].filter((word) => typeof word === "string" && word).join(" ") }];
  });
}
