// Where the buttons and the keys go.

import type { Player } from "../player.ts";

/** The speeds of playback that the reader can choose. */
export const PLAYBACK_SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;

/** Seeks to the next step, or for -1 to the previous one. */
export function goToStep(player: Player, direction: 1 | -1): void {
  const { steps } = player.story;
  const target =
    direction > 0
      ? steps.find((step) => step.time > player.time + 1)
      : steps.findLast((step) => step.time < player.time - 1);
  void player.seek(target?.time ?? (direction > 0 ? player.duration : 0));
}

/**
 * Returns the time (ms) at which the run failed, or else of the first failed step or page error; undefined if there
 * is none.
 */
export function findFirstFailureTime({ index, story }: Player): number | undefined {
  const step = story.steps.find((item) => item.success === false);
  return index.why?.t ?? (step ? step.time + step.duration : story.errors[0]?.t);
}

/**
 * Returns three times (ms) of the current step: before it, at its last action, and after it; undefined if no step is
 * under way.
 */
export function getStepMoments(player: Player): readonly [before: number, action: number, after: number] | undefined {
  const step = player.story.stepAt(player.time);
  if (!step) return undefined;
  const end = step.time + step.duration;
  const call = step.items.findLast((item) => item.kind === "call");
  // A step begins and ends between changes: what came with it lies after its beginning.
  return [step.time, call ? Math.min(end, call.time + Number(call.event.duration ?? 0)) : (step.time + end) / 2, end];
}
