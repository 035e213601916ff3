// The elements that a failure is about, outlined on the page, each with a word for what it is.

import type { FailureChain, EvidenceLink } from "../decode/pieces.ts";
import type { Stage } from "../paint/stage.ts";
import { useUi, useUiValue } from "../ui/hooks.ts";
import { getWindowSize } from "../ui/size.ts";

/** The outline of an element that the explanation of a failure mentions, in CSS px of the page. */
export interface ElementOutline {
  readonly is: NonNullable<EvidenceLink["is"]>;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  /** Beside it, up to the page's right edge. */
  readonly room: number;
}

const WORDS = { wanted: "wanted", nearest: "nearest", cover: "covers it" };

/**
 * Returns the outlines of the elements that the explanation mentions for the time `t` (ms), as far as they are within
 * a window of `size`. An element that covers another one comes before it.
 */
export function findOutlines(
  { chain }: FailureChain,
  t: number,
  stage: Stage,
  size: { readonly w: number; readonly h: number },
): ElementOutline[] {
  const links = chain.flatMap(([, at, link]) => (Math.abs(at - t) < 1 ? [link, link.covered ?? {}] : []));
  const found = new Map<number, ElementOutline>();
  for (const { d, node, is } of links) {
    const box = d && node && is ? stage.find(d, node)?.box : undefined;
    if (!box || !is) continue;
    const [x, y] = [Math.max(0, box.x), Math.max(0, box.y)];
    const [w, h] = [Math.min(box.right, size.w) - x, Math.min(box.bottom, size.h) - y];
    if (w > 0 && h > 0) found.set(node as number, { is, x, y, w, h, room: size.w - x - w });
  }
  return [...found.values()];
}

/** Draws outlines of elements. `unit` is the number of the page's CSS px in one px of the screen. */
export function ElementOutlines({ outlines, unit }: { outlines: readonly ElementOutline[]; unit: number }) {
  return (
    <div class="outlines" style={{ fontSize: `${12 * unit}px` }} aria-hidden="true">
      {outlines.map(({ is, x, y, w, h, room }) => (
        <div key={is} class={is} style={{ left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` }}>
          <b class={is === "cover" ? "in" : room > 80 * unit ? "beside" : y < 20 * unit ? "in" : ""}>{WORDS[is]}</b>
        </div>
      ))}
    </div>
  );
}

/** Outlines over the page the elements that the failure is about, while the player shows the time of the failure. */
export function FailedElements({ unit }: { unit: number }) {
  const { why } = useUi().player.index;
  const told = useUiValue((player) =>
    JSON.stringify(why ? findOutlines(why, player.time, player.stage, getWindowSize(player, player.time)) : []),
  );
  return <ElementOutlines outlines={JSON.parse(told) as ElementOutline[]} unit={unit} />;
}
