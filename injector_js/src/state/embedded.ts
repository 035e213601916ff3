// What `<object>` and `<embed>` show: a document, which is recorded as that of a frame is; an object's picture, which is a resource; or an embed's, and
// what a plugin would show, of which a replay has none, so it is said, once for each. The element is marked as one that shows something else than its
// own content.

import { firstChild, getAttribute, isHtmlElementNamed, localName, readyState } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import type { StatePart } from "./part.ts";

const PICTURE = /^(?:data:)?image\/(?!svg)|\.(?:apng|avif|gif|jpe?g|png|webp)(?:[?#]|$)/i;

const PDF = /pdf/i;
const DOCUMENT = /html|svg/i;

/** ms for which an element must have shown it, or been broken: while an answer is on its way there is a document, which gives way when the answer is an error. */
const SURE = 400;

export class EmbeddedContent implements StatePart {
  private readonly elements = new Map<number, Element>();
  private readonly since = new Map<number, number>();
  /** What was told, where it was told of any. */
  private readonly shown = new Map<number, string>();
  private readonly said = new WeakSet<Element>();

  constructor(
    private readonly document: Document,
    private readonly now: () => number,
    private readonly unsupported: (what: string, node: number, detail: string) => void,
  ) {}

  /** What could not be loaded, by its address; null: an object shows its own content from then on, whatever address it gets. */
  private readonly broken = new WeakMap<Element, string | null>();

  failed(element: Element): void {
    if (isHtmlElementNamed(element, "object")) this.broken.set(element, null);
    else if (isHtmlElementNamed(element, "embed")) this.broken.set(element, addressOf(element));
  }

  meet(element: Element, id: number): void {
    if (isHtmlElementNamed(element, "object") || isHtmlElementNamed(element, "embed")) this.elements.set(id, element);
  }

  forget(id: number): void {
    for (const map of [this.elements, this.since, this.shown]) map.delete(id);
  }

  clear(): void {
    for (const map of [this.elements, this.since, this.shown]) map.clear();
  }

  poll(ops: Op[]): void {
    if (this.elements.size === 0 || readyState(this.document) !== "complete") return;
    for (const [id, element] of this.elements) {
      const broken = this.broken.get(element);
      const what = broken === null || broken === addressOf(element) ? null : shows(element);
      // Where it could not even be asked for, an empty object keeps its room; else it collapses, a moment after the error.
      const was = this.shown.get(id) ?? "";
      // Its room is asked for, which lays the page out, until it is known.
      const fails =
        broken === null && (was === "failed" || firstChild(element) || !(element as HTMLElement).offsetWidth);
      const state = what !== null ? "embedded" : fails ? "failed" : "";
      if (!state) this.since.delete(id);
      if (state === was) continue;
      if (state) {
        const since = this.since.get(id) ?? this.now();
        this.since.set(id, since);
        if (this.now() - since < SURE) continue;
      }
      this.shown.set(id, state);
      ops.push(["states", id, state ? [state] : []]);
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
