// Shadow roots that no event tells of. `attachShadow()` on an element that is already recorded changes nothing that an observer sees, and
// a closed root cannot be read from its host at all: the recorder, which can, is asked for the roots of custom elements that show none.

import { createTreeWalker, localName, matches, shadowRoot } from "../dom.ts";

/** Custom elements that are looked at in every transaction; more than these only in turn. */
const POLLED = 500;
/** Elements looked at in one poll, for roots attached to what is no custom element. */
const IN_TURN = 1000;
/** Custom elements of one document that the recorder is asked about. */
const ASKED = 2000;

export class LateShadowRoots {
  private readonly waiting = new Map<number, Element>();
  /** Those of them that were not asked about, the ones that are not defined yet at the end. */
  private readonly unasked = new Map<number, Element>();
  private readonly asked = new WeakSet<Element>();
  private count = 0;
  private questions: Element[] = [];
  private turn: TreeWalker | null = null;
  private left: (Document | ShadowRoot)[] = [];

  constructor(
    private readonly document: Document,
    private readonly roots: () => Iterable<ShadowRoot>,
    private readonly idOf: (node: Node) => number,
  ) {}

  meet(element: Element, id: number): void {
    if (!localName(element).includes("-") || shadowRoot(element)) return;
    this.waiting.set(id, element);
    if (!this.asked.has(element)) this.unasked.set(id, element);
  }

  forget(id: number): void {
    this.waiting.delete(id);
    this.unasked.delete(id);
  }

  clear(): void {
    this.waiting.clear();
    this.unasked.clear();
    this.turn = null;
    this.left = [];
  }

  /** Hosts, by id, that have got a root since they were recorded. Cheap: for every transaction. */
  late(found: (host: Element, id: number, root: ShadowRoot) => void): void {
    let left = POLLED;
    for (const [id, element] of this.waiting) {
      if (left-- === 0) break;
      const root = shadowRoot(element);
      if (!root) continue;
      this.waiting.delete(id);
      found(element, id, root);
    }
  }

  /** The same for all elements, some thousand with each call; for all of them when `whole`. */
  inTurn(found: (host: Element, id: number, root: ShadowRoot) => void, whole: boolean): void {
    if (whole) {
      this.turn = null;
      this.left = [this.document, ...this.roots()];
    }
    for (let left = whole ? Number.POSITIVE_INFINITY : IN_TURN; left > 0; left--) {
      const node = this.turn?.nextNode() as Element | null | undefined;
      if (node) {
        const root = shadowRoot(node);
        if (!root || this.idOf(root) !== 0) continue;
        const id = this.idOf(node);
        if (id !== 0) found(node, id, root);
        continue;
      }
      const next = this.left.pop();
      if (!next) {
        this.turn = null;
        this.left = [this.document, ...this.roots()];
        return;
      }
      this.turn = createTreeWalker(this.document, next, NodeFilter.SHOW_ELEMENT);
    }
  }

  /** Finds custom elements whose roots, if they have any, only the recorder can see; whether there are such. For every transaction. */
  unsure(): boolean {
    let left = Math.min(POLLED, this.unasked.size);
    for (const [id, element] of this.unasked) {
      if (left-- === 0 || this.count >= ASKED) break;
      this.unasked.delete(id);
      if (shadowRoot(element)) continue;
      if (!matches(element, ":defined")) {
        this.unasked.set(id, element);
        continue;
      }
      this.asked.add(element);
      this.count++;
      this.questions.push(element);
    }
    return this.questions.length > 0;
  }

  /** The elements to ask about, once. */
  take(): Element[] {
    return this.questions.splice(0);
  }
}
