// The keyboard: what each key does and what `?` says of it, in one table.

import type { UiState } from "../ui/state.ts";
import { ModalDialog } from "../ui/dialog.tsx";
import { PLAYBACK_SPEEDS } from "../ui/navigation.ts";
import type { JointPlayer } from "./joint-player.ts";

type Command = (joint: JointPlayer, ui: UiState) => void;

const by =
  (ms: number): Command =>
  (joint) =>
    void joint.seek(joint.time + ms);

const speed =
  (change: 1 | -1): Command =>
  (joint) => {
    const index = PLAYBACK_SPEEDS.indexOf(joint.clock.speed as (typeof PLAYBACK_SPEEDS)[number]) + change;
    joint.clock.speed = PLAYBACK_SPEEDS[Math.min(PLAYBACK_SPEEDS.length - 1, Math.max(0, index))] ?? 1;
    joint.changed();
  };

const KEYS: ReadonlyArray<
  readonly [help: string, shown: readonly string[], commands: Readonly<Record<string, Command>>]
> = [
  ["play or pause both", ["Space"], { " ": (joint) => (joint.clock.playing ? joint.pause() : joint.play()) }],
  ["the difference after, before", ["N", "P"], { n: (joint) => joint.step(1), p: (joint) => joint.step(-1) }],
  [
    "where they part",
    ["D"],
    {
      d: (joint) => {
        if (joint.told.divergence) void joint.choose(joint.told.divergence.difference);
      },
    },
  ],
  ["a second back or on", ["\u2190", "\u2192"], { ArrowLeft: by(-1000), ArrowRight: by(1000) }],
  [
    "the step before, after",
    ["\u2191", "\u2193"],
    { ArrowUp: (joint) => joint.goToStep(-1), ArrowDown: (joint) => joint.goToStep(1) },
  ],
  [
    "the beginning, the end",
    ["Home", "End"],
    { Home: (joint) => void joint.seek(0), End: (joint) => void joint.seek(joint.duration) },
  ],
  ["faster or slower", ["+", "\u2212"], { "+": speed(1), "=": speed(1), "-": speed(-1) }],
  [
    "skip what is idle in both, or not",
    ["S"],
    {
      s: (joint) => {
        joint.clock.skipIdle = !joint.clock.skipIdle;
        joint.changed();
      },
    },
  ],
  ["this list", ["?"], { "?": (_, ui) => ui.set({ dialog: ui.dialog ? "" : "keys" }) }],
];

const COMMANDS: Readonly<Record<string, Command>> = Object.assign({}, ...KEYS.map(([, , commands]) => commands));

/** Handles a key press anywhere in the window. Returns whether the key has a function in the comparison. */
export function handleComparisonKey(joint: JointPlayer, ui: UiState, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target as Element | null;
  const { key } = event;
  if (target?.closest("input, textarea, select") || (ui.dialog && key !== "?")) return false;
  if (key === " " && target?.closest("button")) return false;
  // What a slider's keys do, they do to the time.
  const slider = target?.getAttribute("role") === "slider";
  if (slider && /^Arrow(Up|Down)$/.test(key)) {
    by(key === "ArrowUp" ? 1000 : -1000)(joint, ui);
    return true;
  }
  // A list that is scrolled by keys goes on to be.
  if (/^(Arrow|Home|End)/.test(key) && target?.closest(".list")) return false;
  const command = COMMANDS[key.length === 1 ? key.toLowerCase() : key];
  command?.(joint, ui);
  return command !== undefined;
}

/** The dialog that lists the keys of the comparison. */
export function ComparisonHelp() {
  return (
    <ModalDialog title="Keyboard shortcuts">
      <dl class="keys">
        {KEYS.map(([help, shown]) => (
          <div key={help}>
            <dt>
              {shown.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{help}</dd>
          </div>
        ))}
      </dl>
    </ModalDialog>
  );
}
