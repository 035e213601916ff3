// A first look at a large page: what is in sight of it, mostly, is told from its first nodes, and the page shows before a hundred thousand
// others are made. It is a version like any other, in which the last children of some nodes are not there; the whole one takes its place.

import type { VNode } from "./node.ts";

/** Of how many nodes a first look at a page is made, and of how many children of each. */
export const LOOK = 4000;
export const LOOK_EACH = 150;

/** What an editor leaves out that makes a look, and whether what it leaves out was needed. */
export class Look {
  /** Whose last children were left out. */
  readonly cut = new Set<number>();
  /** How many nodes more it may have. */
  room = LOOK;
  /** Whether something else than its end would be missing: there can be no look. */
  lost = false;

  /** Whether a node is to have no more children. */
  full({ id, tag, children }: VNode): boolean {
    // What is in a head styles the rest.
    const full = this.room <= 0 || (tag !== "head" && children.length >= LOOK_EACH);
    if (full) this.cut.add(id);
    return full;
  }

  /** A child of a node has gone: what was left out would have come into sight. */
  gone(parent: number): void {
    this.lost ||= this.room <= 0 || this.cut.has(parent);
  }
}
