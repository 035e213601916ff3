// As much of a document as the painter of a tree asks for, without a browser. It stands in the global scope once this module is imported.

/** A node of a minimal DOM, for tests without a browser. */
export class FakeNode {
  readonly childNodes: FakeNode[] = [];
  parentNode: FakeNode | undefined;
  data = "";
  /** Where it is scrolled to, and how far it can be. */
  scrollLeft = 0;
  scrollTop = 0;
  scrollHeight = 0;
  clientHeight = 0;

  constructor(
    readonly nodeType: number,
    readonly localName: string,
  ) {}

  get firstChild(): FakeNode | null {
    return this.childNodes[0] ?? null;
  }

  get nextSibling(): FakeNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  insertBefore(child: FakeNode, before: FakeNode | null): void {
    child.remove();
    this.childNodes.splice(before ? this.childNodes.indexOf(before) : this.childNodes.length, 0, child);
    child.parentNode = this;
  }

  remove(): void {
    const siblings = this.parentNode?.childNodes ?? [];
    if (this.parentNode) siblings.splice(siblings.indexOf(this), 1);
    this.parentNode = undefined;
  }

  replaceChildren(): void {
    for (const child of [...this.childNodes]) child.remove();
  }

  contains(other: FakeNode): boolean {
    return this === other || this.childNodes.some((child) => child.contains(other));
  }

  attachShadow(): FakeNode {
    return new FakeNode(11, "#shadow");
  }

  getClientRects(): unknown[] {
    return [{}];
  }

  scrollTo({ top }: { top: number }): void {
    this.scrollTop = Math.min(top, this.scrollHeight - this.clientHeight);
  }

  /** The tree as text: `p(a em(b))`. */
  get text(): string {
    const inner = this.childNodes.map(({ text }) => text).join(" ");
    return this.nodeType === 3 ? this.data : inner ? `${this.localName}(${inner})` : this.localName;
  }
}

class FakeDocument extends FakeNode {
  readonly implementation = { createHTMLDocument: () => new FakeDocument() };

  constructor() {
    super(9, "#document");
  }

  createElementNS(_: string, name: string): FakeNode {
    return new FakeNode(1, name);
  }

  createTextNode(data: string): FakeNode {
    return Object.assign(new FakeNode(3, "#text"), { data });
  }

  createComment(data: string): FakeNode {
    return Object.assign(new FakeNode(8, "#comment"), { data });
  }
}

export const createFakeDocument = (): Document => new FakeDocument() as unknown as Document;

Object.assign(globalThis, { document: new FakeDocument(), Node: { DOCUMENT_NODE: 9, DOCUMENT_FRAGMENT_NODE: 11 } });
