// When requests ran, in bursts: what a page asks for at once is told on a scale of its own, so that its phases can be seen.

import { endOfRequest, type NetworkEntry } from "../../history/story.ts";

/** Ms in which nothing is asked for, after which another burst begins. */
const PAUSE = 500;

export interface Burst {
  readonly from: number;
  readonly to: number;
}

/** The burst of each request, in the order of their beginnings. */
export function burstsOf(entries: readonly NetworkEntry[]): Burst[] {
  const bursts: Burst[] = [];
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

export interface Phase {
  readonly name: string;
  /** Shares of the burst. */
  readonly left: number;
  readonly width: number;
}

/** In their order (docs/format.md); what is left of a request's time is its answer coming in. */
const PHASES = ["dns", "connect", "send", "wait"];

/** The phases of a request within its burst, each as long as it took; one without a name where they are not known. */
export function phasesOf(entry: NetworkEntry, { from, to }: Burst): Phase[] {
  const timing = (entry.response?.timing ?? {}) as Record<string, number>;
  const end = Math.min(endOfRequest(entry), to);
  const phases: Phase[] = [];
  let at = entry.request.t;
  const until = (name: string, time: number): void => {
    if (time > at) phases.push({ name, left: (at - from) / (to - from), width: (time - at) / (to - from) });
    at = Math.max(at, time);
  };
  for (const name of PHASES) until(name, Math.min(end, at + (timing[name] ?? 0)));
  until(phases.length ? "receive" : "", end);
  return phases;
}
