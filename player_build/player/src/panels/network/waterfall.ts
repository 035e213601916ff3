// When requests ran, in bursts: what a page asks for at once is told on a scale of its own, so that its phases can be seen.

import { endOfRequest, type NetworkEntry } from "../../history/story.ts";

/** Ms in which nothing is asked for, after which another burst begins. */
const PAUSE = 500;

export interface RequestBurst {
  readonly from: number;
  readonly to: number;
}

/** The burst of each request, in the order of their beginnings. */
export function groupIntoBursts(entries: readonly NetworkEntry[]): RequestBurst[] {
  const bursts: RequestBurst[] = [];
  let current: { from: number; to: number } | undefined;
  for (const entry of entries) {
    const { t } = entry.request;
    if (!current || t > current.to + PAUSE) current = { from: t, to: t + 1 };
    // What stays open tells nothing of the others: a WebSocket, an event stream.
    if (!entry.messages.length) current.to = Math.max(current.to, endOfRequest(entry));
    bursts.push(current);
  }
  return bursts;
}

export interface RequestPhase {
  readonly name: string;
  readonly ms: number;
  /** Shares of the burst. */
  readonly left: number;
  readonly width: number;
}

/** In their order: until there was a connection for it, looking up the name and connecting, sent and not yet answered, the answer comes in. */
export const REQUEST_PHASES = ["queued", "connect", "wait", "receive"];

/** The phases of a request within its burst, each as long as it took; one without a name where they are not known. */
export function requestPhases(entry: NetworkEntry, { from, to }: RequestBurst): RequestPhase[] {
  const answered = entry.response?.t ?? 0;
  const timing = (entry.response?.timing ?? {}) as Record<string, unknown>;
  const end = Math.min(endOfRequest(entry), to);
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
