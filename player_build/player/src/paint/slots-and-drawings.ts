// What depends on where everything else of a document stands: assigned slots, and drawings with a place and a clock of their own.

import type { NodeState } from "../state/node.ts";

type Real = (id: number) => Node | undefined;

/** Assigns to a `<slot>` the nodes that a script assigned to it, or moves and scales an `<svg>` as a script did. */
export function paintSlotsAndDrawings(
  node: Node | undefined,
  { assigned = [], drawing = {} }: NodeState,
  real: Real,
): void {
  const element = node as (SVGSVGElement & HTMLSlotElement) | undefined;
  const { x = 0, y = 0, scale = 1 } = drawing;
  element?.assign?.(...(assigned.map(real).filter(Boolean) as Element[]));
  if (!element?.currentTranslate) return;
  element.currentScale = scale;
  Object.assign(element.currentTranslate, { x, y });
}

/**
 * Sets SVG's own animations (SMIL) to their state at `t` (ms). Each outermost `<svg>` has its own clock, which began
 * when it was added.
 *
 * @param animators the ids of the animation elements
 */
export function seekSvgAnimations(
  animators: Iterable<number>,
  t: number,
  real: Real,
  stateOf: (svg: SVGSVGElement) => NodeState,
): void {
  const drawings = new Set<SVGSVGElement>();
  for (const id of animators) {
    let svg = (real(id) as SVGElement | undefined)?.ownerSVGElement;
    while (svg?.ownerSVGElement) svg = svg.ownerSVGElement;
    if (svg?.isConnected) drawings.add(svg);
  }
  for (const svg of drawings) {
    const { born = 0, drawing = {} } = stateOf(svg);
    const { time = 0, at = born, rate = 1 } = drawing.time === undefined ? {} : drawing;
    svg.pauseAnimations();
    svg.setCurrentTime(0); // Or an animation that has begun would not take back what said so.
    svg.setCurrentTime(Math.max(0, time + ((t - at) / 1000) * rate));
  }
}
