// How soon changes are taken: within a frame's time after somebody acted, less often on a page that keeps changing by itself.

import { LIMITS } from "./config.ts";
import type { NativeFunctions } from "./natives.ts";

/** Decides when the next transaction is made: soon after an interaction, less often on a page that keeps changing by itself. */
export class CapturePace {
  /** How many times less often than usual things are sampled. */
  slowness = 1;
  /** ms that taking changes took since this was last set to 0. */
  spent = 0;
  /** When the recording changed last, on the page's clock. */
  lastChange = 0;
  /** Whether it did since the last checkpoint. */
  changed = true;
  private timer = 0;
  private lastTake = 0;
  /** Since when changes have followed each other without a pause and without anybody's doing. */
  private steadySince = 0;
  private lastAct = 0;
  private stopped = false;

  constructor(
    private readonly natives: NativeFunctions,
    private readonly take: () => void,
  ) {}

  /** Has changes taken soon; `between`: in so many ms. */
  soon(between?: number): void {
    if (this.timer !== 0 || this.stopped) return;
    this.timer = this.natives.setTimeout(() => {
      this.timer = 0;
      this.lastTake = this.natives.now();
      this.take();
      this.spent += this.natives.now() - this.lastTake;
    }, between ?? this.delay());
  }

  /** A person or an agent acted. */
  acted(): void {
    this.steadySince = this.lastAct = this.natives.now();
  }

  /** Whether nothing has changed, and nobody acted, for a while: little is to be expected that no event tells of. */
  get isQuiet(): boolean {
    return this.natives.now() - Math.max(this.lastChange, this.lastAct) > LIMITS.seldom;
  }

  /** The recording has changed. */
  touch(): void {
    this.changed = true;
    this.lastChange = this.natives.now();
  }

  stop(): void {
    this.stopped = true;
  }

  private delay(): number {
    const now = this.natives.now();
    if (now - this.lastTake > LIMITS.pause) this.steadySince = now;
    const steady = now - this.steadySince > LIMITS.steady || this.slowness > 1;
    return steady ? LIMITS.settleSteady * this.slowness : LIMITS.settle;
  }
}
