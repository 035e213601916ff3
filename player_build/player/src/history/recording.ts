// All documents of a recording, and which of them shows where at a time.

import type { PlayerEvent } from "../decode/events.ts";
import { DocumentLog } from "./document-log.ts";
import { findLastItemUntil } from "./time-search.ts";

/** All documents of a recording, and which document each page (tab) and iframe shows at a time. */
export class Recording {
  readonly documents = new Map<number, DocumentLog>();
  /** Pages (tabs) and the documents that their main frames showed, in order. */
  readonly pages = new Map<number, DocumentLog[]>();
  readonly #embeds = new Map<string, DocumentLog[]>();
  readonly #waiting = new Map<number, string>();
  /** Page events up to here have been read, ms. */
  loaded = -1;

  /** Takes page events, in the order of time. */
  add(events: readonly PlayerEvent[]): void {
    for (const event of events) {
      if (event.k === "document") this.#begin(event);
      else if (event.k === "embed") this.#embed(event);
      else this.documents.get(event.d ?? 0)?.add(event);
    }
    const last = events.at(-1);
    if (last) this.loaded = last.t;
  }

  #begin(event: PlayerEvent): void {
    if (this.documents.has(event.d ?? 0)) return;
    const log = new DocumentLog(event);
    this.documents.set(log.d, log);
    if (log.top) {
      const shown = this.pages.get(log.page);
      if (shown) shown.push(log);
      else this.pages.set(log.page, [log]);
    }
    const place = this.#waiting.get(log.d);
    if (place !== undefined) this.#place(place, log);
  }

  #embed(event: PlayerEvent): void {
    const place = `${event.parent}:${event.node}`;
    const log = this.documents.get(event.d ?? 0);
    if (log) this.#place(place, log);
    else this.#waiting.set(event.d ?? 0, place);
  }

  #place(place: string, log: DocumentLog): void {
    const shown = this.#embeds.get(place);
    if (!shown) this.#embeds.set(place, [log]);
    else if (!shown.includes(log)) {
      shown.push(log);
      shown.sort((a, b) => a.start - b.start);
    }
  }

  /** The document that a page's main frame shows at `t`; its first one before that. */
  documentAt(page: number, t: number): DocumentLog | undefined {
    const shown = this.pages.get(page);
    return shown && (findLastItemUntil(shown, t, (log) => log.start) ?? shown[0]);
  }

  /** The document that the iframe `node` of document `parent` shows at `t`. */
  embeddedAt(parent: number, node: number, t: number): DocumentLog | undefined {
    const shown = this.#embeds.get(`${parent}:${node}`);
    return shown && findLastItemUntil(shown, t, (log) => log.start);
  }

  /** Builds keyframes ahead until `deadline`. False: there is more to do. */
  prepare(deadline: number): boolean {
    for (const log of this.documents.values()) if (!log.prepare(deadline)) return false;
    return true;
  }

  /** All moments at which any document changed, sorted: the steps of going change by change. */
  moments(): number[] {
    return [...new Set([...this.documents.values()].flatMap((log) => [...log.moments]))].sort((a, b) => a - b);
  }
}
