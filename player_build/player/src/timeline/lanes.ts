// What the timeline shows: lanes of spans and points, drawn on a canvas, so that twenty thousand of them cost no more than twenty.

import type { Player } from "../player.ts";
import { type AgentStyle, getAgentName, collectAgents, formatMessageDirection } from "../history/agents.ts";
import { getRequestEndTime, type Step } from "../history/story.ts";
import { loadScript } from "../script-loading.ts";
import { formatDuration } from "../ui/format.ts";
import { formatTickLabel, type TimelineScale } from "./scale.ts";

/** An entry of a lane, from one time to another (ms), with its colour and label. */
export interface LaneEntry {
  readonly from: number;
  readonly to: number;
  /** A name of a colour of the style sheet. */
  readonly colour: string;
  readonly label: string;
  /** Rows down within its lane. */
  readonly row?: number;
}

/** A lane of the timeline: a row for one kind of entries, or for one agent. */
export interface TimelineLane {
  readonly name: string;
  /** The agent whose steps these are, where there are several. */
  readonly agent?: string;
  readonly look?: AgentStyle;
  readonly entries: readonly LaneEntry[];
  readonly rows: number;
}

/** The height of a row in a lane, in px. */
export const ROW_HEIGHT = 9;
/** Room above the lanes, for the ruler (px). */
const RULER = 14;
/** Room that the name of a moment takes on the ruler (px). */
const NAMED = 70;

/** A message between agents, drawn as an arrow from the sender's lane to the receivers' lanes. */
export interface MessageArrow {
  readonly t: number;
  readonly from: number;
  /** The lanes that it goes to. */
  readonly to: readonly number[];
  readonly label: string;
}

/** Returns the lanes of the timeline that have entries. */
export function buildLanes(player: Player): TimelineLane[] {
  const { story, recording } = player;
  const agents = collectAgents(story, player.index.info.agent);
  const point = (t: number, colour: string, label: string): LaneEntry => ({ from: t, to: t, colour, label });
  const colourOf = (name: string, without: string): string => agents.get(name)?.colour ?? without;
  const said = (name: string): string => (agents.size && name ? `${name}: ` : "");
  const lanes: TimelineLane[] = [
    ...stepsOf(story.steps, agents),
    {
      name: "Actions",
      rows: 1,
      entries: story.actions.map((item) => ({
        from: item.time,
        to: item.time + Number(item.event.duration ?? 0),
        colour: item.event.error ? "bad" : colourOf(getAgentName(item), agents.size ? "strong" : "accent"),
        label: `${said(getAgentName(item))}${item.event.title ?? item.event.method} ${item.event.locator ?? ""}`,
      })),
    },
    {
      name: "Pages",
      rows: 1,
      entries: [...recording.pages.values()].flatMap((logs) =>
        logs.flatMap((log) => log.urls.map(({ t, url }) => point(t, "soft", url))),
      ),
    },
    {
      name: "Screens",
      rows: 1,
      entries: story.screens
        .filter(({ action, parts }) => action || parts)
        .map(({ t, action, window }) =>
          point(
            t,
            action ? "accent" : "soft",
            loadScript("screens").formatScreenAction?.(action) || String(window ?? "screen"),
          ),
        ),
    },
    {
      name: "Model",
      rows: 1,
      entries: story.models.map((item) => {
        const duration = Number(item.event.duration ?? 0);
        // A model call is told when its answer is there.
        return {
          from: item.time - duration,
          to: item.time,
          colour: colourOf(getAgentName(item), "model"),
          label: `${said(getAgentName(item))}${item.event.model ?? "model"}`,
        };
      }),
    },
    {
      name: "Network",
      rows: 1,
      entries: story.network.map((entry) => ({
        from: entry.request.t,
        to: getRequestEndTime(entry),
        colour: entry.failed ? "bad" : "network",
        label: `${entry.request.method} ${entry.request.url}`,
      })),
    },
    {
      name: "Console",
      rows: 1,
      entries: story.console.map((entry) =>
        point(
          entry.t,
          entry.k === "error" || entry.level === "error" ? "bad" : entry.level === "warning" ? "warn" : "strong",
          String(entry.text ?? entry.message ?? ""),
        ),
      ),
    },
  ];
  return lanes.filter((lane) => lane.entries.length > 0 || lane.look);
}

/** The steps: one lane, or one for each of several agents, also for those that were only spoken to. */
function stepsOf(steps: readonly Step[], agents: ReadonlyMap<string, AgentStyle>): TimelineLane[] {
  const lane = (name: string, all: readonly Step[], look?: AgentStyle): TimelineLane => {
    const highest = Math.min(...all.map((step) => step.depth));
    const row = (step: Step): number => Math.min(2, step.depth - highest);
    return {
      name,
      rows: Math.max(0, ...all.map(row)) + 1,
      entries: all.map((step) => ({
        from: step.time,
        to: step.time + step.duration,
        colour: step.success === false ? "bad" : (look?.colour ?? (step.success ? "good-mid" : "strong")),
        label: `${look ? `${look.name}: ` : ""}${step.number}. ${step.title}`,
        row: row(step),
      })),
    };
  };
  if (!agents.size) return [lane("Steps", steps)];
  return [...agents].map(([agent, look]) => ({
    ...lane(
      look.name,
      steps.filter((step) => step.agent === agent),
      look,
    ),
    agent,
    look,
  }));
}

/** Returns the arrows for messages between agents that have lanes. */
export function buildMessageArrows({ story }: Player, lanes: readonly TimelineLane[]): MessageArrow[] {
  const place = new Map(lanes.flatMap((lane, index) => (lane.look ? [[lane.agent as string, index] as const] : [])));
  return story.items.flatMap((item) => {
    const from = place.get(getAgentName(item));
    if (item.kind !== "agent_message" || from === undefined) return [];
    const one = place.get(String(item.event.to ?? ""));
    const to = item.event.to ? [one ?? from] : [...place.values()];
    return [
      {
        t: item.time,
        from,
        to: to.filter((lane) => lane !== from),
        label: `${formatMessageDirection(item)}: ${item.event.text}`,
      },
    ];
  });
}

/** Returns the upper edge of each lane, in px from the top of the timeline, and the height of all lanes. */
export function computeLaneTops(lanes: readonly TimelineLane[]): { tops: number[]; height: number } {
  const result: number[] = [];
  let y = RULER + 2;
  for (const lane of lanes) {
    result.push(y);
    y += lane.rows * ROW_HEIGHT + 5;
  }
  return { tops: result, height: Math.max(RULER + 24, y + 1) };
}

/** Draws the lanes of a time range (ms) on the timeline's canvas. */
export function drawLanes(
  canvas: HTMLCanvasElement,
  player: Player,
  lanes: readonly TimelineLane[],
  range: readonly [number, number],
  scale: TimelineScale,
  hits: readonly number[],
  arrows: readonly MessageArrow[] = [],
): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext("2d");
  if (!pen || width === 0) return;
  pen.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  const colours = new Map<string, string>();
  const colour = (name: string): string => {
    const value = colours.get(name) ?? style.getPropertyValue(`--${name}`);
    colours.set(name, value);
    return value;
  };
  const [from, to] = range;
  const x = (t: number): number => scale.place(t, range) * width;
  pen.strokeStyle = colour("line");
  drawRuler(pen, scale, range, width, height, colour("soft"));
  for (const [begin, end] of player.index.idle) {
    pen.save();
    pen.beginPath();
    pen.rect(x(begin), RULER, x(end) - x(begin), height);
    pen.clip();
    pen.beginPath();
    for (let at = x(begin) - height; at < x(end); at += 7) {
      pen.moveTo(at, height);
      pen.lineTo(at + height, 0);
    }
    pen.stroke();
    pen.restore();
  }
  const { tops: y } = computeLaneTops(lanes);
  lanes.forEach((lane, index) => {
    const top = y[index] as number;
    for (const entry of lane.entries) {
      if (entry.to < from || entry.from > to) continue;
      const left = x(entry.from);
      const wide = Math.max(2.5, x(entry.to) - left - 1);
      pen.fillStyle = colour(entry.colour);
      pen.globalAlpha = lane.name === "Network" && entry.colour !== "bad" ? 0.55 : 1;
      pen.beginPath();
      pen.roundRect?.(left, top + (entry.row ?? 0) * ROW_HEIGHT, wide, ROW_HEIGHT - 1.5, 2);
      pen.fill();
    }
  });
  pen.globalAlpha = 1;
  drawArrows(pen, arrows, middles(lanes), x, colour("ink"));
  for (const gap of player.story.gaps) {
    pen.fillStyle = colour("warn");
    for (let at = 0; at < height; at += 6) pen.fillRect(x(gap.t) - 1, at, 2, 3);
  }
  for (const t of hits) {
    pen.fillStyle = colour("accent");
    pen.beginPath();
    pen.arc(x(t), height - 4, 3, 0, 7);
    pen.fill();
  }
  for (const { time } of player.story.marks) {
    pen.fillStyle = colour("warn");
    pen.beginPath();
    pen.moveTo(x(time) - 5, RULER - 6);
    pen.lineTo(x(time) + 5, RULER - 6);
    pen.lineTo(x(time), RULER + 1);
    pen.fill();
  }
  const { loop } = player.clock;
  if (loop) {
    pen.fillStyle = colour("accent");
    pen.globalAlpha = 0.16;
    pen.fillRect(x(loop[0]), 0, x(loop[1]) - x(loop[0]), height);
    pen.globalAlpha = 1;
    for (const edge of loop) pen.fillRect(x(edge) - 1, 0, 2, height);
  }
}

/** The clock above the lanes, and how long what is folded lasted. */
function drawRuler(
  pen: CanvasRenderingContext2D,
  scale: TimelineScale,
  range: readonly [number, number],
  width: number,
  height: number,
  colour: string,
): void {
  const marks = scale.marks(range, Math.max(2, Math.floor(width / NAMED)));
  const tenths = marks.some((t) => t % 1000);
  const x = (t: number): number => scale.place(t, range) * width;
  pen.font = "10px ui-monospace, monospace";
  const words = (text: string, at: number): boolean => {
    const wide = pen.measureText(text).width;
    if (at < 0 || at + wide > width) return false;
    pen.fillText(text, at, RULER - 4);
    return true;
  };
  pen.fillStyle = colour;
  const taken: [number, number][] = [];
  for (const [from, to] of scale.folded) {
    const text = idleText([from, to]);
    const wide = pen.measureText(text).width;
    const at = (x(from) + x(to) - wide) / 2;
    if (taken.some(([begin, end]) => at < end + 6 && at + wide > begin - 6)) continue;
    if (words(text, at)) taken.push([at, at + wide]);
  }
  for (const t of marks) {
    const at = x(t);
    pen.globalAlpha = 0.25;
    pen.fillRect(at, RULER, 1, height);
    pen.globalAlpha = 1;
    const text = formatTickLabel(t, tenths);
    const end = at + 3 + pen.measureText(text).width;
    if (!taken.some(([begin, other]) => at < other + 6 && end > begin - 6)) words(text, at + 3);
  }
}

/** Where the middle of each lane's first row is, px from the top. */
function middles(lanes: readonly TimelineLane[]): number[] {
  return computeLaneTops(lanes).tops.map((top) => top + ROW_HEIGHT / 2 - 1);
}

function drawArrows(
  pen: CanvasRenderingContext2D,
  arrows: readonly MessageArrow[],
  y: readonly number[],
  x: (t: number) => number,
  colour: string,
): void {
  pen.fillStyle = pen.strokeStyle = colour;
  for (const { t, from, to } of arrows) {
    const at = x(t);
    const begin = y[from] as number;
    pen.beginPath();
    pen.arc(at, begin, 2.5, 0, 7);
    pen.fill();
    for (const lane of to) {
      const end = y[lane] as number;
      const back = end > begin ? -6 : 6;
      pen.beginPath();
      pen.moveTo(at, begin);
      pen.lineTo(at, end + back);
      pen.stroke();
      pen.beginPath();
      pen.moveTo(at, end);
      pen.lineTo(at - 4, end + back);
      pen.lineTo(at + 4, end + back);
      pen.fill();
    }
  }
}

function idleText([from, to]: readonly [number, number]): string {
  return `idle ${formatDuration(to - from)}`;
}

/**
 * Returns a description of what the timeline shows at a point: `t` in ms, `y` in px. Entries at most `near` ms away
 * count as being there.
 */
export function describeTimelinePoint(
  player: Player,
  lanes: readonly TimelineLane[],
  arrows: readonly MessageArrow[],
  t: number,
  y: number,
  near: number,
): string {
  const close = (time: number): boolean => Math.abs(time - t) < near;
  const { tops: all } = computeLaneTops(lanes);
  const index = all.findLastIndex((top) => top <= y);
  const lane = lanes[index];
  const row = lane && lane.rows > 1 ? Math.floor((y - (all[index] as number)) / ROW_HEIGHT) : undefined;
  const arrow = arrows.find(({ t: told, from, to }) => {
    const ends = [from, ...to].map((lane) => all[lane] as number);
    return close(told) && y >= Math.min(...ends) && y <= Math.max(...ends) + ROW_HEIGHT;
  });
  const mark = y < RULER + 2 ? player.story.marks.find((item) => close(item.time)) : undefined;
  const gap = player.story.gaps.find((item) => close(item.t));
  const entry = lane?.entries.findLast(
    (item) => (row === undefined || item.row === row) && t >= item.from - near && t <= item.to + near,
  );
  const idle = player.index.idle.find(([from, to]) => t > from && t < to);
  return (
    (mark && `mark: ${mark.name}`) ||
    (gap && `not recorded: ${gap.reason ?? gap.what}`) ||
    arrow?.label ||
    entry?.label ||
    (idle && idleText(idle)) ||
    player.story.stepAt(t)?.title ||
    ""
  );
}
