// Draws a panel without a browser: the little of a document that Preact writes to, and a player that has a story and no page.

import { type FunctionComponent, render } from "preact";
import type { PlayerEvent } from "../src/decode/events.ts";
import { Recording } from "../src/history/recording.ts";
import { Story } from "../src/history/story.ts";
import type { Player } from "../src/player.ts";
import { UiState } from "../src/ui/state.ts";
import { UiContext } from "../src/ui/hooks.ts";

class FakeNode {
  parentNode: FakeNode | null = null;
  readonly childNodes: FakeNode[] = [];
  readonly attributes = new Map<string, string>();
  readonly listeners = new Map<string, (event: object) => void>();
  readonly style = { setProperty: () => {}, cssText: "" };
  [property: string]: unknown;

  constructor(
    readonly localName: string,
    readonly namespaceURI = "http://www.w3.org/1999/xhtml",
    public data = "",
  ) {}
  get nodeType(): number {
    return this.localName === "#text" ? 3 : 1;
  }
  get ownerDocument(): unknown {
    return globalThis.document;
  }
  get firstChild(): FakeNode | null {
    return this.childNodes[0] ?? null;
  }
  get nextSibling(): FakeNode | null {
    const row = this.parentNode?.childNodes ?? [];
    return row[row.indexOf(this) + 1] ?? null;
  }
  insertBefore(child: FakeNode, next: FakeNode | null): FakeNode {
    child.remove();
    this.childNodes.splice(next ? this.childNodes.indexOf(next) : this.childNodes.length, 0, child);
    child.parentNode = this;
    return child;
  }
  appendChild(child: FakeNode): FakeNode {
    return this.insertBefore(child, null);
  }
  removeChild(child: FakeNode): void {
    child.remove();
  }
  remove(): void {
    const row = this.parentNode?.childNodes;
    row?.splice(row.indexOf(this), 1);
    this.parentNode = null;
  }
  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, String(value));
  }
  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }
  addEventListener(type: string, listener: (this: FakeNode, event: object) => void): void {
    this.listeners.set(type.toLowerCase(), listener.bind(this));
  }
  removeEventListener(type: string): void {
    this.listeners.delete(type.toLowerCase());
  }
  *all(): Generator<FakeNode> {
    yield this;
    for (const child of this.childNodes) yield* child.all();
  }
  querySelectorAll(): FakeNode[] {
    return []; // Nothing is laid out: no list follows anything.
  }
  /** Whether it, or what it stands in, listens to a type of event. */
  heard(type: string): boolean {
    return this.listeners.has(type) || Boolean(this.parentNode?.heard(type));
  }
  get text(): string {
    return this.data + this.childNodes.map(({ text }) => text).join("");
  }
}

/** A panel that was drawn into a fake document. */
export interface DrawnPanel {
  readonly player: Player;
  readonly ui: UiState;
  /** The text of each element with a class, in order. */
  texts(name: string): string[];
  /** All of it. */
  text(): string;
  /** Does what a listener is there for, at the first element with this text (or label, or alternative), and waits until all is drawn. */
  act(type: string, text: string, target?: object): Promise<void>;
  /** Goes to another time, and waits until all is drawn. */
  go(t: number): Promise<void>;
}

/** Draws a panel for a recording with these events, and returns it. */
export function drawPanel(
  Panel: FunctionComponent,
  events: readonly PlayerEvent[],
  info: object = {},
  duration = 10_000,
): DrawnPanel {
  const document = {
    createElementNS: (space: string, name: string) => new FakeNode(name, space),
    createTextNode: (data: string) => new FakeNode("#text", "", data),
    querySelector: () => null,
  };
  Object.assign(globalThis, { document });
  const story = new Story(duration);
  story.add(events);
  const listeners = new Set<() => void>();
  const player = {
    index: { title: "A run", duration, idle: [], info },
    story,
    duration,
    recording: new Recording(),
    resources: { body: (name: unknown) => name, fill: (text: string) => text },
    stage: { log: undefined, find: () => undefined },
    troubles: new Set<string>(),
    time: 0,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    changed: () => {
      for (const listener of listeners) listener();
    },
    seek: async (t: number) => {
      player.time = t;
      player.changed();
      return t;
    },
    stepsThatTouched: () => new Map(),
    actionNode: () => undefined,
  };
  const ui = new UiState(player as unknown as Player);
  const root = new FakeNode("root");
  render(
    <UiContext.Provider value={ui}>
      <Panel />
    </UiContext.Provider>,
    root as unknown as Element,
  );
  const drawn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  return {
    player: player as unknown as Player,
    ui,
    text: () => root.text,
    texts: (name) =>
      [...root.all()]
        .filter((node) => String(node.attributes.get("class")).split(" ").includes(name))
        .map((node) => node.text),
    async act(type, text, target = {}) {
      let found: FakeNode | null | undefined = [...root.all()].find(
        (node) =>
          node.heard(type) && [node.text, node.attributes.get("aria-label"), node.attributes.get("alt")].includes(text),
      );
      while (found && !found.listeners.has(type)) found = found.parentNode;
      if (!found) throw new Error(`nothing with the text ${text} listens to ${type}`);
      found.listeners.get(type)?.({ type, target, currentTarget: target });
      await drawn();
    },
    async go(t) {
      await (player.seek(t) as Promise<number>);
      await drawn();
    },
  };
}
