// Scroll offsets. Only elements that an event named are read, when the transaction is made. Where `content-visibility: auto` skips what is out
// of sight, its height is only guessed, and another one after each visit: an offset alone does not say what shows. So one of the elements that
// are not skipped is told beside it, with its place.

import { LIMITS } from "../config.ts";
import {
  createTreeWalker,
  documentElement,
  isConnected,
  boundingRectOf,
  scrollingElement,
  scrollLeft,
  scrollTop,
} from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import type { ModelMirror } from "../mirror.ts";
import { roundToHundredth } from "../rounding.ts";
import type { LayoutSample } from "./layout-sample.ts";
import type { StatePart } from "./part.ts";

export class ScrollOffsets implements StatePart {
  private readonly dirty = new Set<Element | Document>();
  private readonly told = new Map<number, string>();
  /** Elements with `content-visibility: auto` that are not skipped. */
  private readonly near = new Set<Element>();
  /** What was told while content was skipped, and with what beside it. */
  private readonly anchored = new Map<Element | Document, string>();
  /** Where offsets from before the recording are still to be looked for. */
  private left: (Document | ShadowRoot)[] = [];
  private turn: TreeWalker | null = null;
  /** Whether the look has begun, when all roots were known. */
  private begun = true;

  constructor(
    private readonly document: Document,
    private readonly window: Window,
    private readonly mirror: ModelMirror,
    private readonly roots: () => Iterable<ShadowRoot>,
    /** Whether all of the page is in the recording: what is not has no id yet. */
    private readonly complete: () => boolean,
    private readonly now: () => number,
  ) {}

  get pending(): boolean {
    return this.dirty.size > 0;
  }

  scrolled(target: Element | Document): void {
    this.dirty.add(target);
  }

  /** Content is skipped, or no longer: what was told to stand somewhere may stand elsewhere. */
  skipped(element: Element, skipped: boolean): void {
    if (skipped) this.near.delete(element);
    else this.near.add(element);
    for (const target of this.anchored.keys()) this.dirty.add(target);
  }

  /** Looks for what is scrolled already, when recording begins in a page that is there: some elements with each poll. */
  find(): void {
    this.dirty.add(this.document);
    this.left = [];
    this.turn = null;
    this.begun = false;
  }

  poll(ops: Op[]): void {
    if ((this.begun && this.left.length === 0 && !this.turn) || !this.complete()) return;
    if (!this.begun) {
      this.begun = true;
      this.left = [this.document, ...this.roots()];
    }
    const until = this.now() + LIMITS.slice;
    for (;;) {
      this.turn ??= createTreeWalker(this.document, this.left.pop() as Node, NodeFilter.SHOW_ELEMENT);
      for (let count = 200; count > 0; count--) {
        const element = this.turn.nextNode() as Element | null;
        if (!element) {
          this.turn = null;
          break;
        }
        if (scrollTop(element) !== 0 || scrollLeft(element) !== 0) this.dirty.add(element);
      }
      if (!this.turn && this.left.length === 0) break;
      if (this.now() > until) break;
    }
    this.collect(ops);
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
      this.tell(ops, id, roundToHundredth(x), roundToHundredth(y), isViewport ? document : target);
    }
    this.dirty.clear();
  }

  /** Tells of offsets that a look found otherwise than they were told: their event is still to come, or there is none. */
  found(look: LayoutSample, ops: Op[]): void {
    const [, , x = 0, y = 0] = look.view;
    for (const [id = 0, left = 0, top = 0] of [[this.mirror.idOf(this.document), x, y], ...look.scroll]) {
      if ((this.told.get(id) ?? "0 0") === `${left} ${top}`) continue;
      const target = [...this.anchored.keys()].find((item) => this.mirror.idOf(item) === id);
      this.tell(ops, id, left, top, target);
    }
  }

  private tell(ops: Op[], id: number, x: number, y: number, target?: Element | Document): void {
    const key = `${x} ${y}`;
    let anchor: [id: number, top: number] | [] = [];
    if (target && this.near.size > 0) {
      if (x !== 0 || y !== 0) anchor = this.anchor(target);
      const beside = `${anchor}`;
      if (this.told.get(id) === key && this.anchored.get(target) === beside) return;
      // Without any as well: after a jump it is told later what is not skipped there.
      this.anchored.set(target, beside);
    }
    ops.push(["scroll", id, x, y, ...anchor]);
    this.told.set(id, key);
  }

  /** Of the elements that are not skipped, the one nearest to the upper edge of what shows, with the distance. */
  private anchor(target: Element | Document): [id: number, top: number] | [] {
    const scroller = target === this.document ? null : (target as Element);
    const edge = scroller ? boundingRectOf(scroller).top + scroller.clientTop : 0;
    const height = scroller ? scroller.clientHeight : this.window.innerHeight;
    let best: [number, number] | [] = [];
    for (const element of this.near) {
      if (!isConnected(element)) this.near.delete(element);
      if (scroller && (scroller === element || !scroller.contains(element))) continue;
      const rect = boundingRectOf(element);
      const top = rect.top - edge;
      if (rect.height === 0 || top >= height || top + rect.height <= 0) continue;
      const id = this.mirror.idOf(element);
      if (id !== 0 && Math.abs(top) < Math.abs(best[1] ?? height)) best = [id, roundToHundredth(top)];
    }
    return best;
  }

  forget(id: number): void {
    this.told.delete(id);
  }

  clear(): void {
    this.dirty.clear();
    this.told.clear();
    this.anchored.clear();
    this.begun = true;
    this.left = [];
    this.turn = null;
  }
}
