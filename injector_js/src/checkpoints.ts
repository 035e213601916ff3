// Checkpoints: the page serialized afresh, of which the digest is sent, so that the recorder sees whether its model is the page. At marks and at the
// end in one go; by itself, when the page is calm, in slices that are given up when anything changes meanwhile.

import { LIMITS } from "./config.ts";
import { Crc32, type LineSink, DigestWalk } from "./digest.ts";
import type { ElementKindTable } from "./encoding/kinds.ts";
import type { Op } from "./encoding/ops.ts";
import { runSafely } from "./error-guard.ts";
import type { StateParts } from "./parts.ts";
import type { RecordingScope } from "./scope.ts";
import type { LoadedFont } from "./state/fonts.ts";
import { PollThrottle } from "./state/throttle.ts";

/** The operations of a document's recording that {@link CheckpointMaker} calls before it serializes the page. */
export interface CheckpointSource {
  /** Takes all pending changes now. */
  take(): void;
  /** Whether anything has happened that was not told yet. */
  pending(): boolean;
  /** Ops for all that nothing tells of: what follows must be true. */
  collectSilent(): Op[];
}

/** Makes the checkpoints of one document: serializes the page again and sends its digest. */
export class CheckpointMaker {
  /** Unix ms of the last one. */
  at = 0;
  /** When the recorder last asked for one, on the page's clock. */
  askedAt = Number.NEGATIVE_INFINITY;
  private readonly looks: PollThrottle;
  private walk: DigestWalk | null = null;
  private walkStart = 0;
  private stopped = false;

  constructor(
    private readonly scope: RecordingScope,
    private readonly parts: StateParts,
    private readonly kinds: ElementKindTable,
    private readonly taking: CheckpointSource,
  ) {
    this.looks = new PollThrottle(scope.natives.now);
  }

  /** Serializes the page afresh, at once. `fonts`: those that the document has loaded, as the recorder knows. */
  take(fonts: readonly LoadedFont[], again = false): void {
    const { stream, natives } = this.scope;
    const { parts } = this;
    this.taking.take();
    runSafely(() => parts.films.takeNow());
    runSafely(() => parts.canvases.takeNow());
    const began = natives.now();
    const ops = this.taking.collectSilent();
    parts.fonts.known = fonts;
    parts.all.poll(ops, true);
    parts.fonts.known = [];
    stream.told(ops);
    const crc = new Crc32();
    const walk = this.begin(crc);
    while (walk.next(512));
    if (walk.late && !again) {
      parts.roots.missed = true;
      this.take(fonts, true);
      return;
    }
    this.end(walk, crc, began);
    this.askedAt = natives.now();
  }

  /** Begins one where it is time for it. */
  idle(): void {
    const { mirror, natives, pace, stream } = this.scope;
    if (this.walk || !pace.changed || !this.scope.complete()) return;
    if (natives.now() - pace.lastChange < LIMITS.idle) return;
    // The first one waits for its share as well, so far as it is the elements': 2.5 µs each.
    const wait = this.looks.wait || mirror.elements / 4;
    if (this.looks.since < LIMITS.apart + wait) return;
    const ops = this.taking.collectSilent();
    this.parts.sheets.read(ops);
    stream.told(ops);
    const crc = new Crc32();
    this.slice(this.begin(crc), crc, 0);
  }

  /** Gives up the one that is under way. */
  giveUp(): void {
    this.walk = null;
  }

  stop(): void {
    this.stopped = true;
  }

  /** The canonical lines of the live document. */
  lines(): string {
    let all = "";
    const walk = this.begin({
      text: (text, from, to) => {
        all += text.slice(from, to);
      },
      number: (value) => {
        all += value;
      },
    });
    while (walk.next(4096));
    return all + this.parts.sheets.lines();
  }

  private slice(walk: DigestWalk, crc: Crc32, spent: number): void {
    const { natives, pace, stream } = this.scope;
    this.walk = walk;
    const began = natives.now();
    if (this.taking.pending() || this.stopped || pace.lastChange > this.walkStart) {
      this.walk = null;
      return;
    }
    while (walk.next(256)) {
      if (natives.now() - began > LIMITS.slice) {
        natives.setTimeout(() => this.slice(walk, crc, spent + natives.now() - began), 0);
        return;
      }
    }
    this.walk = null;
    // A control set by code while the walk went on would make the digest wrong: look once more.
    this.parts.roots.missed = walk.late;
    const ops: Op[] = walk.late ? this.taking.collectSilent() : [];
    this.parts.all.collect(ops, "changes");
    this.parts.drawn.collectSilent(ops, true);
    if (stream.told(ops)) pace.touch();
    else this.end(walk, crc, began - spent);
  }

  private begin(sink: LineSink): DigestWalk {
    const { document, mirror, masks, natives } = this.scope;
    this.walkStart = natives.now();
    return new DigestWalk(document, sink, mirror, masks, this.kinds, this.parts.controls);
  }

  private end(walk: DigestWalk, crc: Crc32, began: number): void {
    const { stream, pace } = this.scope;
    crc.text(this.parts.sheets.lines());
    const t = stream.time();
    const look = this.parts.looks.take();
    if (look) {
      const ops: Op[] = [];
      this.parts.scroll.found(look, ops);
      stream.told(ops, t);
    }
    stream.emit("checkpoint", { t, digest: crc.hex, nodes: walk.nodes, ...(look && { look }) }, 4_000);
    this.at = t;
    this.looks.took(began);
    pace.changed = false;
  }
}
