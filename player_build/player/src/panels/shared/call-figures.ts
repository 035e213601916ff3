// Figures of model calls: tokens, cost, time.

import type { StoryItem } from "../../history/story.ts";
import { formatWithThousands, formatDuration } from "../../ui/format.ts";
import { formatUsd } from "./format.ts";

/** Returns the duration of a call in ms; 0 if it is unknown. */
export function getCallDuration(item: StoryItem): number {
  return Number(item.event.duration ?? item.result?.duration ?? Number.NaN) || 0;
}

/** Returns the tokens, cost and duration of a model call as text. */
export function formatModelCallFigures(item: StoryItem): string {
  const { event } = item;
  const tokens = [event.input_tokens, event.output_tokens].map((n) =>
    typeof n === "number" ? formatWithThousands(n) : "?",
  );
  const cost = typeof event.cost_usd === "number" ? formatUsd(event.cost_usd) : "";
  const time = getCallDuration(item) ? formatDuration(getCallDuration(item)) : "";
  return [`${tokens.join(" \u2192 ")} tokens`, cost, time].filter(Boolean).join(" \u00b7 ");
}
