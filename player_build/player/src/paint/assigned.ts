// What depends on where everything else of a document stands: assigned slots, and drawings with a place and a clock of their own.

import type { NodeState } from "../state/node.ts";

type Real = (id: number) => Node | undefined;

/** Gives a slot the nodes that a script assigned to it, and a drawing the place to which one moved it. */
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
 * Puts SVG's own animations where they were at `t` (ms): each outermost `<svg>` that holds some has a clock of its own, which began when it came.
 *
 * @param animators ids of the animation elements
 */
export function moveDrawings(
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
