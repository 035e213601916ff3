// Scroll offsets. Only elements that an event named are read, when the transaction is made.

import { documentElement, scrollingElement, scrollLeft, scrollTop } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import type { Mirror } from "../mirror.ts";
import type { StateTracker } from "./tracker.ts";

const round = (value: number) => Math.round(value * 100) / 100;

export class Scroll implements StateTracker {
  private readonly dirty = new Set<Element | Document>();

  constructor(
    private readonly document: Document,
    private readonly window: Window,
    private readonly mirror: Mirror,
  ) {}

  get pending(): boolean {
    return this.dirty.size > 0;
  }

  scrolled(target: Element | Document): void {
    this.dirty.add(target);
  }

  /** Marks what is scrolled already, when recording begins in a page that is there. Reads layout, once. */
  find(roots: Iterable<Document | ShadowRoot>): void {
    this.dirty.add(this.document);
    for (const root of roots) {
      for (const element of root.querySelectorAll("*")) {
        if (scrollTop(element) !== 0 || scrollLeft(element) !== 0) this.dirty.add(element);
      }
    }
  }

  collect(ops: Op[]): void {
    if (this.dirty.size === 0) return;
    const { document, mirror, window } = this;
    for (const target of this.dirty) {
      const isViewport =
        target === document || target === documentElement(document) || target === scrollingElement(document);
      const id = mirror.idOf(isViewport ? document : target);
      if (id === 0) continue;
      const x = isViewport ? window.scrollX : scrollLeft(target as Element);
      const y = isViewport ? window.scrollY : scrollTop(target as Element);
      ops.push(["scroll", id, round(x), round(y)]);
    }
    this.dirty.clear();
  }

  clear(): void {
    this.dirty.clear();
  }
}
