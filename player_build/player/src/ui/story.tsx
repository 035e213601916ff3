import { useEffect, useRef } from "preact/hooks";
import type { Item, Step } from "../history/story.ts";
import { clockTime, money, readable, span } from "./format.ts";
import { usePlayer, useValue } from "./hooks.ts";
import { Icon } from "./icons.tsx";

/** The agent's steps with what it thought, called and paid; follows the time. */
export function StoryPanel() {
  const player = usePlayer();
  const known = useValue((of) => of.story.steps.length);
  const current = useValue((of) => of.story.stepAt(of.time)?.id ?? 0);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>("[aria-current]");
    const panel = row?.closest<HTMLElement>(".panel");
    if (!row || !panel) return;
    const top = row.offsetTop - panel.offsetTop;
    if (top < panel.scrollTop || top + Math.min(row.offsetHeight, 120) > panel.scrollTop + panel.clientHeight)
      panel.scrollTo({ top: top - 8 });
  }, [current]);
  if (!known)
    return (
      <p class="empty">The agent named no steps. Marks, console and network are on the timeline and in the tabs.</p>
    );
  return (
    <ol class="story" ref={list}>
      {player.story.steps.map((step) => (
        <StepRow key={step.id} step={step} current={step.id === current} />
      ))}
    </ol>
  );
}

function StepRow({ step, current }: { step: Step; current: boolean }) {
  const player = usePlayer();
  const state = step.success === false ? "failed" : step.success ? "done" : step.closed ? "ended" : "open";
  const words = { failed: "failed", done: "succeeded", ended: "ended", open: "never ended" }[state];
  return (
    <li class={`step ${state}`} style={{ "--depth": `${step.depth}` }} aria-current={current ? "step" : undefined}>
      <button type="button" class="head" onClick={() => void player.seek({ step: step.id })}>
        <span class="state" title={words}>
          {state === "done" && <Icon name="check" />}
          {state === "failed" && <Icon name="cross" />}
          <span class="visually-hidden">{words}:</span>
        </span>
        <span class="title">{step.title}</span>
        <span class="when">
          {clockTime(step.time)}
          <small>{span(step.duration)}</small>
        </span>
      </button>
      {step.reasoning && <p class="reasoning">{step.reasoning}</p>}
      {step.items.length > 0 && (
        <ul class="items">
          {step.items.map((item) => (
            <ItemRow key={`${item.kind}${item.id}`} item={item} />
          ))}
        </ul>
      )}
      {step.error && <p class="outcome failed">{step.error}</p>}
      {step.message && <p class="outcome">{step.message}</p>}
    </li>
  );
}

function ItemRow({ item }: { item: Item }) {
  const player = usePlayer();
  const { event } = item;
  const field = event as Record<string, unknown>;
  const go = () => void player.seek(item.time);
  const error = item.result?.error ?? field.error;
  const line = describe(item);
  const details = detailsOf(item);
  return (
    <li class={`item ${item.kind} ${error ? "failed" : ""}`}>
      <button type="button" onClick={go} title={clockTime(item.time)}>
        <span class="kind">{KIND[item.kind]}</span>
        <span class="what">{line.what}</span>
        <span class="figures">{line.figures}</span>
      </button>
      {Boolean(error) && <p class="outcome failed">{readable(error)}</p>}
      {item.kind === "screenshot" && <Screenshot item={item} />}
      {details.length > 0 && (
        <details>
          <summary>{details.map(([name]) => name).join(", ")}</summary>
          {details.map(([name, text]) => (
            <div key={name}>
              <h3>{name}</h3>
              <pre>{text}</pre>
            </div>
          ))}
        </details>
      )}
    </li>
  );
}

const KIND: Readonly<Record<Item["kind"], string>> = {
  llm: "model",
  tool: "tool",
  call: "action",
  memory: "memory",
  note: "note",
  screenshot: "picture",
  error: "error",
  dialog: "dialog",
  mark: "mark",
};

function describe(item: Item): { what: string; figures: string } {
  const event = item.event as Record<string, unknown>;
  const duration = Number(event.duration ?? item.result?.duration ?? Number.NaN);
  const time = Number.isFinite(duration) ? span(duration) : "";
  switch (item.kind) {
    case "llm": {
      const tokens = [event.input_tokens, event.output_tokens].map((n) =>
        typeof n === "number" ? n.toLocaleString("en") : "?",
      );
      const cost = typeof event.cost_usd === "number" ? money(event.cost_usd) : "";
      return {
        what: String(event.model ?? "model"),
        figures: [`${tokens.join(" \u2192 ")} tokens`, cost, time].filter(Boolean).join(" \u00b7 "),
      };
    }
    case "tool":
      return { what: String(event.name ?? ""), figures: time };
    case "call": {
      const locator = event.locator ? ` ${event.locator}` : "";
      return { what: `${event.title ?? event.method ?? ""}${locator}`, figures: time };
    }
    case "memory":
      return { what: `${event.op ?? ""} ${event.key ?? ""}`, figures: "" };
    case "note":
      return { what: String(event.text ?? ""), figures: "" };
    case "screenshot":
      return { what: String(event.label ?? ""), figures: "" };
    default:
      return { what: "", figures: "" };
  }
}

function detailsOf(item: Item): Array<readonly [string, string]> {
  const event = item.event as Record<string, unknown>;
  const wanted: Array<readonly [string, unknown]> =
    item.kind === "llm"
      ? [
          ["Prompt", event.prompt],
          ["Response", event.response],
        ]
      : item.kind === "tool"
        ? [
            ["Arguments", event.arguments],
            ["Result", item.result?.result],
          ]
        : item.kind === "call"
          ? [
              ["Parameters", event.params],
              ["Source", event.source],
            ]
          : item.kind === "memory"
            ? [["Value", event.value]]
            : [];
  return wanted
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, readable(value)] as const);
}

function Screenshot({ item }: { item: Item }) {
  const src = useValue((player) => player.resources.fill(String(item.event.body ?? "")) ?? "");
  return src.startsWith("blob:") ? <img src={src} alt={`What was seen: ${String(item.event.label ?? "")}`} /> : null;
}
