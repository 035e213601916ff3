// The top layer: dialogs (modal or not), popovers, the fullscreen element. An attribute does not tell a modal dialog from another, and an
// open popover has none at all; the pseudo-classes do.

import { fullscreenElement, hasAttribute, isHtmlElementNamed, supportsSelector, matches, shadowRoot } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import type { ChangedAttributes, StatePart } from "./part.ts";

type How = "" | "modal" | "dialog" | "popover" | "fullscreen";

const modal = supportsSelector(":modal");
const popover = supportsSelector(":popover-open");

export class TopLayer implements StatePart {
  private readonly candidates = new Map<number, Element>();
  private readonly seen = new Map<number, How>();
  /** Dialogs in the order in which their `open` changed last, and how often it did since they were looked at. */
  private readonly toggles = new Map<Element, number>();

  constructor(
    private readonly document: Document,
    private readonly idOf: (node: Node) => number,
  ) {}

  meet(element: Element, id: number): void {
    if (isHtmlElementNamed(element, "dialog") || hasAttribute(element, "popover")) this.candidates.set(id, element);
  }

  attributes(element: Element, changes: ChangedAttributes): void {
    if ("popover" in changes) this.consider(element);
  }

  /** An attribute or an event says that an element may be in the top layer, above what was said of before. */
  consider(element: Element): void {
    const id = this.idOf(element);
    this.candidates.delete(id);
    if (id !== 0) this.candidates.set(id, element);
  }

  /** An attribute `open` was set or removed; called for each time, in order. */
  toggled(element: Element): void {
    const times = this.toggles.get(element) ?? 0;
    this.toggles.delete(element);
    this.toggles.set(element, times + 1);
  }

  forget(id: number): void {
    this.candidates.delete(id);
    this.seen.delete(id);
  }

  clear(): void {
    this.candidates.clear();
    this.seen.clear();
    this.toggles.clear();
  }

  collect(ops: Op[]): void {
    let full = fullscreenElement(this.document);
    for (let inner = full; inner; ) {
      full = inner;
      inner = shadowRoot(inner)?.fullscreenElement ?? null; // Some browsers have none.
    }
    if (full) this.consider(full);
    for (const [element, times] of this.toggles) {
      const id = this.idOf(element);
      if (id === 0) continue;
      this.candidates.set(id, element);
      const before = this.seen.get(id);
      if (times > 1 && before && before === this.how(element, full)) {
        // It left the layer and came back on top.
        ops.push(["open", id, ""], ["open", id, before]);
      } else this.look(id, element, full, ops);
    }
    this.toggles.clear();
    for (const [id, element] of this.candidates) this.look(id, element, full, ops);
  }

  private look(id: number, element: Element, full: Element | null, ops: Op[]): void {
    const how = this.how(element, full);
    if (how === (this.seen.get(id) ?? "")) return;
    this.seen.set(id, how);
    ops.push(["open", id, how]);
  }

  private how(element: Element, full: Element | null): How {
    if (element === full) return "fullscreen";
    if (isHtmlElementNamed(element, "dialog") && hasAttribute(element, "open")) {
      return modal() && matches(element, ":modal") ? "modal" : "dialog";
    }
    if (hasAttribute(element, "popover") && popover() && matches(element, ":popover-open")) return "popover";
    return "";
  }
}
