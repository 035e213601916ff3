// What `<object>` and `<embed>` show: a document, a picture, or what a plugin would. A replay may not load any of it, so it is said, once for
// each, and the element is marked as one that shows something else than its own content.

import { getAttribute, isHTML, localName } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import type { StateTracker } from "./tracker.ts";

const PICTURE = /^(?:data:)?image\/|\.(?:apng|avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i;

export class Embedded implements StateTracker {
  private readonly elements = new Map<number, Element>();
  private readonly shown = new Set<number>();

  constructor(private readonly unsupported: (what: string, node: number, detail: string) => void) {}

  meet(element: Element, id: number): void {
    if (isHTML(element, "object") || isHTML(element, "embed")) this.elements.set(id, element);
  }

  forget(id: number): void {
    this.elements.delete(id);
    this.shown.delete(id);
  }

  clear(): void {
    this.elements.clear();
    this.shown.clear();
  }

  collect(_ops: Op[]): void {}

  pulse(ops: Op[]): void {
    for (const [id, element] of this.elements) {
      const what = shows(element);
      if ((what !== null) === this.shown.has(id)) continue;
      ops.push(["states", id, what === null ? [] : ["embedded"]]);
      if (what === null) {
        this.shown.delete(id);
        continue;
      }
      this.shown.add(id);
      this.unsupported(localName(element), id, `the replay has a box for ${what}`);
    }
  }
}

/** What the element shows in place of its content; null: its content, or nothing. */
function shows(element: Element): string | null {
  const object = localName(element) === "object";
  const address = getAttribute(element, object ? "data" : "src");
  if (!address) return null;
  if (object && (element as HTMLObjectElement).contentWindow) return "its document";
  if (PICTURE.test(getAttribute(element, "type") ?? "") || PICTURE.test(address)) return "its picture";
  return object ? null : "what it embeds";
}
