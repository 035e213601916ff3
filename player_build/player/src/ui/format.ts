// How the player writes times, numbers and claims.

import type { Fidelity, RecordingInfo } from "../decode/pieces.ts";

/** `1:05.3`: minutes, seconds, tenths. */
export function clockTime(ms: number): string {
  const tenths = Math.floor(ms / 100);
  const minutes = Math.floor(tenths / 600);
  const seconds = ((tenths % 600) / 10).toFixed(1).padStart(4, "0");
  return `${minutes}:${seconds}`;
}

/** `640 ms`, `2.4 s`, `3 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** `12,345`. The browser's own way takes tens of milliseconds the first time. */
export function withThousands(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

export function countText(number: number, one: string, many = `${one}s`): string {
  return `${withThousands(number)} ${number === 1 ? one : many}`;
}

/** Any JSON as text to read: strings as they are. */
export function readable(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}

/** `imported from Playwright 1.65`; empty for what pagereel recorded itself. */
export function importedText({ imported }: RecordingInfo): string {
  return imported ? `imported from ${[imported.name, imported.version].filter(Boolean).join(" ")}` : "";
}

/** `replay matches the page: 14 of 14 checks`: by the layer that holds at the fewest checkpoints. */
export function checkedText({ tree, layout, picture }: Fidelity): string {
  let least = tree;
  for (const layer of [layout, picture]) {
    if (layer?.total && layer.equal - layer.total < least.equal - least.total) least = layer;
  }
  return least.total
    ? `replay matches the page: ${least.equal} of ${countText(least.total, "check")}`
    : "replay not checked";
}

/** What was checked, of each layer how often: `…: tree 14/14 \u00b7 layout 14/14 \u00b7 picture 9/9`, or `tree 14/14 \u00b7 layout, picture: not checked`. */
export function layersText(fidelity: Fidelity): string {
  const words: string[] = [];
  const open: string[] = [];
  for (const name of ["tree", "layout", "picture"] as const) {
    const layer = fidelity[name];
    if (!layer) open.push(name);
    else words.push(layer.total ? `${name} ${layer.equal}/${layer.total}` : `no ${name}`);
  }
  if (open.length) words.push(`${open.join(", ")}: not checked`);
  if (fidelity.missing) words.push(`${countText(fidelity.missing, "resource")} missing`);
  return `Moments at which the replay and the page were compared: ${words.join(" \u00b7 ")}`;
}
