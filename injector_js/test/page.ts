// A document without a browser: of the DOM as much as the injector asks of it, with real mutation records, a clock and timers that a test turns.
// It must be imported before anything of the injector, which takes the browser's getters when it is loaded.

import type { InjectorConfig } from "../src/config.ts";
import type { NativeFunctions } from "../src/natives.ts";

const HTML = "http://www.w3.org/1999/xhtml";

type Observed = { readonly root: FakeNode; readonly records: FakeObserver };
const observed = new Set<Observed>();

interface FakeRecord {
  readonly type: "childList" | "attributes" | "characterData";
  readonly target: FakeNode;
  readonly addedNodes: FakeNode[];
  readonly removedNodes: FakeNode[];
  readonly attributeName?: string;
}

function tell(record: FakeRecord): void {
  for (const { root, records } of observed) if (root.contains(record.target)) records.queue.push(record);
}

class FakeNode extends EventTarget {
  parent: FakeNode | null = null;
  readonly children: FakeNode[] = [];

  constructor(private readonly kind: number) {
    super();
  }
  get nodeType(): number {
    return this.kind;
  }
  get parentNode(): FakeNode | null {
    return this.parent;
  }
  get firstChild(): FakeNode | null {
    return this.children[0] ?? null;
  }
  get nextSibling(): FakeNode | null {
    return this.beside(1);
  }
  get previousSibling(): FakeNode | null {
    return this.beside(-1);
  }
  get isConnected(): boolean {
    return this.getRootNode() instanceof FakeDocument;
  }
  get textContent(): string {
    return this.children.map((child) => child.textContent).join("");
  }
  get baseURI(): string {
    return "https://page.test/";
  }
  getRootNode(): FakeNode {
    return this.parent?.getRootNode() ?? this;
  }
  contains(node: FakeNode | null): boolean {
    return node === this || (node !== null && this.contains(node.parent));
  }
  /** Puts a node before a child, or at the end. */
  put(node: FakeNode, before: FakeNode | null = null): void {
    node.remove();
    this.children.splice(before ? this.children.indexOf(before) : this.children.length, 0, node);
    node.parent = this;
    tell({ type: "childList", target: this, addedNodes: [node], removedNodes: [] });
  }
  remove(): void {
    const { parent } = this;
    if (!parent) return;
    parent.children.splice(parent.children.indexOf(this), 1);
    // An observer's registration stays with what left, for a moment; here a test takes the records before it goes on.
    tell({ type: "childList", target: parent, addedNodes: [], removedNodes: [this] });
    this.parent = null;
  }
  private beside(step: number): FakeNode | null {
    const row = this.parent?.children ?? [];
    return row[row.indexOf(this) + step] ?? null;
  }
}

class FakeCharacterData extends FakeNode {
  constructor(private text: string) {
    super(3);
  }
  get data(): string {
    return this.text;
  }
  set data(text: string) {
    this.text = text;
    tell({ type: "characterData", target: this, addedNodes: [], removedNodes: [] });
  }
  get length(): number {
    return this.text.length;
  }
  override get textContent(): string {
    return this.text;
  }
}

class FakeElement extends FakeNode {
  private readonly named = new Map<string, string>();
  shadow: FakeShadowRoot | null = null;

  constructor(readonly name: string) {
    super(1);
  }
  get localName(): string {
    return this.name;
  }
  get namespaceURI(): string {
    return HTML;
  }
  get attributes(): { name: string; value: string }[] {
    return [...this.named].map(([name, value]) => ({ name, value }));
  }
  get shadowRoot(): FakeShadowRoot | null {
    return this.shadow;
  }
  get scrollLeft(): number {
    return 0;
  }
  get scrollTop(): number {
    return 0;
  }
  getAttribute(name: string): string | null {
    return this.named.get(name) ?? null;
  }
  hasAttribute(name: string): boolean {
    return this.named.has(name);
  }
  hasAttributes(): boolean {
    return this.named.size > 0;
  }
  getAttributeNames(): string[] {
    return [...this.named.keys()];
  }
  getAttributeNodeNS(): null {
    return null;
  }
  /** Of the state that only pseudo-classes tell nothing holds here. */
  matches(): boolean {
    return false;
  }
  closest(): null {
    return null;
  }
  setAttribute(attributeName: string, value: string): void {
    this.named.set(attributeName, value);
    tell({ type: "attributes", target: this, addedNodes: [], removedNodes: [], attributeName });
  }
  removeAttribute(attributeName: string): void {
    this.named.delete(attributeName);
    tell({ type: "attributes", target: this, addedNodes: [], removedNodes: [], attributeName });
  }
  attachShadow(): FakeShadowRoot {
    this.shadow = new FakeShadowRoot(this);
    return this.shadow;
  }
}

class FakeInput extends FakeElement {
  private written = "";
  get value(): string {
    return this.written;
  }
  set value(value: string) {
    this.written = value;
  }
  get type(): string {
    return this.getAttribute("type") ?? "text";
  }
  get checked(): boolean {
    return false;
  }
  get indeterminate(): boolean {
    return false;
  }
  get files(): null {
    return null;
  }
}

class FakeFragment extends FakeNode {}

class FakeShadowRoot extends FakeFragment {
  readonly mode = "open";
  readonly slotAssignment = "named";
  readonly adoptedStyleSheets = [];
  constructor(readonly host: FakeElement) {
    super(11);
  }
  get activeElement(): null {
    return null;
  }
  get styleSheets(): [] {
    return [];
  }
  getAnimations(): [] {
    return [];
  }
  querySelectorAll(): [] {
    return [];
  }
  override getRootNode(): FakeNode {
    return this;
  }
  override get isConnected(): boolean {
    return this.host.isConnected;
  }
}

class FakeDocument extends FakeNode {
  constructor() {
    super(9);
  }
  get documentElement(): FakeNode | null {
    return this.firstChild;
  }
  get scrollingElement(): FakeNode | null {
    return this.firstChild;
  }
  get activeElement(): null {
    return null;
  }
  get fullscreenElement(): null {
    return null;
  }
  get compatMode(): string {
    return "CSS1Compat";
  }
  get title(): string {
    return "A page";
  }
  get referrer(): string {
    return "";
  }
  get readyState(): string {
    return "complete";
  }
  get visibilityState(): string {
    return "visible";
  }
  get adoptedStyleSheets(): [] {
    return [];
  }
  get styleSheets(): [] {
    return [];
  }
  get fonts(): Set<never> {
    return new Set();
  }
  hasFocus(): boolean {
    return true;
  }
  getSelection(): null {
    return null;
  }
  getAnimations(): [] {
    return [];
  }
  querySelector(): null {
    return null;
  }
  querySelectorAll(): [] {
    return [];
  }
  createTreeWalker(root: FakeNode): { nextNode(): FakeNode | null } {
    const below = (node: FakeNode): FakeNode[] =>
      node.children.flatMap((child) => (child.nodeType === 1 ? [child, ...below(child)] : []));
    const row = below(root);
    return { nextNode: () => row.shift() ?? null };
  }
}

class FakeObserver {
  queue: FakeRecord[] = [];
  private readonly mine: Observed[] = [];
  observe(root: FakeNode): void {
    const entry = { root, records: this };
    this.mine.push(entry);
    observed.add(entry);
  }
  disconnect(): void {
    for (const entry of this.mine.splice(0)) observed.delete(entry);
    this.queue = [];
  }
  takeRecords(): FakeRecord[] {
    return this.queue.splice(0);
  }
}

Object.assign(globalThis, {
  PAGEREEL_CONFIG: { transport: "cdp", binding: "out", handle: "handle", mask: [] } satisfies InjectorConfig,
  Node: FakeNode,
  CharacterData: FakeCharacterData,
  Element: FakeElement,
  Document: FakeDocument,
  DocumentFragment: FakeFragment,
  ShadowRoot: FakeShadowRoot,
  NodeFilter: { SHOW_ELEMENT: 1 },
  HTMLInputElement: FakeInput,
  HTMLCanvasElement: class {},
  SVGSVGElement: class {},
});

export const TEST_CONFIG: InjectorConfig = { transport: "cdp", binding: "out", handle: "handle", mask: [] };

/** Returns a fake element with these children, for tests of the injector. */
export const makeElement = (name: string, ...children: (FakeNode | string)[]): FakeElement => {
  const made = name === "input" ? new FakeInput(name) : new FakeElement(name);
  for (const child of children) made.put(typeof child === "string" ? makeText(child) : child);
  return made;
};
export const makeText = (data: string): FakeCharacterData => new FakeCharacterData(data);
export type { FakeElement, FakeNode };

/** A fake document with a body, and the native functions that a session needs. Its clock advances only when a test calls `tick`. */
export class FakePage {
  readonly document = new FakeDocument();
  readonly body = makeElement("body");
  readonly sent: string[] = [];
  /** ms on the page's clock. */
  now = 1000;
  /** ms that pass with each look at the clock. */
  cost = 0;
  /** How often a timer has gone off. */
  woken = 0;
  private timers: { at: number; work: () => void }[] = [];
  readonly natives: NativeFunctions = {
    MutationObserver: FakeObserver as unknown as typeof MutationObserver,
    setTimeout: (work, delay = 0) => this.timers.push({ at: this.now + delay, work }),
    timers: true,
    now: () => (this.now += this.cost),
    send: (payload) => this.sent.push(payload),
  };
  readonly window = {
    document: this.document,
    top: null,
    location: { href: "https://page.test/a", hash: "" },
    innerWidth: 800,
    innerHeight: 600,
    scrollX: 0,
    scrollY: 0,
    devicePixelRatio: 1,
    performance: { timeOrigin: 1_000_000, getEntriesByType: () => [] },
    crypto: globalThis.crypto,
    matchMedia: () => ({ matches: false }),
    requestAnimationFrame: () => 0,
  };

  constructor() {
    observed.clear(); // One page at a time: what earlier ones observe would be asked of each change.
    this.document.put(makeElement("html", this.body));
  }

  /** Lets time pass: what is due meanwhile is done, each at its moment. */
  tick(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers.splice(this.timers.indexOf(next), 1);
      this.now = Math.max(this.now, next.at);
      this.woken += 1;
      next.work();
    }
    this.now = end;
  }

  /** The messages that left since the last call. */
  messages(): { k: string; t: number; ops?: unknown[][]; [field: string]: unknown }[] {
    return this.sent.splice(0).flatMap((payload) => JSON.parse(payload).e);
  }
}
