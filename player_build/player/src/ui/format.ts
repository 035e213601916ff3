// How the player writes times, numbers and claims.

import type { Fidelity, RecordingInfo } from "../decode/pieces.ts";

/** Returns a time (ms) as minutes, seconds and tenths: `1:05.3`. */
export function formatClockTime(ms: number): string {
  const tenths = Math.floor(ms / 100);
  const minutes = Math.floor(tenths / 600);
  const seconds = ((tenths % 600) / 10).toFixed(1).padStart(4, "0");
  return `${minutes}:${seconds}`;
}

/** Returns a duration (ms) as text: `640 ms`, `2.4 s`, `3 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/**
 * Returns a whole number with commas between thousands: `12,345`. (`toLocaleString` takes tens of milliseconds at its
 * first call.)
 */
export function formatWithThousands(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Returns a number with its noun: `1 value`, `12,345 values`. */
export function formatCount(number: number, one: string, many = `${one}s`): string {
  return `${formatWithThousands(number)} ${number === 1 ? one : many}`;
}

/** Returns a JSON value as text for people: a string unchanged, anything else as indented JSON. */
export function toReadableText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}

/**
 * Returns the tool that the recording was imported from: `imported from Playwright 1.65`; "" if pagereel recorded it.
 */
export function describeImport({ imported }: RecordingInfo): string {
  return imported ? `imported from ${[imported.name, imported.version].filter(Boolean).join(" ")}` : "";
}

/**
 * Returns a phrase with the checks of the layer that has most differences: `replay matches the page: 14 of 14
 * checks`.
 */
export function describeFidelity({ tree, layout, picture }: Fidelity): string {
  let least = tree;
  for (const layer of [layout, picture]) {
    if (layer?.total && layer.equal - layer.total < least.equal - least.total) least = layer;
  }
  return least.total
    ? `replay matches the page: ${least.equal} of ${formatCount(least.total, "check")}`
    : "replay not checked";
}

/**
 * Returns the checks of each layer as text: `…: tree 14/14 \u00b7 layout 14/14 \u00b7 picture 9/9`, or `tree 14/14
 * \u00b7 layout, picture: not checked`.
 */
export function describeFidelityLayers(fidelity: Fidelity): string {
  const words: string[] = [];
  const open: string[] = [];
  for (const name of ["tree", "layout", "picture"] as const) {
    const layer = fidelity[name];
    if (!layer) open.push(name);
    else words.push(layer.total ? `${name} ${layer.equal}/${layer.total}` : `no ${name}`);
  }
  if (open.length) words.push(`${open.join(", ")}: not checked`);
  if (fidelity.missing) words.push(`${formatCount(fidelity.missing, "resource")} missing`);
  return `Moments at which the replay and the page were compared: ${words.join(" \u00b7 ")}`;
}
