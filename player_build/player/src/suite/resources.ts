// The resources of all recordings of the file: what one recording needs is read with it, and stays for the next one that needs it.

import type { ReadPiece } from "../decode/file.ts";
import { Resources } from "../decode/resources.ts";
import type { ResourceEntry } from "../decode/pieces.ts";

export class SharedResources extends Resources {
  /** Pack → one of the resources in it. */
  readonly #in = new Map<number, number>();
  readonly #heard = new Set<() => void>();
  #packs: readonly number[] = [];

  constructor(entries: readonly ResourceEntry[], read: ReadPiece) {
    super(entries, read);
    entries.forEach(([pack, , length], number) => {
      if (length) this.#in.set(pack, number);
    });
  }

  /** The packs of the recording that is opened next. */
  serve(packs: readonly number[]): void {
    this.#packs = packs;
  }

  override onReady(listener: () => void): () => void {
    const stop = super.onReady(listener);
    this.#heard.add(stop);
    return stop;
  }

  /** Forgets the players that listened: each would live as long as the file is open. */
  forget(): void {
    for (const stop of this.#heard) stop();
    this.#heard.clear();
  }

  override warm(): void {
    this.#ask(this.#packs[0]);
  }

  override async prefetch(): Promise<void> {
    for (const pack of this.#packs) {
      this.#ask(pack);
      await this.settled();
    }
  }

  #ask(pack: number | undefined): void {
    const number = pack === undefined ? undefined : this.#in.get(pack);
    if (number !== undefined) this.blob(number);
  }
}
