// Time while playing. It knows nothing of what is shown.

/** The options of a playback clock. Times are in ms. */
export interface PlaybackClockOptions {
  readonly duration: number;
  /** Spans in which nothing happens, sorted, ms. */
  readonly idle: ReadonlyArray<readonly [number, number]>;
  /** A new time; the clock waits for it to be shown before it goes on. */
  readonly onTick: (t: number) => void;
  readonly onStop: () => void;
  /** For tests. */
  readonly now?: () => number;
  readonly schedule?: (callback: () => void) => number;
  readonly cancel?: (handle: number) => void;
}

/** What is left for less than this (ms) is over before anyone has seen it: then the button seemed dead. */
const SEEN = 300;

/** The playback clock: it counts the player's time (ms) while it plays, at any speed, and may skip idle spans. */
export class Clock {
  speed = 1;
  skipIdle = true;
  /** While set, playing goes round between the two, ms. */
  loop: readonly [number, number] | null = null;
  #handle = 0;
  #last = 0;
  #time = 0;
  #running = false;

  constructor(private readonly options: PlaybackClockOptions) {}

  get playing(): boolean {
    return this.#running;
  }

  /** Plays on from `t`; from the beginning where next to nothing is left. */
  play(t: number): void {
    this.#time = this.#left(t) < (this.loop ? 1 : SEEN * this.speed) ? 0 : t;
    if (this.#running) return;
    this.#running = true;
    this.#last = this.#now();
    this.#next();
  }

  /** The time was changed from outside. */
  jump(t: number): void {
    this.#time = t;
    this.#last = this.#now();
  }

  pause(): void {
    if (!this.#running) return;
    this.#running = false;
    (this.options.cancel ?? cancelAnimationFrame)(this.#handle);
    this.options.onStop();
  }

  /** How much of the recording comes after `t` and is not skipped, ms. */
  #left(t: number): number {
    const { duration, idle } = this.options;
    const skipped = idle.map(([from, to]) => Math.max(0, to - Math.max(from, t)));
    return duration - t - (this.skipIdle ? skipped.reduce((sum, ms) => sum + ms, 0) : 0);
  }

  #now(): number {
    return (this.options.now ?? (() => performance.now()))();
  }

  #next(): void {
    this.#handle = (this.options.schedule ?? requestAnimationFrame)(() => this.#tick());
  }

  #tick(): void {
    const now = this.#now();
    // A tab that was in the background must not jump ahead by all that time.
    const passed = Math.min(now - this.#last, 250);
    this.#last = now;
    let t = this.#time + passed * this.speed;
    if (this.skipIdle) {
      const span = this.options.idle.find(([from, to]) => t > from && t < to);
      if (span) t = span[1];
    }
    if (this.loop && t >= this.loop[1]) t = this.loop[0];
    this.#time = Math.min(t, this.options.duration);
    this.options.onTick(this.#time);
    if (!this.#running) return;
    if (this.#time >= this.options.duration) this.pause();
    else this.#next();
  }
}
