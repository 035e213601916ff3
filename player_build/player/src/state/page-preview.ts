// A first look at a large page: what is in sight of it, mostly, is told from its first nodes, and the page shows before a hundred thousand
// others are made. It is a version like any other, in which the last children of some nodes are not there; the whole one takes its place.

import type { Json } from "../decode/events.ts";
import type { ModelNode } from "./node.ts";

/** The number of nodes from which a page counts as large, so that a shortened preview of it is shown first. */
export const MIN_LARGE_PAGE_NODES = 3000;

/** The largest number of nodes in the preview of a page. */
export const MAX_PREVIEW_NODES = 4000;
/** The largest number of children of a node in the preview of a page. */
export const MAX_PREVIEW_CHILDREN = 150;

/** Limits the number of nodes in a large page's preview, and notes whether a later op shows a node that was left out: then there is no preview. */
export class PagePreview {
  /** Whose last children were left out. */
  readonly cut = new Set<number>();
  /** How many nodes more it may have. */
  room = MAX_PREVIEW_NODES;
  /** Whether something else than its end would be missing: there can be no look. */
  lost = false;

  /** Whether a node is to have no more children. */
  full({ id, tag, children }: ModelNode): boolean {
    // What is in a head styles the rest.
    const full = this.room <= 0 || (tag !== "head" && children.length >= MAX_PREVIEW_CHILDREN);
    if (full) this.cut.add(id);
    return full;
  }

  /** A child of a node has gone: what was left out would have come into sight. */
  gone(parent: number): void {
    this.lost ||= this.room <= 0 || this.cut.has(parent);
  }
}

/**
 * Returns whether ops create a large page. In an op each node takes about two items: an element's name and
 * attributes, or a text.
 */
export function isLargePage(ops: readonly Json[]): boolean {
  let left = 2 * MIN_LARGE_PAGE_NODES;
  const count = (item: Json): void => {
    left -= 1;
    if (Array.isArray(item)) for (let at = 0; at < item.length && left > 0; at++) count(item[at] as Json);
  };
  count(ops as Json[]);
  return left <= 0;
}
