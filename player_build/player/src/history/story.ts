// The agent's story: run events put together into steps with what belongs to each.

import type { PlayerEvent } from "../decode/events.ts";
import { findLastItemUntil } from "./time-search.ts";

/** An item of the story: a call, a model call, a note, an error or the like, with its time and the step around it. */
export interface StoryItem {
  readonly kind:
    | "llm"
    | "tool"
    | "call"
    | "memory"
    | "note"
    | "screenshot"
    | "error"
    | "dialog"
    | "mark"
    | "agent_message";
  readonly time: number;
  readonly id: number;
  readonly event: PlayerEvent;
  /** The answer to a tool call. */
  result?: PlayerEvent;
}

/** A step of the run, with its items. */
export interface Step {
  readonly id: number;
  /** Its place among the steps, from 1: what people call it. Ids are shared with calls and notes. */
  readonly number: number;
  readonly title: string;
  /** ms on the recording's clock. */
  readonly time: number;
  /** ms; to the recording's end while the step was never closed. */
  duration: number;
  readonly parent: number | null;
  readonly depth: number;
  readonly reasoning: string;
  /** Which of several agents it is; "": the run's own. */
  readonly agent: string;
  /** true, false, or null where nothing was said. */
  success: boolean | null;
  message: string;
  error: string;
  attributes: Record<string, unknown>;
  closed: boolean;
  readonly items: StoryItem[];
  /** Of the model calls in it and in the steps within: for those who take the steps along as JSON, or ask `window.pagereel`. */
  tokens: number;
  cost: number;
}

/** A mark: a moment that the script named. `time` is in ms. */
export interface Mark {
  readonly name: string;
  readonly time: number;
}

/** A request with its response, and for a WebSocket or an event stream its messages. */
export interface NetworkEntry {
  readonly index: number;
  readonly request: PlayerEvent;
  response?: PlayerEvent;
  failed: boolean;
  /** What went over it while it was open: a WebSocket's or an event stream's. */
  readonly messages: PlayerEvent[];
}

/** Returns the time, in ms, at which a request ended; the time at which it began if it has not ended. */
export function getRequestEndTime({ request, response }: NetworkEntry): number {
  const end = Number(response?.end ?? response?.t ?? request.t);
  return Math.max(request.t, Number.isFinite(end) ? end : request.t);
}

const ITEMS: Readonly<Record<string, StoryItem["kind"]>> = {
  llm: "llm",
  tool_call: "tool",
  call: "call",
  memory: "memory",
  note: "note",
  ask: "note",
  answer: "note",
  artifact: "note",
  score: "note",
  outcome: "note",
  version: "note",
  screenshot: "screenshot",
  agent_message: "agent_message",
};

/** What browsers ask for by themselves, an icon mostly: no page is worse for not having it. `reading/recorded_run.py` has the same. */
const BY_ITSELF = /^other .*(?:\.ico|icon[^/]*|com\.chrome\.devtools\.json)$/;

const GIVEN_UP = "net::ERR_ABORTED";

/** The events of a run as the panels show them: steps, items, marks, the console and the network. */
export class Story {
  readonly steps: Step[] = [];
  readonly marks: Mark[] = [];
  readonly console: PlayerEvent[] = [];
  readonly network: NetworkEntry[] = [];
  readonly errors: PlayerEvent[] = [];
  readonly gaps: PlayerEvent[] = [];
  readonly screens: PlayerEvent[] = [];
  /** All items, within steps and outside, in the order of time. */
  readonly items: StoryItem[] = [];
  /** What was told or done outside of all steps. */
  readonly loose: StoryItem[] = [];
  readonly actions: StoryItem[] = [];
  readonly models: StoryItem[] = [];
  /** What models were given, each message once, by its number: a call names those that it sent. */
  readonly said = new Map<number, PlayerEvent>();
  readonly #byId = new Map<number, Step>();
  readonly #calls = new Map<number, StoryItem>();
  readonly #requests = new Map<string, NetworkEntry>();
  readonly #open: Step[] = [];

  constructor(private readonly duration: number) {}

  add(events: readonly PlayerEvent[]): void {
    for (const event of events) this.#take(event);
  }

  /** The step that is under way at `t`: the innermost one, else the last that ended. */
  stepAt(t: number): Step | undefined {
    let found: Step | undefined;
    for (const step of this.steps) {
      if (step.time > t) break;
      if (!found || t <= step.time + step.duration || found.time + found.duration < t) found = step;
    }
    return found;
  }

  step(id: number): Step | undefined {
    return this.#byId.get(id);
  }

  /** What a model call was given. */
  promptOf({ event }: StoryItem): unknown {
    if (!Array.isArray(event.said) || event.prompt) return event.prompt;
    return event.said
      .flatMap((id: unknown) => this.said.get(int(id)) ?? [])
      .map(({ role, content }) => message(role, content));
  }

  /** The action that is under way at `t`, else the last one before. */
  callAt(t: number): StoryItem | undefined {
    return findLastItemUntil(this.actions, t, (item) => item.time);
  }

  #take(event: PlayerEvent): void {
    const item = ITEMS[event.k];
    if (item) {
      this.#place({ kind: item, time: event.t, id: int(event.id), event }, int(event.step));
      return;
    }
    switch (event.k) {
      case "step":
        this.#begin(event);
        return;
      case "step_end":
        this.#end(event);
        return;
      case "tool_result": {
        const call = this.#calls.get(int(event.call));
        if (call)
          call.result = event.said ? { ...event, result: within(this.said.get(int(event.said)), event.path) } : event;
        return;
      }
      case "said":
        this.said.set(int(event.id), event);
        return;
      case "screen":
        this.screens.push(event);
        if (event.action) this.#place({ kind: "note", time: event.t, id: int(event.id), event }, int(event.step));
        return;
      case "mark":
        this.marks.push({ name: String(event.name), time: event.t });
        return;
      case "console":
        this.console.push(event);
        return;
      case "error":
        this.errors.push(event);
        this.console.push(event);
        return;
      case "dialog":
      case "download":
        this.console.push(event);
        return;
      case "gap":
      case "unsupported":
        this.gaps.push(event);
        return;
      case "request": {
        const entry: NetworkEntry = { index: this.network.length, request: event, failed: false, messages: [] };
        this.#requests.set(String(event.id), entry);
        this.network.push(entry);
        return;
      }
      case "message": {
        this.#requests.get(String(event.id))?.messages.push(event);
        return;
      }
      case "response": {
        const entry = this.#requests.get(String(event.id));
        if (!entry) return;
        entry.response = event;
        // What the page itself gave up has not failed.
        entry.failed =
          ((event.error || GIVEN_UP) !== GIVEN_UP || int(event.status) >= 400) &&
          !BY_ITSELF.test(`${entry.request.type} ${entry.request.url}`);
      }
    }
  }

  #begin(event: PlayerEvent): void {
    const parent = this.#byId.get(int(event.parent));
    const step: Step = {
      id: int(event.id),
      number: this.steps.length + 1,
      title: String(event.title ?? ""),
      time: event.t,
      duration: Math.max(0, this.duration - event.t),
      parent: parent?.id ?? null,
      depth: parent ? parent.depth + 1 : 0,
      reasoning: text(event.reasoning),
      agent: text(event.agent),
      success: null,
      message: "",
      error: "",
      attributes: record(event.attributes),
      closed: false,
      items: [],
      tokens: 0,
      cost: 0,
    };
    this.steps.push(step);
    this.#byId.set(step.id, step);
    this.#open.push(step);
  }

  #end(event: PlayerEvent): void {
    const step = this.#byId.get(int(event.id));
    if (!step) return;
    step.duration = event.t - step.time;
    step.closed = true;
    step.success = typeof event.success === "boolean" ? event.success : null;
    step.message = text(event.message);
    step.error = text(event.error);
    step.attributes = { ...step.attributes, ...record(event.attributes) };
    const index = this.#open.indexOf(step);
    if (index >= 0) this.#open.splice(index, 1);
  }

  #place(item: StoryItem, stepId: number): void {
    const step = this.#byId.get(stepId) ?? this.#open.at(-1);
    this.items.push(item);
    if (item.kind === "tool") this.#calls.set(item.id, item);
    else if (item.kind === "call") this.actions.push(item);
    else if (item.kind === "llm") this.models.push(item);
    (step?.items ?? this.loose).push(item);
    if (item.kind !== "llm") return;
    for (let at: Step | undefined = step; at; at = at.parent === null ? undefined : this.#byId.get(at.parent)) {
      at.tokens += int(item.event.input_tokens) + int(item.event.output_tokens);
      at.cost += typeof item.event.cost_usd === "number" ? item.event.cost_usd : 0;
    }
  }
}

/** A message of any wire's form as one of role and content: what a tool gave is the tool's, and a tool that a model asked for the model's. */
function message(said: unknown, content: unknown): { role: string; content: unknown } {
  const { content: inner, parts, role: _, ...rest } = record(content);
  const blocks = inner ?? parts;
  const given =
    Array.isArray(blocks) &&
    blocks.length > 0 &&
    blocks.every((block) => block?.type === "tool_result" || block?.functionResponse);
  const kind = text(said);
  const role = given || kind.endsWith("_output") ? "tool" : /_call$|^reasoning$/.test(kind) ? "assistant" : kind;
  if (typeof content === "string" || Array.isArray(content)) return { role, content };
  const whole = Object.keys(rest).length && role !== "tool" ? { ...(inner ? { content: inner } : {}), ...rest } : inner;
  return { role, content: parts ?? whole ?? rest.output ?? "" };
}

/** What stands in a message at a path of keys and places. */
function within(said: PlayerEvent | undefined, path: unknown): unknown {
  return (Array.isArray(path) ? path : []).reduce(
    (value: unknown, step) => (value as Record<string, unknown> | null | undefined)?.[step],
    said?.content,
  );
}

function int(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
