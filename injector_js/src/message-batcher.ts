// Batches of messages out of the page. Crossing the binding blocks the page, about 30 ms a megabyte, so batches are compact and few; and
// the page can die at any moment, so they are not kept for long.

import { LIMITS } from "./config.ts";
import type { StartTagTable } from "./encoding/start-tags.ts";

/** A message of the injector to the recorder: its kind, its time in ms, its number, and the fields of its kind. */
export interface InjectorMessage {
  k: string;
  t: number;
  n?: number;
  [field: string]: unknown;
}

const stringify = JSON.stringify;
// A lone surrogate is written as an escape by JSON.stringify, and refused by strict readers: it counts as U+FFFD, as in TextEncoder.
const LONE = /(^|[^\\])((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/gi;

/** Collects messages of one document and sends them to the recorder in batches. */
export class MessageBatcher {
  private events: InjectorMessage[] = [];
  private size = 0;
  private batch = 0;
  private sequence = 0;
  private timer = 0;
  /** Whether nothing is sent any more. */
  closed = false;

  constructor(
    private readonly document: string,
    private readonly send: (payload: string) => void,
    private readonly setTimer: (work: () => void, delay?: number) => number,
    private readonly heads: StartTagTable | null,
  ) {}

  /** The number of the last message; -1 before the first. */
  get last(): number {
    return this.sequence - 1;
  }

  /** Adds a numbered message. `weight` is about its length in characters. */
  emit(message: InjectorMessage, weight = 100): void {
    if (this.closed) return;
    message.n = this.sequence++;
    this.push(message, weight);
  }

  /** Adds a message without a number: `document`, `blob`. */
  push(message: InjectorMessage, weight = 100): void {
    if (this.closed) return;
    this.events.push(message);
    this.size += weight;
    if (this.size >= LIMITS.batchSize) this.flush();
    else if (this.timer === 0) {
      this.timer = this.setTimer(() => {
        this.timer = 0;
        this.flush();
      }, LIMITS.send);
    }
  }

  /** Sends what there is; gives the number of messages sent. */
  flush(): number {
    const count = this.events.length;
    if (count === 0) return 0;
    let payload = stringify({ doc: this.document, b: this.batch++, ...this.heads?.take(), e: this.events });
    this.events = [];
    this.size = 0;
    if (payload.includes("\\ud")) {
      payload = payload.replace(LONE, "$1$2\ufffd").replace(LONE, "$1$2\ufffd");
    }
    try {
      this.send(payload);
    } catch {
      // The binding is gone: the recorder has left. Nothing to tell and nobody to tell it to.
      this.closed = true;
    }
    return count;
  }
}
