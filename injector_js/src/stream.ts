// What leaves a document, and of which moment it says so. Ops are told as transactions, with the time at which the page came into that state;
// what is told of later has no earlier time, but where somebody acted or a picture was taken.

import type { MessageBatcher, InjectorMessage } from "./message-batcher.ts";
import type { Op } from "./encoding/ops.ts";
import { roundToTenth } from "./rounding.ts";

/** Different complaints of one document that are told. */
const MOST = 20;

/** What times are told in, in ms. */
const TICK = 0.1;

type Fields = Readonly<Record<string, unknown>>;

/** Sends a document's ops to the recorder as transactions, each with the time at which the page came into that state. */
export class TransactionStream {
  /** Unix time (ms) of the newest change that was not sent yet; 0: none. */
  private notedAt = 0;
  /** Unix ms of the last message; of a checkpoint, which saw the page as it was then, the moment after it. */
  private saidAt = 0;
  private readonly complained = new Set<string>();

  constructor(
    private readonly channel: MessageBatcher,
    /** Unix time in ms, from the page's own monotonic clock. */
    readonly time: () => number,
  ) {}

  /** The number of the last message; -1 before the first. */
  get last(): number {
    return this.channel.last;
  }

  /** Tells of something of which the order does not matter, without a number. `weight` is about its length in characters. */
  push(k: string, fields: Fields = {}, weight?: number): void {
    this.channel.push({ k, t: this.time(), ...fields }, weight);
  }

  /** Tells of something in its order, now or at the moment `t` that it names. */
  emit(k: string, fields: Fields, weight = 100): void {
    const message: InjectorMessage = { k, t: this.time(), ...fields };
    this.saidAt = Math.max(this.saidAt, k === "checkpoint" ? roundToTenth(message.t + TICK) : message.t);
    this.channel.emit(message, weight);
  }

  /** Sends ops as one transaction; false when there are none. */
  told(ops: readonly Op[], t = this.time()): boolean {
    if (ops.length === 0) return false;
    this.emit("mutation", { t, ops }, weigh(ops));
    return true;
  }

  /** The page is another now, of which the next transaction will tell. */
  noted(): void {
    this.notedAt = this.time();
  }

  /** It was so for up to `ago` ms, but after all that was told. */
  happened(ago: number): void {
    this.notedAt = Math.max(this.notedAt, this.saidAt, roundToTenth(this.time() - ago));
  }

  /** What was noted is told with a snapshot. */
  begin(): void {
    this.notedAt = 0;
  }

  /** When the page came into the state that is being told: with the last record, not when a timer came to take it. */
  stateTime(): number {
    const t = this.notedAt || this.time();
    this.notedAt = 0;
    return t;
  }

  /** Tells that the replay will not show something; `node`: of which element. */
  unsupported(what: string, detail: string, node?: number): void {
    this.push("unsupported", { what, ...(node !== undefined && { node }), detail });
  }

  /** The same, once for each `what`. */
  unsupportedOnce(what: string, detail: string): void {
    if (this.complained.has(what)) return;
    this.complained.add(what);
    this.unsupported(what, detail);
  }

  /** Something of ours threw: it is told once. */
  failed(error: unknown): void {
    const detail = `the script failed: ${error}`.slice(0, 300);
    if (this.complained.has(detail) || this.complained.size > MOST) return;
    this.complained.add(detail);
    this.push("gap", { reason: "error", detail });
  }

  /** Sends what there is; gives the number of messages sent. */
  flush(): number {
    return this.channel.flush();
  }

  /** Sends what there is, and nothing after it. */
  stop(): void {
    this.channel.flush();
    this.channel.closed = true;
  }
}

/** About how many characters the ops take; only to decide when a batch is full. */
function weigh(ops: readonly Op[]): number {
  let weight = 0;
  for (const op of ops) weight += op[0] === "add" || op[0] === "doc" || op[0] === "sheet" ? 2_000 : 40;
  return weight;
}
