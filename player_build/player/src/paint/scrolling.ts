// Puts what was scrolled where it was, once all is there that gives it its height.

import type { PaintedNodes } from "./painted-nodes.ts";
import { paintScrollOffset } from "./controls.ts";

const NOWHERE = [0, 0, 0, 0] as const;

/**
 * Scrolls all nodes that have a scroll offset. Returns whether each reached its offset. A node that was given up before
 * does not count while its room is the same. `givenUp`: gives up all that fall short now.
 */
export function paintAllScrollOffsets(view: PaintedNodes, givenUp = false): boolean {
  let stands = true;
  view.skips = false;
  for (const id of view.scrolledNodes) {
    const node = view.get(id);
    const element = view.real.get(id);
    if (!node || !element) continue;
    const { scroll } = node.state;
    const anchor = scroll?.[2] ? view.real.get(scroll[2]) : undefined;
    if (anchor) view.skips = true;
    if (paintScrollOffset(element, scroll ?? NOWHERE, anchor as Element | undefined)) continue;
    const room = roomOf(element, scroll);
    if (givenUp) view.shortScrolls.set(id, room);
    else if (view.shortScrolls.get(id) !== room) stands = false;
    if (!scroll && node.kind !== "document" && node.tag !== "select") view.scrolledNodes.delete(id);
  }
  return stands;
}

/** Where something was scrolled to, and in what room it stands now. */
function roomOf(node: Node, scroll: unknown): string {
  const element = (node as Document).scrollingElement ?? (node as Element);
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = element;
  return [scroll, scrollWidth, scrollHeight, clientWidth, clientHeight].join();
}
