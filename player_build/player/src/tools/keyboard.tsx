// The keyboard: what each key does and what `?` says of it, in one table.

import { loadScript } from "../script-loading.ts";
import type { Player } from "../player.ts";
import type { UiState } from "../ui/state.ts";
import { ModalDialog } from "../ui/dialog.tsx";
import { goToStep, findFirstFailureTime, PLAYBACK_SPEEDS, getStepMoments } from "../ui/navigation.ts";

type Command = (ui: UiState, event: KeyboardEvent) => void;

function goTo(player: Player, moments: readonly number[], direction: number): void {
  const target =
    direction > 0 ? moments.find((moment) => moment > player.time) : moments.findLast((moment) => moment < player.time);
  if (target !== undefined) void player.seek(target);
}

const speed =
  (change: 1 | -1): Command =>
  ({ player }) => {
    const index = PLAYBACK_SPEEDS.indexOf(player.clock.speed as (typeof PLAYBACK_SPEEDS)[number]) + change;
    player.clock.speed = PLAYBACK_SPEEDS[Math.min(PLAYBACK_SPEEDS.length - 1, Math.max(0, index))] ?? 1;
    player.changed();
  };

const loop =
  (edge: "from" | "to" | "off"): Command =>
  ({ player }) => {
    const [from, to] = player.clock.loop ?? [0, player.duration];
    const { time } = player;
    if (edge === "off") player.clock.loop = null;
    else if (edge === "from") player.clock.loop = [time, to > time ? to : player.duration];
    else player.clock.loop = [from < time ? from : 0, time];
    player.changed();
  };

const second =
  (direction: 1 | -1): Command =>
  ({ player }, event) => {
    if (event.shiftKey) goTo(player, player.recording.moments(), direction);
    else void player.seek(Math.min(player.duration, Math.max(0, player.time + direction * 1000)));
  };
const change =
  (direction: 1 | -1): Command =>
  ({ player }) =>
    goTo(
      player,
      player.track === "screens" ? player.story.screens.map(({ t }) => t) : player.recording.moments(),
      direction,
    );
const action =
  (direction: 1 | -1): Command =>
  ({ player }) =>
    goTo(
      player,
      player.track === "screens"
        ? player.story.screens.flatMap(({ t, action: done }) => (done ? [t] : []))
        : player.story.actions.map((item) => item.time),
      direction,
    );
const moment =
  (index: 0 | 1 | 2): Command =>
  ({ player }) => {
    const moments = getStepMoments(player);
    if (moments) void player.seek(moments[index]);
  };

/** What the help says, and the keys that do it. */
const KEYS: ReadonlyArray<readonly [help: string, commands: Readonly<Record<string, Command>>]> = [
  ["play or pause", { " ": ({ player }) => (player.playing ? player.pause() : player.play()) }],
  ["a second back or on", { ArrowLeft: second(-1), ArrowRight: second(1) }],
  ["to the change before or after", { ",": change(-1), ".": change(1) }],
  ["to the action before or after", { j: action(-1), k: action(1) }],
  [
    "to the step before or after",
    {
      ArrowUp: ({ player }, event) => goToStep(player, isSlider(event) ? 1 : -1),
      ArrowDown: ({ player }, event) => goToStep(player, isSlider(event) ? -1 : 1),
    },
  ],
  [
    "to the beginning or the end",
    { Home: ({ player }) => void player.seek(0), End: ({ player }) => void player.seek(player.duration) },
  ],
  ["faster or slower", { "+": speed(1), "=": speed(1), "-": speed(-1) }],
  [
    "skip idle spans or not",
    {
      s: ({ player }) => {
        player.clock.skipIdle = !player.clock.skipIdle;
        player.changed();
      },
    },
  ],
  [
    "to the first failure",
    {
      e: ({ player }) => {
        const t = findFirstFailureTime(player);
        if (t !== undefined) void player.seek(t);
      },
    },
  ],
  ["before the step, at its action, after it", { b: moment(0), a: moment(1), n: moment(2) }],
  ["before and after, one over the other", { v: (ui) => ui.set({ compare: ui.compare === null ? 0.5 : null }) }],
  ["loop: from here, to here, off", { "[": loop("from"), "]": loop("to"), "\\": loop("off") }],
  ["timeline: closer, farther", { z: (ui) => ui.zoom(0.5, ui.player.time), x: (ui) => ui.zoom(2, ui.player.time) }],
  ["search", { "/": (ui) => ui.set({ searching: true }) }],
  ["pick an element of the page", { i: (ui) => ui.set({ picking: !ui.picking, tab: "DOM" }) }],
  [
    "copy this moment as Markdown, as a link",
    { m: (ui) => loadScript("export").copyMarkdown?.(ui), l: (ui) => loadScript("export").copyLink?.(ui) },
  ],
  ["export", { t: (ui) => ui.set({ dialog: "export" }) }],
  ["this list", { "?": (ui) => ui.set({ dialog: ui.dialog === "keys" ? "" : "keys" }) }],
  ["", { Escape: (ui) => ui.set({ dialog: "", picking: false, compare: null, searching: false }) }],
];

const COMMANDS: Readonly<Record<string, Command>> = Object.assign({}, ...KEYS.map(([, commands]) => commands));

/** How a key is written where its name is not what stands on it; not at all where another does the same. */
const WRITTEN: Readonly<Record<string, string>> = {
  " ": "Space",
  ArrowLeft: "\u2190",
  ArrowRight: "\u2192",
  ArrowUp: "\u2191",
  ArrowDown: "\u2193",
  Home: "Home",
  End: "End",
  "=": "",
  "-": "\u2212",
};

function isSlider(event: KeyboardEvent): boolean {
  return (event.target as Element | null)?.getAttribute("role") === "slider";
}

/** Handles a key press anywhere in the window. Returns whether the key has a function in the player. */
export function handlePlayerKey(ui: UiState, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target as Element | null;
  const { key } = event;
  if (key !== "Escape") {
    if (target?.closest("input, textarea, select, [contenteditable], [role=tree]")) return false;
    if (ui.dialog && key !== "?") return false;
    if (target?.closest("[role=tablist]") && key.startsWith("Arrow")) return false;
    if (key === " " && target?.closest("button, summary, a")) return false;
  }
  const panel = loadScript("panels").PANELS?.find((entry) => entry.key === key);
  if (panel) {
    ui.set({ tab: panel.name });
    return true;
  }
  const command = COMMANDS[key.length === 1 ? key.toLowerCase() : key];
  command?.(ui, event);
  return command !== undefined;
}

/** The dialog that lists all keys of the player. */
export function KeyboardHelp() {
  const panels = loadScript("panels").PANELS ?? [];
  const rows = KEYS.flatMap(([help, commands]) => {
    const keys = Object.keys(commands).map((key) => WRITTEN[key] ?? key.toUpperCase());
    return help ? [[keys.filter(Boolean), help] as const] : [];
  });
  const [first, last] = [panels[0], panels.at(-1)];
  if (first && last) {
    const names = panels.slice(0, 3).map(({ name }) => name);
    rows.splice(-1, 0, [[first.key, "\u2026", last.key], `${names.join(", ")} \u2026 ${last.name}`]);
  }
  return (
    <ModalDialog title="Keyboard shortcuts">
      <div>
        <dl class="keys">
          {rows.map(([keys, help]) => (
            <div key={help}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{help}</dd>
            </div>
          ))}
        </dl>
        <p>
          <small>
            Timeline: turn the wheel to zoom, with Shift to move; drag with Shift to loop; press twice to see all.
          </small>
        </p>
      </div>
    </ModalDialog>
  );
}
