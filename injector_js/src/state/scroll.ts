// Scroll offsets. Only elements that an event named are read, when the transaction is made.

import { LIMITS } from "../config.ts";
import { createTreeWalker, documentElement, scrollingElement, scrollLeft, scrollTop } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import type { Mirror } from "../mirror.ts";
import type { Look } from "./looks.ts";
import type { StateTracker } from "./tracker.ts";

const round = (value: number) => Math.round(value * 100) / 100;

export class Scroll implements StateTracker {
  private readonly dirty = new Set<Element | Document>();
  private readonly told = new Map<number, string>();
  /** Where offsets from before the recording are still to be looked for. */
  private left: (Document | ShadowRoot)[] = [];
  private turn: TreeWalker | null = null;
  /** Whether the look has begun, when all roots were known. */
  private begun = true;

  constructor(
    private readonly document: Document,
    private readonly window: Window,
    private readonly mirror: Mirror,
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

  /** Looks for what is scrolled already, when recording begins in a page that is there: some elements with each pulse. */
  find(): void {
    this.dirty.add(this.document);
    this.left = [];
    this.turn = null;
    this.begun = false;
  }

  pulse(ops: Op[]): void {
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
      this.tell(ops, id, round(x), round(y));
    }
    this.dirty.clear();
  }

  /** Tells of offsets that a look found otherwise than they were told: their event is still to come, or there is none. */
  found(look: Look, ops: Op[]): void {
    const [, , x = 0, y = 0] = look.view;
    for (const [id = 0, left = 0, top = 0] of [[this.mirror.idOf(this.document), x, y], ...look.scroll])
      if ((this.told.get(id) ?? "0 0") !== `${left} ${top}`) this.tell(ops, id, left, top);
  }

  private tell(ops: Op[], id: number, x: number, y: number): void {
    ops.push(["scroll", id, x, y]);
    this.told.set(id, `${x} ${y}`);
  }

  forget(id: number): void {
    this.told.delete(id);
  }

  clear(): void {
    this.dirty.clear();
    this.told.clear();
    this.begun = true;
    this.left = [];
    this.turn = null;
  }
}
