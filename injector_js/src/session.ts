// One document's recording: it owns the mirror and the observer, decides when changes are taken, and in which order things leave.

import { Changes } from "./changes.ts";
import { Channel, type Message } from "./channel.ts";
import { type Config, LIMITS, QUERIES } from "./config.ts";
import { Crc32, Walk } from "./digest.ts";
import { compatMode, documentElement, knowClosedRoot, referrer, shadowRoot, title } from "./dom.ts";
import { Encoder } from "./encoding/encode.ts";
import { Heads } from "./encoding/heads.ts";
import type { Op } from "./encoding/ops.ts";
import { attempt, safe } from "./guard.ts";
import { isolatedIds, Mirror, sharedIds } from "./mirror.ts";
import type { Look } from "./places/look.ts";
import { Masks } from "./policy.ts";
import { Animations } from "./state/animations.ts";
import { Bubble } from "./state/bubble.ts";
import { Canvases, type Picture } from "./state/canvas.ts";
import { Clocks } from "./state/clocks.ts";
import { Controls, isControl } from "./state/controls.ts";
import { Cues } from "./state/cues.ts";
import { Drawn } from "./state/drawn.ts";
import { Embedded } from "./state/embedded.ts";
import { Exact } from "./state/exact.ts";
import { Films } from "./state/film.ts";
import { Focus } from "./state/focus.ts";
import { Fonts, type Loaded } from "./state/fonts.ts";
import { Highlights } from "./state/highlights.ts";
import { Hosts } from "./state/hosts.ts";
import { Looks } from "./state/looks.ts";
import { Media } from "./state/media.ts";
import { Pointed } from "./state/pointed.ts";
import { Registries } from "./state/registries.ts";
import { Scroll } from "./state/scroll.ts";
import { Share } from "./state/share.ts";
import { Sheets } from "./state/sheets.ts";
import { Slots } from "./state/slots.ts";
import { Sources } from "./state/sources.ts";
import { States } from "./state/states.ts";
import { TopLayer } from "./state/toplayer.ts";
import type { StateTracker } from "./state/tracker.ts";

/** The browser's own functions, taken before any script of the page could change them. */
export interface Natives {
  readonly MutationObserver: typeof MutationObserver;
  readonly setTimeout: (work: () => void, delay?: number) => number;
  /** Whether timers run at all; where they do not, everything is told at once. */
  readonly timers: boolean;
  readonly now: () => number;
  readonly send: (payload: string) => void;
}

const OBSERVED: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true };

/** Elements of whose state events tell that go no further than their shadow root. */
const SHOWING = /^(?:img|image|input|select|textarea|video|audio|link|object|embed|dialog|details|svg)$/;

export class Session {
  readonly mirror: Mirror;
  readonly masks: Masks;
  private readonly channel: Channel;
  private readonly encoder: Encoder;
  private readonly heads: Heads | null;
  private readonly changes: Changes;
  private readonly controls: Controls;
  readonly sheets: Sheets;
  private readonly drawn: Drawn;
  private readonly exact: Exact;
  private readonly observer: MutationObserver;
  private readonly roots = new Map<number, ShadowRoot>();
  private readonly hosts: Hosts;
  readonly scroll: Scroll;
  readonly focus: Focus;
  readonly bubble: Bubble;
  readonly pointed: Pointed;
  readonly topLayer: TopLayer;
  readonly media: Media;
  readonly clocks: Clocks;
  private readonly slots: Slots;
  readonly sources: Sources;
  readonly canvases: Canvases;
  readonly films: Films;
  readonly animations: Animations;
  readonly embedded: Embedded;
  readonly fonts: Fonts;
  private readonly looks: Looks;
  private readonly trackers: readonly StateTracker[];
  private readonly dirtyControls = new Set<number>();
  /** Ids that a tracker may hold: of the others nothing has to be forgotten. */
  private readonly held = new Set<number>();
  private url: string;
  private dpr: number;
  private resized = false;
  private settleTimer = 0;
  private changedSinceCheckpoint = true;
  private lastChange = 0;
  private lastTake = 0;
  /** How many times less often than usual things are sampled. */
  slowness = 1;
  /** Since when changes have followed each other without a pause and without anybody's doing. */
  private steadySince = 0;
  private readonly checkpoints: Share;
  private lastLook = 0;
  /** ms that taking changes took since the last look. */
  private spent = 0;
  private readonly complained = new Set<string>();
  private walkStart = 0;
  private walk: Walk | null = null;
  private stopped = false;
  private looker: Look | undefined;
  private asking = false;
  private askedAll = Number.NEGATIVE_INFINITY;
  private readonly before: (() => void)[] = [];
  private taking: (() => void) | null = null;
  /** Unix time (ms) of the transaction of which parts are still to be sent; 0: none. */
  private sliced = 0;
  /** Unix time (ms) of the newest change that was not sent yet; 0: none. */
  private notedAt = 0;
  /** Unix ms of the last message. */
  private saidAt = 0;
  /** Unix ms of the last checkpoint. */
  checkpointAt = 0;
  /** When the recorder last asked for a checkpoint, of the page's clock. */
  private checkedAt = Number.NEGATIVE_INFINITY;
  private rootListener: ((root: ShadowRoot) => void) | null = null;
  /** Listens in a shadow root to events that do not bubble out of it. */
  private showListener: ((root: ShadowRoot) => void) | null = null;
  private readonly heard = new WeakSet<ShadowRoot>();

  constructor(
    readonly document: Document,
    readonly window: Window & typeof globalThis,
    private readonly config: Config,
    readonly natives: Natives,
  ) {
    this.mirror = new Mirror(config.transport === "cdp" ? isolatedIds() : sharedIds());
    this.masks = new Masks(config.mask);
    this.controls = new Controls(this.masks, natives.now);
    this.checkpoints = new Share(natives.now);
    this.sheets = new Sheets(document, this.mirror, this.roots, natives.now);
    // A page can call an exposed function itself, so what comes through one is taken as it stands, and nothing is put together from it.
    const heads = config.transport === "cdp" ? new Heads() : null;
    this.heads = heads;
    this.channel = new Channel(randomKey(window), natives.send, natives.setTimeout, heads);
    this.encoder = new Encoder(
      this.mirror,
      this.masks,
      {
        element: (element, id) => this.meet(element, id),
        drawn: (element) => this.drawn.meet(element),
        root: (root, id) => this.observeRoot(root, id),
        moved: (node) => this.changes.placed(node),
        open: (parent) => this.changes.leftOpen(parent),
        mixed: () => this.changes.mixed,
      },
      natives.now,
      heads,
    );
    this.changes = new Changes(this.mirror, this.encoder, this.masks, {
      forget: (id) => this.forget(id),
      toggled: (element) => this.topLayer.toggled(element),
      attributes: (element, changes) => this.attributesChanged(element, changes),
    });
    const idOf = (node: Node) => {
      const id = this.mirror.idOf(node);
      if (id !== 0) this.held.add(id);
      return id;
    };
    this.drawn = new Drawn(
      this.masks,
      (node) => this.mirror.idOf(node),
      natives.now,
      () => this.settleSoon(LIMITS.settleSteady),
    );
    this.exact = new Exact(idOf);
    this.hosts = new Hosts(
      document,
      () => this.roots.values(),
      (node) => this.mirror.idOf(node),
    );
    this.scroll = new Scroll(
      document,
      window,
      this.mirror,
      () => this.roots.values(),
      () => !this.changes.pending,
      natives.now,
    );
    this.focus = new Focus(document, this.mirror, this.masks);
    this.bubble = new Bubble(
      this.focus,
      idOf,
      this.masks,
      natives.now,
      () => config.transport === "cdp" && this.elements <= LIMITS.askedElements,
      () => this.channel.push({ k: "bubble", t: this.time() }),
    );
    this.pointed = new Pointed(document, window, idOf);
    this.topLayer = new TopLayer(document, idOf);
    this.media = new Media(idOf);
    this.clocks = new Clocks(idOf, natives.now);
    this.slots = new Slots((node) => this.mirror.idOf(node));
    this.sources = new Sources(
      idOf,
      (bytes) => this.channel.push({ k: "blob", t: this.time(), ...bytes }, bytes.base64.length),
      (url, reason) => this.channel.push({ k: "gap", t: this.time(), reason, detail: `blob ${url}` }),
      config.transport === "cdp"
        ? (url, medium) => this.channel.push({ k: "wanted", t: this.time(), url, medium })
        : null,
    );
    const picture = (picture: Picture) =>
      this.message({ k: "canvas", t: this.time(), ...picture }, picture.base64.length);
    this.canvases = new Canvases(
      window,
      natives.now,
      () => this.time(),
      picture,
      (node, detail) => this.channel.push({ k: "unsupported", t: this.time(), what: "canvas", node, detail }),
      config.transport === "cdp" ? () => this.channel.push({ k: "shoot", t: this.time() }) : null,
    );
    this.films = new Films(idOf, () => this.time(), picture, this.canvases.shots);
    this.animations = new Animations(
      () => [document, ...this.roots.values()],
      idOf,
      (id) => this.mirror.alive(id),
      natives.now,
      (count) => this.unsupportedOnce("animations", `${count} at once`),
    );
    const added = ["", ""];
    const own = (at: 0 | 1, rules: string) => {
      added[at] = rules;
      this.sheets.own(added.join("\n").trim());
      this.settleSoon();
    };
    this.fonts = new Fonts(
      document,
      (detail) => this.channel.push({ k: "unsupported", t: this.time(), what: "font", detail }),
      config.transport === "cdp" ? () => this.channel.push({ k: "fonts", t: this.time() }) : null,
      (rules) => own(0, rules),
    );
    this.looks = new Looks(
      window,
      document,
      (node) => this.mirror.idOf(node),
      this.canvases,
      () => this.pointed.hovered,
      this.masks,
      natives.now,
    );
    this.embedded = new Embedded(document, natives.now, (what, node, detail) =>
      this.channel.push({ k: "unsupported", t: this.time(), what, node, detail }),
    );
    this.trackers = [
      this.scroll,
      this.focus,
      this.bubble,
      this.pointed,
      this.topLayer,
      this.media,
      this.clocks,
      this.slots,
      this.exact,
      this.sources,
      this.canvases,
      this.films,
      this.animations,
      this.fonts,
      new Cues(this.masks),
      new Highlights((node) => this.mirror.idOf(node), this.masks, natives.now),
      new States(document, idOf, () => this.roots.values()),
      ...(config.transport === "cdp"
        ? [
            new Registries(
              document,
              (what, detail) => this.channel.push({ k: "unsupported", t: this.time(), what, detail }),
              (rules) => own(1, rules),
            ),
          ]
        : []),
      this.embedded,
    ];
    this.observer = new natives.MutationObserver(
      safe((records: MutationRecord[]) => {
        this.noted(records);
        if (!natives.timers) this.flush();
      }),
    );
    this.url = window.location.href;
    this.dpr = window.devicePixelRatio;
  }

  /** Unix time in ms, from the page's own monotonic clock, to a tenth. */
  time(): number {
    return Math.round((this.window.performance.timeOrigin + this.natives.now()) * 10) / 10;
  }

  /** Tells of the document and its first state, and begins to observe. */
  start(onRoot: (root: ShadowRoot) => void, onShow: (root: ShadowRoot) => void): void {
    this.rootListener = onRoot;
    this.showListener = onShow;
    const { window, document } = this;
    this.channel.push({
      k: "document",
      t: this.time(),
      url: this.url,
      mode: compatMode(document),
      viewport: this.viewport(),
      ...this.preferences(),
      top: window.top === window,
      title: title(document),
      referrer: referrer(document),
    });
    this.taking?.();
    this.snapshot(documentElement(document)?.firstChild ? "late" : "start");
    this.channel.flush();
    this.pulse();
  }

  /** Sends the state of the whole document, under new ids; what takes longer than a slice follows as further changes. */
  snapshot(why: "start" | "late" | "heal"): void {
    this.observer.disconnect();
    this.changes.clear();
    this.controls.clear();
    this.sheets.clear();
    this.drawn.clear();
    this.roots.clear();
    this.hosts.clear();
    this.held.clear();
    this.each((tracker) => tracker.clear());
    this.mirror.clear();
    this.heads?.forget();
    this.encoder.budget(this.natives.now() + LIMITS.slice);
    const t = this.time();
    this.notedAt = 0;
    this.observer.observe(this.document, OBSERVED);
    const first = this.mirror.nextId;
    const ops: Op[] = [["doc", first, this.encoder.document(this.document)]];
    attempt(() => {
      if (why === "start") this.focus.begins();
      else this.scroll.find();
      this.scroll.pulse(ops);
    });
    this.state(ops, true);
    // What only looks find was told before, and is forgotten with all else.
    if (why === "heal") this.unseen(ops);
    const message: Message = { k: "snapshot", t, why, ops };
    this.sliced = this.changes.pending ? t : 0;
    if (why === "late") message.age = this.age();
    this.message(message, 60_000);
    if (this.changes.pending) this.settleSoon(LIMITS.between);
    this.touch();
  }

  /** Sends one message of an interaction, after all that happened before it. */
  interaction(message: Omit<Message, "t">, weight = 100): void {
    if (this.stopped) return;
    for (const work of this.before) work();
    this.canvases.wake();
    this.drawn.wake();
    const t = this.time();
    this.steadySince = this.natives.now();
    this.take();
    this.message({ ...message, t } as Message, weight);
  }

  /** Sends samples that were gathered since `began` (Unix ms): they belong before what comes next. */
  samples(message: Omit<Message, "t">, began: number): void {
    if (!this.stopped) this.message({ ...message, t: began } as Message, 200);
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
    this.resized = true;
    this.settleSoon();
  }

  controlChanged(element: Element): void {
    const id = this.mirror.idOf(element);
    if (id !== 0) this.dirtyControls.add(id);
    this.settleSoon();
  }

  /**
   * Something is another now, of which the next transaction will tell: it was so from this moment, or for up to `ago` ms, but after all that was
   * told. Right after a checkpoint it is from this moment: what was there then was told then, and a mark's own time is a little later.
   */
  happened(ago = 0): void {
    const before = this.natives.now() - this.checkedAt < LIMITS.pulse ? 0 : ago;
    this.notedAt = Math.max(this.notedAt, this.saidAt, Math.round((this.time() - before) * 10) / 10);
    this.settleSoon();
  }

  /** Takes pending changes within a frame. */
  settleSoon(between?: number): void {
    if (this.settleTimer !== 0 || this.stopped) return;
    const delay = between ?? this.pace();
    this.settleTimer = this.natives.setTimeout(() => {
      this.settleTimer = 0;
      this.lastTake = this.natives.now();
      this.take(LIMITS.slice);
      this.spent += this.natives.now() - this.lastTake;
    }, delay);
  }

  /** How long changes may gather: longer on a page that keeps changing while nobody acts. */
  private pace(): number {
    const now = this.natives.now();
    if (now - this.lastTake > LIMITS.pause) this.steadySince = now;
    const steady = now - this.steadySince > LIMITS.steady || this.slowness > 1;
    return steady ? LIMITS.settleSteady * this.slowness : LIMITS.settle;
  }

  /** Has everything that is sampled be sampled so many times less often, and changes gather for longer. */
  slow(times: number): void {
    this.slowness = times;
    this.canvases.slowness = times;
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
    do {
      this.encoder.budget(this.natives.now() + budget);
      if (!attempt(() => this.changes.collect(ops))) break;
    } while (this.changes.pending && budget === Number.POSITIVE_INFINITY);
    if (this.sliced !== 0 && ops.length > 0) {
      this.message({ k: "mutation", t: this.sliced, ops: ops.splice(0) }, LIMITS.batchSize);
      this.touch();
    }
    this.lateRoots(ops, "near");
    this.state(ops, false, budget === Number.POSITIVE_INFINITY);
    const t = this.stateTime();
    if (this.told(ops, t)) this.touch();
    if (!this.changes.pending) this.sliced = 0;
    else {
      if (this.sliced === 0) this.sliced = t;
      this.settleSoon(LIMITS.between);
    }
  }

  flush(): number {
    for (const work of this.before) work();
    this.take();
    return this.channel.flush();
  }

  /**
   * Where what can be read stands in the viewport, and the number of the message after which the page model says what it is. Undefined until
   * `look` was given once.
   */
  places(look?: Look): string | undefined {
    this.looker = look ?? this.looker;
    if (!this.looker) return undefined;
    this.take();
    const ops = this.unsaid();
    this.each((tracker) => tracker.pulse?.(ops, false));
    if (this.told(ops)) this.touch();
    this.channel.flush();
    try {
      if (!this.small || this.stopped) return "";
      if (this.bubble.field) throw new Error("a message of the browser's");
      const { window, document, masks } = this;
      const found = this.looker({ window, document, masks, idOf: (node) => this.mirror.idOf(node), shadowRoot });
      return JSON.stringify({ n: this.channel.last, ...found });
    } catch (error) {
      return JSON.stringify({ n: this.channel.last, why: `${error}`.slice(0, 100) });
    }
  }

  /** Serializes the page afresh, at once, and sends the digest. `fonts`: those that the document has loaded, as the recorder knows. */
  checkpoint(fonts: readonly Loaded[] = []): void {
    this.take();
    attempt(() => this.films.takeNow());
    attempt(() => this.canvases.takeNow());
    const began = this.natives.now();
    const ops = this.unsaid();
    this.fonts.known = fonts;
    this.unseen(ops);
    this.fonts.known = [];
    this.told(ops);
    const crc = new Crc32();
    const walk = this.newWalk();
    for (let lines = walk.next(512); lines !== null; lines = walk.next(512)) crc.update(lines);
    this.endCheckpoint(walk, crc, began);
    this.checkedAt = this.natives.now();
  }

  /** The canonical lines of the live document. */
  lines(): string {
    this.flush();
    const walk = this.newWalk();
    let all = "";
    for (let lines = walk.next(4096); lines !== null; lines = walk.next(4096)) all += lines;
    return all + this.sheets.lines();
  }

  stop(): void {
    this.stopped = true;
    this.observer.disconnect();
  }

  /** Something can be seen only now and then; also when nothing else happens. */
  private pulse(): void {
    if (this.stopped) return;
    this.natives.setTimeout(() => {
      if (this.stopped) return;
      attempt(() => this.look());
      attempt(() => this.take(LIMITS.slice));
      attempt(() => this.idle());
      this.pulse();
    }, LIMITS.pulse);
  }

  /** Looks at what no event tells; seldom when nothing else happens, and when so much does that it already takes its share of the page's time. */
  private look(): void {
    const now = this.natives.now();
    const quiet = now - this.lastChange > 4 * LIMITS.pulse && !this.animations.any;
    if ((quiet || this.spent > LIMITS.slice) && now - this.lastLook < 4 * LIMITS.pulse) return;
    this.lastLook = now;
    this.spent = 0;
    const ops: Op[] = [];
    this.take(LIMITS.slice);
    this.encoder.budget(now + LIMITS.slice);
    this.lateRoots(ops, "some");
    this.askForAll(now);
    if (this.drawn.due) attempt(() => this.drawn.look(ops));
    if (ops.length > 0) this.touch();
    if (this.sheets.due) attempt(() => this.sheets.collect(ops, true));
    this.each((tracker) => tracker.pulse?.(ops, false));
    this.told(ops);
  }

  /** Something of ours threw: it is told once, and the next checkpoint says what it has cost. */
  failed(error: unknown): void {
    this.touch();
    this.walk = null;
    const detail = `the script failed: ${error}`.slice(0, 300);
    if (this.complained.has(detail) || this.complained.size > 20) return;
    this.complained.add(detail);
    this.channel.push({ k: "gap", t: this.time(), reason: "error", detail });
  }

  /** What one of them cannot do, the others still can. */
  private each(work: (tracker: StateTracker) => void): void {
    for (const tracker of this.trackers) attempt(() => work(tracker));
  }

  private unsupportedOnce(what: string, detail: string): void {
    if (this.complained.has(what)) return;
    this.complained.add(what);
    this.channel.push({ k: "unsupported", t: this.time(), what, detail });
  }

  private idle(): void {
    if (!this.changedSinceCheckpoint || this.changes.pending) return;
    if (this.natives.now() - this.lastChange < LIMITS.idle) return;
    if (this.checkpoints.since < LIMITS.checkpointEvery + this.checkpoints.wait) return;
    if (this.walk) return;
    const ops = this.unsaid();
    this.sheets.collect(ops, true);
    this.told(ops);
    this.slice(this.newWalk(), new Crc32(), 0);
  }

  /** A checkpoint in slices, given up when anything changes meanwhile. */
  private slice(walk: Walk, crc: Crc32, spent: number): void {
    this.walk = walk;
    const began = this.natives.now();
    this.noted(this.observer.takeRecords());
    const overtaken =
      this.changes.pending || this.scroll.pending || this.dirtyControls.size > 0 || this.lastChange > this.walkStart;
    if (this.stopped || overtaken) {
      this.walk = null;
      return;
    }
    for (let lines = walk.next(256); lines !== null; lines = walk.next(256)) {
      crc.update(lines);
      if (this.natives.now() - began > LIMITS.slice) {
        this.natives.setTimeout(() => this.slice(walk, crc, spent + this.natives.now() - began), 0);
        return;
      }
    }
    this.walk = null;
    // A control set by code while the walk went on would make the digest wrong: look once more.
    const ops: Op[] = [];
    this.state(ops, false);
    this.drawn.look(ops);
    if (this.told(ops)) {
      this.touch();
      return;
    }
    this.endCheckpoint(walk, crc, began - spent);
  }

  private newWalk(): Walk {
    this.walkStart = this.natives.now();
    return new Walk(this.document, this.mirror, this.masks, this.controls);
  }

  private endCheckpoint(walk: Walk, crc: Crc32, began: number): void {
    crc.update(this.sheets.lines());
    const message: Message = { k: "checkpoint", t: this.time(), digest: crc.hex, nodes: walk.nodes };
    const look = this.looks.take();
    if (look) {
      message.look = look;
      const ops: Op[] = [];
      this.scroll.found(look, ops);
      this.told(ops, message.t);
    }
    this.message(message, 4_000);
    this.checkpointAt = message.t;
    this.checkpoints.took(began);
    this.changedSinceCheckpoint = false;
  }

  private noted(records: readonly MutationRecord[]): void {
    if (records.length === 0 || this.stopped) return;
    this.taking?.();
    this.changes.note(records);
    this.notedAt = this.time();
    this.settleSoon();
  }

  /** When the page came into the state that is being told: with the last record, not when a timer came to take it. */
  private stateTime(): number {
    const t = this.notedAt || this.time();
    this.notedAt = 0;
    return t;
  }

  /** Sends ops as one transaction; false when there are none. */
  private told(ops: Op[], t = this.time()): boolean {
    if (ops.length === 0) return false;
    this.message({ k: "mutation", t, ops }, weigh(ops));
    return true;
  }

  private message(message: Message, weight = 100): void {
    this.saidAt = Math.max(this.saidAt, message.t);
    this.channel.emit(message, weight);
  }

  private touch(): void {
    this.changedSinceCheckpoint = true;
    this.lastChange = this.natives.now();
  }

  /** Ops for the state that the tree does not hold. */
  private state(ops: Op[], everything: boolean, must = true): void {
    attempt(() => {
      if (everything || this.controls.due(must)) this.controls.collect(ops);
      else for (const id of this.dirtyControls) this.controls.collectOne(id, ops);
    });
    this.dirtyControls.clear();
    this.each((tracker) => tracker.collect(ops));
    attempt(() => this.drawn.collect(ops));
    attempt(() => this.sheets.collect(ops, false, must));
    const url = this.window.location.href;
    if (url !== this.url) {
      this.url = url;
      this.message({ k: "location", t: this.time(), url });
    }
    // Reading the viewport's size lays the page out; only an event or a new device scale is a reason to.
    if (this.resized || this.window.devicePixelRatio !== this.dpr) {
      this.resized = false;
      this.dpr = this.window.devicePixelRatio;
      this.message({ k: "viewport", t: this.time(), ...this.viewport(), ...this.preferences() });
    }
  }

  private meet(element: Element, id: number): void {
    this.held.add(id);
    if (isControl(element)) this.controls.add(element, id);
    this.hosts.meet(element, id);
    this.each((tracker) => tracker.meet?.(element, id));
    if (SHOWING.test(element.localName) || element.hasAttribute("popover")) this.hear(element);
  }

  /** What most shadow roots have no use for is listened to only in those that hold such elements. */
  private hear(element: Element): void {
    const root = element.getRootNode();
    if (root === this.document || !(root instanceof ShadowRoot) || this.heard.has(root)) return;
    this.heard.add(root);
    this.showListener?.(root);
  }

  private attributesChanged(element: Element, changes: Readonly<Record<string, string | null>>): void {
    this.drawn.changed(element, changes);
    if (changes.style) this.exact.meet(element);
    if ("popover" in changes) {
      this.topLayer.consider(element);
      this.hear(element);
    }
    if ("src" in changes || "srcset" in changes || "poster" in changes) this.sources.loaded(element);
    if ("href" in changes) this.sources.attribute(element, "href");
  }

  private observeRoot(root: ShadowRoot | DocumentFragment, id: number): void {
    this.observer.observe(root, OBSERVED);
    if (root instanceof ShadowRoot) {
      this.held.add(id);
      this.roots.set(id, root);
      this.sheets.meetRoot(id);
      this.slots.meetRoot(root);
      this.rootListener?.(root);
    }
  }

  /** All late shadow roots, and all that scripts did to controls: nothing tells of either, and what follows must be true. */
  private unsaid(): Op[] {
    const ops: Op[] = [];
    this.encoder.budget(Number.POSITIVE_INFINITY);
    attempt(() => {
      this.lateRoots(ops, "all");
      this.controls.collect(ops);
      this.drawn.look(ops);
    });
    return ops;
  }

  /** What no event tells, however long it takes. */
  private unseen(ops: Op[]): void {
    this.each((tracker) => tracker.pulse?.(ops, true));
    attempt(() => this.sheets.collect(ops, true));
  }

  /** Shadow roots that were attached to elements already recorded. */
  private lateRoots(ops: Op[], everywhere: "near" | "some" | "all"): void {
    const found = (_: Element, id: number, root: ShadowRoot) => {
      const first = this.mirror.nextId;
      ops.push(["add", id, first, this.encoder.shadow(root, id)]);
    };
    this.hosts.late(found);
    if (everywhere !== "near") this.hosts.inTurn(found, everywhere === "all");
    if (this.asking || !this.hosts.unsure()) return;
    if (this.config.transport === "binding") {
      this.asking = true;
      this.unsupportedOnce("shadow", "closed roots, which only the browser's own protocol shows");
    } else {
      this.asking = true;
      this.channel.push({ k: "hosts", t: this.time() });
    }
  }

  /**
   * On a page that is not too large, the recorder may look for closed roots on elements of any name: once the page has become calm, for the
   * browser has to describe all of it, with the frames inside, and seldom on one that never does. A checkpoint looks in any case.
   */
  private askForAll(now: number): void {
    if (this.config.transport !== "cdp" || this.lastChange <= this.askedAll || !this.small) return;
    const calm = now - this.lastChange > LIMITS.idle;
    const pause = 1000 + this.elements;
    if (calm ? now - this.askedAll < pause : now - Math.max(this.askedAll, 0) < 10 * pause) return;
    this.askedAll = now;
    this.channel.push({ k: "hosts", t: this.time(), all: true });
  }

  /** About how many there are: the browser would have to count them, the mirror knows its nodes, of which half are text. */
  private get elements(): number {
    return this.mirror.size / 2;
  }

  /** Whether the browser may be asked to describe the whole document. */
  get small(): boolean {
    return this.elements <= LIMITS.describedElements;
  }

  /** Custom elements whose shadow roots, if any, are closed: the recorder looks, and tells with {@link root}. */
  askedHosts(): Element[] {
    this.take();
    this.asking = false;
    this.hosts.unsure();
    return this.hosts.take();
  }

  /** A closed root, as the recorder found it. */
  closedRoot(host: Element, root: ShadowRoot): void {
    knowClosedRoot(host, root);
    this.settleSoon();
  }

  private forget(id: number): void {
    this.focus.forget(id);
    if (!this.held.delete(id)) return;
    this.controls.remove(id);
    this.hosts.forget(id);
    if (this.roots.delete(id)) this.sheets.removeRoot(id);
    for (const tracker of this.trackers) tracker.forget?.(id);
  }

  /** For how many ms the document has been arriving, as far as the browser tells; 0 while nothing of it was painted. */
  private age(): number {
    const { performance } = this.window;
    if (performance.getEntriesByType("paint").length === 0) return 0;
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return Math.max(1, Math.round(this.natives.now() - (navigation?.responseStart ?? 0)));
  }

  /** What media queries tell the page of the person and the device. */
  private preferences(): { scheme: string; motion: string; media: readonly string[] } {
    const holds = (query: string) => this.window.matchMedia(query).matches;
    return {
      scheme: holds("(prefers-color-scheme: dark)") ? "dark" : "light",
      motion: holds("(prefers-reduced-motion: reduce)") ? "reduce" : "no-preference",
      media: QUERIES.filter(holds),
    };
  }

  private viewport(): { w: number; h: number; dpr: number } {
    const { innerWidth, innerHeight, devicePixelRatio } = this.window;
    return { w: innerWidth, h: innerHeight, dpr: round(devicePixelRatio) };
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** About how many characters the ops take; only to decide when a batch is full. */
function weigh(ops: readonly Op[]): number {
  let weight = 0;
  for (const op of ops) weight += op[0] === "add" || op[0] === "doc" || op[0] === "sheet" ? 2_000 : 40;
  return weight;
}

function randomKey(window: Window): string {
  const words = window.crypto.getRandomValues(new Uint32Array(3));
  return Array.from(words, (word) => word.toString(36)).join("");
}
