// The shadow roots of a document: those that are known, those that are attached late, of which nothing tells, and the closed ones, which only the
// recorder can see and is asked for.

import { LIMITS } from "../config.ts";
import { rememberClosedRoot } from "../dom.ts";
import type { Op, Tree } from "../encoding/ops.ts";
import type { ModelMirror } from "../mirror.ts";
import type { CapturePace } from "../pace.ts";
import type { TransactionStream } from "../stream.ts";
import { LateShadowRoots } from "./late-roots.ts";
import type { ChangedAttributes, StatePart } from "./part.ts";

/** Elements of whose state events tell that go no further than their shadow root. */
const SHOWING = /^(?:img|image|input|select|textarea|video|audio|link|object|embed|dialog|details|svg)$/;

export class ShadowRootList implements StatePart {
  /** By id. */
  readonly known = new Map<number, ShadowRoot>();
  /** Whether some element has a root that is not known: all are looked through for it. */
  missed = false;
  private readonly hosts: LateShadowRoots;
  private readonly heard = new WeakSet<ShadowRoot>();
  private asking = false;
  private askedAll = Number.NEGATIVE_INFINITY;
  private onRoot: ((root: ShadowRoot) => void) | null = null;
  private onShow: ((root: ShadowRoot) => void) | null = null;

  constructor(
    private readonly document: Document,
    private readonly mirror: ModelMirror,
    private readonly stream: TransactionStream,
    private readonly pace: CapturePace,
    private readonly now: () => number,
    /** Whether the recorder can look for closed roots. */
    private readonly canQuery: boolean,
    private readonly encode: (root: ShadowRoot, host: number) => Tree,
  ) {
    this.hosts = new LateShadowRoots(
      document,
      () => this.known.values(),
      (node) => mirror.idOf(node),
    );
  }

  /** Has every root listened to, and those that hold what most have no use for to more: `onShow`. */
  listen(onRoot: (root: ShadowRoot) => void, onShow: (root: ShadowRoot) => void): void {
    this.onRoot = onRoot;
    this.onShow = onShow;
  }

  meet(element: Element, id: number): void {
    this.hosts.meet(element, id);
    if (SHOWING.test(element.localName) || element.hasAttribute("popover")) this.hear(element);
  }

  meetRoot(root: ShadowRoot, id: number): void {
    this.known.set(id, root);
    this.onRoot?.(root);
  }

  attributes(element: Element, changes: ChangedAttributes): void {
    if ("popover" in changes) this.hear(element);
  }

  forget(id: number): void {
    this.hosts.forget(id);
    this.known.delete(id);
  }

  clear(): void {
    this.known.clear();
    this.hosts.clear();
  }

  collectSilent(ops: Op[], all: boolean): void {
    this.late(ops, !all ? "some" : this.missed ? "all" : "near");
    this.missed = false;
    if (!all) this.askForAll();
  }

  /** Shadow roots that were attached to elements already recorded: to custom elements, or to any. */
  late(ops: Op[], where: "near" | "some" | "all"): void {
    const found = (_: Element, id: number, root: ShadowRoot) => {
      const first = this.mirror.nextId;
      ops.push(["add", id, first, this.encode(root, id)]);
    };
    this.hosts.late(found);
    if (where !== "near") this.hosts.inTurn(found, where === "all");
    if (this.asking || !this.hosts.unsure()) return;
    this.asking = true;
    if (this.canQuery) this.stream.push("hosts");
    else this.stream.unsupportedOnce("shadow", "closed roots, which only the browser's own protocol shows");
  }

  /** Whether the browser may be asked to describe the whole document. */
  get small(): boolean {
    return this.mirror.elements <= LIMITS.described;
  }

  /** Custom elements whose shadow roots, if any, are closed: the recorder looks, and tells with {@link closed}. */
  asked(): Element[] {
    this.asking = false;
    this.hosts.unsure();
    return this.hosts.take();
  }

  /** A closed root, as the recorder found it. */
  closed(host: Element, root: ShadowRoot): void {
    rememberClosedRoot(host, root);
  }

  /**
   * On a page that is not too large, the recorder may look for closed roots on elements of any name: once the page has become calm, for the
   * browser has to describe all of it, with the frames inside, and seldom on one that never does. A checkpoint looks in any case.
   */
  private askForAll(): void {
    const { lastChange } = this.pace;
    if (!this.canQuery || lastChange <= this.askedAll || !this.small) return;
    const now = this.now();
    const calm = now - lastChange > LIMITS.idle;
    const pause = 1000 + this.mirror.elements;
    if (calm ? now - this.askedAll < pause : now - Math.max(this.askedAll, 0) < 10 * pause) return;
    this.askedAll = now;
    this.stream.push("hosts", { all: true });
  }

  private hear(element: Element): void {
    const root = element.getRootNode();
    if (root === this.document || !(root instanceof ShadowRoot) || this.heard.has(root)) return;
    this.heard.add(root);
    this.onShow?.(root);
  }
}
