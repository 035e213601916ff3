// When requests ran, in bursts: what a page asks for at once is told on a scale of its own, so that its phases can be seen.

import { getRequestEndTime, type NetworkEntry } from "../../history/story.ts";

/** Ms in which nothing is asked for, after which another burst begins. */
const PAUSE = 500;

/** A time span (ms) with requests that follow each other closely. */
export interface RequestBurst {
  readonly from: number;
  readonly to: number;
}

/** Returns for each request the burst that it belongs to. The entries must be in the order of their begin. */
export function groupIntoBursts(entries: readonly NetworkEntry[]): RequestBurst[] {
  const bursts: RequestBurst[] = [];
  let current: { from: number; to: number } | undefined;
  for (const entry of entries) {
    const { t } = entry.request;
    if (!current || t > current.to + PAUSE) current = { from: t, to: t + 1 };
    // What stays open tells nothing of the others: a WebSocket, an event stream.
    if (!entry.messages.length) current.to = Math.max(current.to, getRequestEndTime(entry));
    bursts.push(current);
  }
  return bursts;
}

/** A phase of a request: its duration in ms, and its position in the burst's bar, as shares from 0 to 1. */
export interface RequestPhase {
  readonly name: string;
  readonly ms: number;
  /** Shares of the burst. */
  readonly left: number;
  readonly width: number;
}

/**
 * The phases of a request in their order: waiting for a connection, DNS lookup and connecting, waiting for the
 * response, receiving it.
 */
export const REQUEST_PHASES = ["queued", "connect", "wait", "receive"];

/** Returns the phases of a request within its burst; a single phase without a name if their durations are unknown. */
export function computeRequestPhases(entry: NetworkEntry, { from, to }: RequestBurst): RequestPhase[] {
  const answered = entry.response?.t ?? 0;
  const timing = (entry.response?.timing ?? {}) as Record<string, unknown>;
  const end = Math.min(getRequestEndTime(entry), to);
  const took = (...names: string[]): number => names.reduce((sum, name) => sum + (Number(timing[name]) || 0), 0);
  const known = took("wait") > 0;
  const sent = known ? answered - took("send", "wait") : 0;
  const until = known ? [sent - took("dns", "connect"), sent, answered, end] : [end];
  let at = entry.request.t;
  return until.flatMap((time, index) => {
    const ms = Math.min(time, end) - at;
    if (!(ms > 0)) return [];
    at += ms;
    const name = known ? (REQUEST_PHASES[index] as string) : "";
    return [{ name, ms, left: (at - ms - from) / (to - from), width: ms / (to - from) }];
  });
}
