import type { Player } from "../player.ts";

export const SHORTCUTS: ReadonlyArray<readonly [keys: string, what: string]> = [
  ["Space", "play or pause"],
  ["\u2190 \u2192", "a second back or on"],
  ["Shift \u2190 \u2192", "to the change before or after"],
  ["\u2191 \u2193", "to the step before or after"],
  ["Home End", "to the beginning or the end"],
  ["+ \u2212", "faster or slower"],
  ["E", "to the first failure"],
  ["?", "show or hide this list"],
];

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

function goToChange(player: Player, direction: 1 | -1): void {
  const moments = player.recording.moments();
  const target =
    direction > 0 ? moments.find((moment) => moment > player.time) : moments.findLast((moment) => moment < player.time);
  if (target !== undefined) void player.seek(target);
}

/** Handles a key of the whole window. Returns whether it was one of ours. */
export function handleKey(player: Player, event: KeyboardEvent, speeds: readonly number[], help: () => void): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target as Element | null;
  const slider = target?.getAttribute("role") === "slider";
  if (target?.closest("input, textarea, select, [contenteditable]")) return false;
  const inList = target?.closest("[role=tablist]") !== null && target !== null;
  switch (event.key) {
    case " ":
      if (target?.closest("button, summary, a")) return false;
      player.clock.playing ? player.pause() : player.play();
      return true;
    case "ArrowLeft":
    case "ArrowRight": {
      if (inList) return false;
      const direction = event.key === "ArrowRight" ? 1 : -1;
      if (event.shiftKey) goToChange(player, direction);
      else void player.seek(Math.min(player.duration, Math.max(0, player.time + direction * 1000)));
      return true;
    }
    case "ArrowUp":
    case "ArrowDown":
      if (inList) return false;
      if (slider) goToStep(player, event.key === "ArrowUp" ? 1 : -1);
      else goToStep(player, event.key === "ArrowDown" ? 1 : -1);
      return true;
    case "Home":
      void player.seek(0);
      return true;
    case "End":
      void player.seek(player.duration);
      return true;
    case "+":
    case "=":
    case "-": {
      const index = speeds.indexOf(player.clock.speed) + (event.key === "-" ? -1 : 1);
      player.clock.speed = speeds[Math.min(speeds.length - 1, Math.max(0, index))] ?? 1;
      player.changed();
      return true;
    }
    case "e":
    case "E": {
      const t = firstFailure(player);
      if (t !== undefined) void player.seek(t);
      return true;
    }
    case "?":
      help();
      return true;
    default:
      return false;
  }
}
