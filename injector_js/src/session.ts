// One document's recording: it observes the tree, decides when changes are taken, and has its parts tell what the tree does not hold.

import { MutationCollector } from "./changes.ts";
import { MessageBatcher } from "./message-batcher.ts";
import { CheckpointMaker } from "./checkpoints.ts";
import { type InjectorConfig, LIMITS } from "./config.ts";
import { documentElement, shadowRoot, visibilityState } from "./dom.ts";
import { TreeEncoder } from "./encoding/encode.ts";
import { StartTagTable } from "./encoding/start-tags.ts";
import type { Op } from "./encoding/ops.ts";
import { runSafely, wrapToReportErrors } from "./error-guard.ts";
import { createNodeIdsAsProperty, ModelMirror, createNodeIdsInWeakMap } from "./mirror.ts";
import type { NativeFunctions } from "./natives.ts";
import { CapturePace } from "./pace.ts";
import { type StateParts, createStateParts } from "./parts.ts";
import type { ReadTextPositions } from "./places/text-positions.ts";
import { MaskedFields } from "./policy.ts";
import { roundToTenth } from "./rounding.ts";
import type { RecordingScope } from "./scope.ts";
import type { LoadedFont } from "./state/fonts.ts";
import type { TransactionExtent } from "./state/part.ts";
import { TransactionStream } from "./stream.ts";

const OBSERVED: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true };

/** The recording of one document: observes its tree, decides when changes are sent, and asks its state parts for the rest. */
export class DocumentSession implements RecordingScope {
  readonly mirror: ModelMirror;
  readonly masks: MaskedFields;
  readonly canQuery: boolean;
  readonly stream: TransactionStream;
  readonly pace: CapturePace;
  readonly parts: StateParts;
  readonly checkpoints: CheckpointMaker;
  private readonly encoder: TreeEncoder;
  private readonly heads: StartTagTable | null;
  private readonly changes: MutationCollector;
  private readonly observer: MutationObserver;
  /** Ids that a part may keep: of the others nothing has to be forgotten. */
  private readonly held = new Set<number>();
  private readonly before: (() => void)[] = [];
  private taking: (() => void) | null = null;
  /** Unix time (ms) of the transaction of which parts are still to be sent; 0: none. */
  private sliced = 0;
  private lastLook = 0;
  /** When the next poll is, on the page's clock. */
  private due = 0;
  private looker: ReadTextPositions | undefined;
  private stopped = false;
  /** Whether somebody could see the document for the whole time since the last poll. */
  private seen = false;

  constructor(
    readonly document: Document,
    readonly window: Window & typeof globalThis,
    config: InjectorConfig,
    readonly natives: NativeFunctions,
  ) {
    const canQuery = config.transport === "cdp";
    this.canQuery = canQuery;
    this.mirror = new ModelMirror(canQuery ? createNodeIdsAsProperty() : createNodeIdsInWeakMap());
    this.masks = new MaskedFields(config.mask);
    // A page can call an exposed function itself, so what comes through one is taken as it stands, and nothing is put together from it.
    this.heads = canQuery ? new StartTagTable() : null;
    const channel = new MessageBatcher(randomKey(window), natives.send, natives.setTimeout, this.heads);
    // To a tenth of a ms.
    this.stream = new TransactionStream(channel, () => roundToTenth(window.performance.timeOrigin + natives.now()));
    this.pace = new CapturePace(natives, () => this.take(LIMITS.slice));
    this.parts = createStateParts(this);
    const { all, drawn, topLayer } = this.parts;
    this.encoder = new TreeEncoder(
      this.mirror,
      this.masks,
      {
        element: (element, id) => {
          this.held.add(id);
          all.meet(element, id);
        },
        drawn: (element) => drawn.draws(element),
        root: (root, id) => this.observe(root, id),
        moved: (node) => this.changes.placed(node),
        open: (parent) => this.changes.leftOpen(parent),
        mixed: () => this.changes.mixed,
      },
      natives.now,
      this.heads,
    );
    this.changes = new MutationCollector(this.mirror, this.encoder, this.masks, {
      forget: (id) => {
        if (this.held.delete(id)) all.forget(id);
      },
      toggled: (element) => topLayer.toggled(element),
      attributes: (element, changes) => all.attributes(element, changes),
    });
    this.checkpoints = new CheckpointMaker(this, this.parts, this.encoder.kinds, {
      take: () => this.take(),
      collectSilent: () => this.collectSilent(),
      pending: () => {
        this.noted(this.observer.takeRecords());
        return this.changes.pending || this.parts.scroll.pending || this.parts.controls.pending;
      },
    });
    this.observer = new natives.MutationObserver(
      wrapToReportErrors((records: MutationRecord[]) => {
        this.noted(records);
        if (!natives.timers) this.flush();
      }),
    );
  }

  follow(node: Node): number {
    const id = this.mirror.idOf(node);
    if (id !== 0) this.held.add(id);
    return id;
  }

  complete(): boolean {
    return !this.changes.pending;
  }

  encode(root: ShadowRoot, host: number) {
    return this.encoder.shadow(root, host);
  }

  /** Tells of the document and its first state, and begins to observe. `returned`: it was recorded before. */
  start(returned?: boolean): void {
    this.parts.view.begin();
    this.taking?.();
    this.snapshot(returned ? "heal" : documentElement(this.document)?.firstChild ? "late" : "start");
    this.stream.flush();
    this.poll();
  }

  /** Sends the state of the whole document, under new ids; what takes longer than a slice follows as further changes. */
  snapshot(why: "start" | "late" | "heal"): void {
    const { all, focus, scroll, view } = this.parts;
    this.observer.disconnect();
    this.changes.clear();
    this.held.clear();
    all.clear();
    this.mirror.clear();
    this.heads?.forget();
    this.encoder.budget(this.natives.now() + LIMITS.slice);
    const t = this.stream.time();
    this.stream.begin();
    this.observer.observe(this.document, OBSERVED);
    const first = this.mirror.nextId;
    const ops: Op[] = [["doc", first, this.encoder.document(this.document)]];
    runSafely(() => {
      if (why === "start") focus.begins();
      else scroll.find();
      scroll.poll(ops);
    });
    all.collect(ops, "everything");
    // What only looks find was told before, and is forgotten with all else.
    if (why === "heal") all.poll(ops, true);
    this.sliced = this.changes.pending ? t : 0;
    this.stream.emit("snapshot", { t, why, ops, ...(why === "late" && { age: view.age() }) }, 60_000);
    if (this.changes.pending) this.pace.soon(LIMITS.between);
    this.pace.touch();
  }

  /** Sends one message of an interaction, after all that happened before it. */
  interaction(k: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (this.stopped) return;
    for (const work of this.before) work();
    this.parts.all.wake();
    const t = this.stream.time();
    this.pace.acted();
    this.wake();
    this.take();
    this.stream.emit(k, { ...fields, t });
  }

  /** Sends samples that were gathered since `began` (Unix ms): they belong before what comes next. */
  samples(k: string, fields: Readonly<Record<string, unknown>>, began: number): void {
    if (!this.stopped) this.stream.emit(k, { ...fields, t: began }, 200);
  }

  later(work: () => void, delay: number): void {
    this.natives.setTimeout(work, delay);
  }

  /** Registers work to be done before each interaction, and before everything is sent. */
  beforeInteraction(work: () => void): void {
    this.before.push(work);
  }

  /** Registers work to be done whenever changes are taken. */
  onTake(work: () => void): void {
    this.taking = work;
  }

  viewportChanged(): void {
    this.parts.view.changed();
    this.pace.soon();
  }

  /** Somebody sees the document from now on, or no longer. */
  visibilityChanged(): void {
    this.seen = false;
    this.interaction("visibility", { state: visibilityState(this.document) });
    this.flush();
  }

  controlChanged(element: Element): void {
    const id = this.mirror.idOf(element);
    if (id !== 0) this.parts.controls.changed(id);
    this.pace.soon();
  }

  /**
   * Something is another now, of which the next transaction will tell: it was so from this moment, or for up to `ago` ms, but after all that was
   * told. Right after a checkpoint it is from this moment: what was there then was told then, and a mark's own time is a little later.
   */
  happened(ago = 0): void {
    this.stream.happened(this.natives.now() - this.checkpoints.askedAt < LIMITS.poll ? 0 : ago);
    this.pace.soon();
  }

  /** Has everything that is sampled be sampled so many times less often, and changes gather for longer. */
  slow(times: number): void {
    this.pace.slowness = times;
    this.parts.canvases.slowness = times;
  }

  /**
   * Takes all pending changes now, or for `budget` ms and the rest soon. One transaction, one time: that of its first slice, for the page
   * showed all of it then.
   */
  take(budget = Number.POSITIVE_INFINITY): void {
    if (this.stopped) return;
    this.taking?.();
    this.noted(this.observer.takeRecords());
    const ops: Op[] = [];
    const whole = budget === Number.POSITIVE_INFINITY;
    do {
      this.encoder.budget(this.natives.now() + budget);
      if (!runSafely(() => this.changes.collect(ops))) break;
    } while (this.changes.pending && whole);
    if (this.sliced !== 0 && ops.length > 0) {
      this.stream.emit("mutation", { t: this.sliced, ops: ops.splice(0) }, LIMITS.batchSize);
      this.pace.touch();
    }
    const { pending } = this.changes;
    // What only looks find waits for the last slice: told with its own, later time it would keep the next slice from that of the first.
    if (pending && !whole && this.sliced !== 0) {
      this.pace.soon(LIMITS.between);
      return;
    }
    this.parts.roots.late(ops, "near");
    const extent: TransactionExtent = whole ? "changes" : "slice";
    this.parts.all.collect(ops, extent);
    const t = this.stream.stateTime();
    if (this.stream.told(ops, t)) this.pace.touch();
    this.sliced = pending ? t : 0;
    if (pending) this.pace.soon(LIMITS.between);
  }

  flush(): number {
    for (const work of this.before) work();
    this.take();
    return this.stream.flush();
  }

  /**
   * Where what can be read stands in the viewport, and the number of the message after which the page model says what it is. Undefined until
   * `look` was given once.
   */
  places(look?: ReadTextPositions): string | undefined {
    this.looker = look ?? this.looker;
    if (!this.looker) return undefined;
    const { window, document, masks, stream } = this;
    const { all, bubble, roots } = this.parts;
    this.take();
    roots.missed = true;
    const ops = this.collectSilent();
    all.poll(ops, false);
    if (stream.told(ops)) this.pace.touch();
    stream.flush();
    try {
      if (!roots.small || this.stopped) return "";
      if (bubble.field) throw new Error("a message of the browser's");
      const found = this.looker({ window, document, masks, idOf: (node) => this.mirror.idOf(node), shadowRoot });
      return JSON.stringify({ n: stream.last, ...found });
    } catch (error) {
      return JSON.stringify({ n: stream.last, why: `${error}`.slice(0, 100) });
    }
  }

  /** Takes a checkpoint at once. `fonts`: those that the document has loaded, as the recorder knows. */
  checkpoint(fonts: readonly LoadedFont[] = []): void {
    this.checkpoints.take(fonts);
  }

  /** The canonical lines of the live document. */
  lines(): string {
    this.flush();
    return this.checkpoints.lines();
  }

  stop(): void {
    this.stopped = true;
    this.pace.stop();
    this.checkpoints.stop();
    this.observer.disconnect();
    this.parts.all.clear();
    this.mirror.clear();
    this.stream.stop();
  }

  /** Something of ours threw: it is told once, and the next checkpoint says what it has cost. */
  failed(error: unknown): void {
    this.pace.touch();
    this.checkpoints.giveUp();
    this.stream.failed(error);
  }

  /** Custom elements whose shadow roots, if any, are closed, and fields that may show other than their value. */
  askedHosts(): Element[] {
    this.take();
    return [...this.parts.roots.asked(), ...this.parts.controls.doubts.keys()];
  }

  /** Something can be seen only now and then; also when nothing else happens, but then seldom. */
  private poll(wait: number = this.isCalm ? LIMITS.seldom : LIMITS.poll): void {
    if (this.stopped) return;
    const due = this.natives.now() + wait;
    this.due = due;
    this.seen = visibilityState(this.document) === "visible";
    this.natives.setTimeout(() => {
      if (this.stopped || this.due !== due) return;
      this.beat(due);
      if (this.looksNow()) {
        runSafely(() => this.look());
        runSafely(() => this.take(LIMITS.slice));
      }
      runSafely(() => this.checkpoints.idle());
      this.poll();
    }, wait);
  }

  /** Something happens: the next poll is not for much later. */
  private wake(): void {
    if (this.due - this.natives.now() > LIMITS.poll) this.poll(LIMITS.poll);
  }

  private get isCalm(): boolean {
    return this.pace.isQuiet && !this.parts.animations.any;
  }

  /**
   * Tells where the page's thread was late: it was to go on at `due`, on the page's clock. Timers of what nobody sees wait by design, and frames share
   * their page's thread.
   */
  private beat(due: number): void {
    const late = roundToTenth(this.natives.now() - due);
    if (late < LIMITS.late || !this.seen || this.window.top !== this.window) return;
    this.stream.push("stall", { t: roundToTenth(this.stream.time() - late), late });
  }

  /** Whether this poll looks: seldom where nothing else happens, and where so much does that it already takes its share of the page's time. */
  private looksNow(): boolean {
    const { pace } = this;
    const now = this.natives.now();
    if ((this.isCalm || pace.spent > LIMITS.slice) && now - this.lastLook < LIMITS.seldom - LIMITS.late) return false;
    this.lastLook = now;
    pace.spent = 0;
    return true;
  }

  /** Looks at what no event tells. */
  private look(): void {
    const { pace, stream } = this;
    const { all, sheets } = this.parts;
    const ops: Op[] = [];
    this.take(LIMITS.slice);
    this.encoder.budget(this.natives.now() + LIMITS.slice);
    all.collectSilent(ops, false);
    if (ops.length > 0) pace.touch();
    if (sheets.due) runSafely(() => sheets.read(ops));
    all.poll(ops, false);
    stream.told(ops);
  }

  private noted(records: readonly MutationRecord[]): void {
    if (records.length === 0 || this.stopped) return;
    this.taking?.();
    this.changes.note(records);
    this.stream.noted();
    this.pace.soon();
    this.wake();
  }

  private collectSilent(): Op[] {
    const ops: Op[] = [];
    this.encoder.budget(Number.POSITIVE_INFINITY);
    this.parts.all.collectSilent(ops, true);
    return ops;
  }

  private observe(root: ShadowRoot | DocumentFragment, id: number): void {
    this.observer.observe(root, OBSERVED);
    if (!(root instanceof ShadowRoot)) return;
    this.held.add(id);
    this.parts.all.meetRoot(root, id);
  }
}

function randomKey(window: Window): string {
  const words = window.crypto.getRandomValues(new Uint32Array(3));
  return Array.from(words, (word) => word.toString(36)).join("");
}
