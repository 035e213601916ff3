import type { Item } from "../../history/story.ts";
import { grouped, span } from "../../ui/format.ts";
import { money } from "./format.ts";

/** How long it took, ms; 0 where nothing says so. */
export function duration(item: Item): number {
  return Number(item.event.duration ?? item.result?.duration ?? Number.NaN) || 0;
}

/** Tokens in and out, cost, time. */
export function modelFigures(item: Item): string {
  const { event } = item;
  const tokens = [event.input_tokens, event.output_tokens].map((n) => (typeof n === "number" ? grouped(n) : "?"));
  const cost = typeof event.cost_usd === "number" ? money(event.cost_usd) : "";
  const time = duration(item) ? span(duration(item)) : "";
  return [`${tokens.join(" \u2192 ")} tokens`, cost, time].filter(Boolean).join(" \u00b7 ");
}
