import type { Player } from "../player.ts";
import { type Desk, TABS } from "./desk.ts";
import { need } from "../need.ts";
import { momentLink } from "../fragment.ts";

export const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;

export function goToStep(player: Player, direction: 1 | -1): void {
  const { steps } = player.story;
  const target =
    direction > 0
      ? steps.find((step) => step.time > player.time + 1)
      : steps.findLast((step) => step.time < player.time - 1);
  void player.seek(target?.time ?? (direction > 0 ? player.duration : 0));
}

/** The first thing that went wrong: a step that failed, an error in the page. */
export function firstFailure(player: Player): number | undefined {
  const step = player.story.steps.find((item) => item.success === false);
  const failed = step && player.story.steps.find((item) => item.parent === step.id && item.success === false);
  const found = failed ?? step;
  if (found) return found.time + found.duration;
  return player.story.errors[0]?.t;
}

function goTo(player: Player, moments: readonly number[], direction: number): void {
  const target =
    direction > 0 ? moments.find((moment) => moment > player.time) : moments.findLast((moment) => moment < player.time);
  if (target !== undefined) void player.seek(target);
}

/** The moments around the step in use: before it, at its last action, after it. */
export function stepMoments(player: Player): readonly [before: number, action: number, after: number] | undefined {
  const step = player.story.stepAt(player.time);
  if (!step) return undefined;
  const end = step.time + step.duration;
  const call = step.items.findLast((item) => item.kind === "call");
  // A step begins and ends between changes: what came with it lies after its beginning.
  return [step.time, call ? Math.min(end, call.time + Number(call.event.duration ?? 0)) : (step.time + end) / 2, end];
}

export function setSpeed(player: Player, change: 1 | -1): void {
  const index = SPEEDS.indexOf(player.clock.speed as (typeof SPEEDS)[number]) + change;
  player.clock.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, index))] ?? 1;
  player.changed();
}

export function setLoop(player: Player, edge: "from" | "to" | "off"): void {
  const [from, to] = player.clock.loop ?? [0, player.duration];
  const { time } = player;
  if (edge === "off") player.clock.loop = null;
  else if (edge === "from") player.clock.loop = [time, to > time ? to : player.duration];
  else player.clock.loop = [from < time ? from : 0, time];
  player.changed();
}

export function copy(desk: Desk, what: string, text: string): void {
  const done = (): void => desk.say(`${what} copied`);
  const fallback = (): void => {
    // Without permission, from a file or a sandboxed frame, a selection can still be copied.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (copied) done();
    else desk.say("The browser does not allow copying");
  };
  if (navigator.clipboard) void navigator.clipboard.writeText(text).then(done, fallback);
  else fallback();
}

export function copyLink(desk: Desk): void {
  const link = momentLink(desk.player.time, desk.player.chosenPage);
  history.replaceState(null, "", `#${link.split("#")[1]}`);
  copy(desk, "Link", link);
}

type Command = (desk: Desk, event: KeyboardEvent) => void;

const second =
  (direction: 1 | -1): Command =>
  ({ player }, event) => {
    if (event.shiftKey) goTo(player, player.recording.moments(), direction);
    else void player.seek(Math.min(player.duration, Math.max(0, player.time + direction * 1000)));
  };
const change =
  (direction: 1 | -1): Command =>
  ({ player }) =>
    goTo(player, player.recording.moments(), direction);
const action =
  (direction: 1 | -1): Command =>
  ({ player }) =>
    goTo(
      player,
      player.story.actions.map((item) => item.time),
      direction,
    );
const moment =
  (index: 0 | 1 | 2): Command =>
  ({ player }) => {
    const moments = stepMoments(player);
    if (moments) void player.seek(moments[index]);
  };

const COMMANDS: Readonly<Record<string, Command>> = {
  " ": ({ player }) => (player.clock.playing ? player.pause() : player.play()),
  ArrowLeft: second(-1),
  ArrowRight: second(1),
  ",": change(-1),
  ".": change(1),
  j: action(-1),
  k: action(1),
  ArrowUp: ({ player }, event) => goToStep(player, isSlider(event) ? 1 : -1),
  ArrowDown: ({ player }, event) => goToStep(player, isSlider(event) ? -1 : 1),
  Home: ({ player }) => void player.seek(0),
  End: ({ player }) => void player.seek(player.duration),
  "+": ({ player }) => setSpeed(player, 1),
  "=": ({ player }) => setSpeed(player, 1),
  "-": ({ player }) => setSpeed(player, -1),
  s: ({ player }) => {
    player.clock.skipIdle = !player.clock.skipIdle;
    player.changed();
  },
  e: ({ player }) => {
    const t = firstFailure(player);
    if (t !== undefined) void player.seek(t);
  },
  b: moment(0),
  a: moment(1),
  n: moment(2),
  v: (desk) => desk.set({ compare: desk.compare === null ? 0.5 : null }),
  "[": ({ player }) => setLoop(player, "from"),
  "]": ({ player }) => setLoop(player, "to"),
  "\\": ({ player }) => setLoop(player, "off"),
  z: (desk) => desk.zoom(0.5, desk.player.time),
  x: (desk) => desk.zoom(2, desk.player.time),
  "/": (desk) => desk.set({ searching: true }),
  i: (desk) => desk.set({ picking: !desk.picking, tab: "DOM" }),
  m: (desk) => copy(desk, "Markdown", need("panels").asMarkdown(desk.player)),
  l: copyLink,
  t: (desk) => desk.set({ dialog: "take" }),
  "?": (desk) => desk.set({ dialog: desk.dialog === "keys" ? "" : "keys" }),
  Escape: (desk) => desk.set({ dialog: "", picking: false, compare: null, searching: false }),
};

function isSlider(event: KeyboardEvent): boolean {
  return (event.target as Element | null)?.getAttribute("role") === "slider";
}

/** Handles a key of the whole window. Returns whether it was one of ours. */
export function handleKey(desk: Desk, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target as Element | null;
  const { key } = event;
  if (key !== "Escape") {
    if (target?.closest("input, textarea, select, [contenteditable], [role=tree]")) return false;
    if (desk.dialog && key !== "?") return false;
    if (target?.closest("[role=tablist]") && key.startsWith("Arrow")) return false;
    if (key === " " && target?.closest("button, summary, a")) return false;
  }
  const tab = TABS[Number(key) - 1];
  if (/^[1-9]$/.test(key) && tab) {
    desk.set({ tab });
    return true;
  }
  const command = COMMANDS[key.length === 1 ? key.toLowerCase() : key];
  command?.(desk, event);
  return command !== undefined;
}
