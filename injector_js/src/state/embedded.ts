// What `<object>` and `<embed>` show: a document, which is recorded as that of a frame is; an object's picture, which is a resource; or an embed's, and
// what a plugin would show, of which a replay has none, so it is said, once for each. The element is marked as one that shows something else than its
// own content.

import { getAttribute, isHTML, localName, readyState } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import type { Part } from "./part.ts";

const PICTURE = /^(?:data:)?image\/(?!svg)|\.(?:apng|avif|gif|jpe?g|png|webp)(?:[?#]|$)/i;

const PDF = /pdf/i;
const DOCUMENT = /html|svg/i;

/** ms for which an element must have shown it: while an answer is on its way there is a document, which gives way when the answer is an error. */
const SURE = 400;

export class Embedded implements Part {
  private readonly elements = new Map<number, Element>();
  private readonly since = new Map<number, number>();
  private readonly shown = new Set<number>();
  private readonly said = new WeakSet<Element>();

  constructor(
    private readonly document: Document,
    private readonly now: () => number,
    private readonly unsupported: (what: string, node: number, detail: string) => void,
  ) {}

  /** What could not be loaded shows the element's own content. */
  private readonly broken = new WeakMap<Element, string | null>();

  failed(element: Element): void {
    if (isHTML(element, "object") || isHTML(element, "embed")) this.broken.set(element, addressOf(element));
  }

  meet(element: Element, id: number): void {
    if (isHTML(element, "object") || isHTML(element, "embed")) this.elements.set(id, element);
  }

  forget(id: number): void {
    for (const map of [this.elements, this.since, this.shown]) map.delete(id);
  }

  clear(): void {
    for (const map of [this.elements, this.since, this.shown]) map.clear();
  }

  pulse(ops: Op[]): void {
    if (this.elements.size === 0 || readyState(this.document) !== "complete") return;
    for (const [id, element] of this.elements) {
      const what = this.broken.get(element) === addressOf(element) ? null : shows(element);
      if (what === null) {
        this.since.delete(id);
        if (this.shown.delete(id)) ops.push(["states", id, []]);
        continue;
      }
      if (this.shown.has(id)) continue;
      const since = this.since.get(id) ?? this.now();
      this.since.set(id, since);
      if (this.now() - since < SURE) continue;
      this.shown.add(id);
      ops.push(["states", id, ["embedded"]]);
      if (!what || this.said.has(element)) continue;
      this.said.add(element);
      this.unsupported(localName(element), id, what);
    }
  }
}

const addressOf = (element: Element): string | null =>
  getAttribute(element, localName(element) === "object" ? "data" : "src");

/** What the element shows in place of its content and a replay does not, "" where it does; null: its content, or nothing. */
function shows(element: Element): string | null {
  const object = localName(element) === "object";
  const address = addressOf(element);
  if (!address) return null;
  const type = getAttribute(element, "type") ?? "";
  if (object && (element as HTMLObjectElement).contentWindow) return PDF.test(type + address) ? "a PDF" : "";
  if (object) return PICTURE.test(type) || PICTURE.test(address) ? "" : null;
  return DOCUMENT.test(type + address) ? "" : "its content";
}
