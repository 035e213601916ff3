// The resources of one recording of the file: the packs that it needs are read, and go with it.

import type { PieceReader } from "../decode/file-pieces.ts";
import type { ResourceEntry } from "../decode/pieces.ts";
import { Resources } from "../decode/resources.ts";

/** The resources of one recording in a suite's file, which shares its packs with others. */
export class RunResources extends Resources {
  /** The `blob:` addresses that were given. */
  readonly #given = new Set<string>();

  constructor(
    private readonly all: readonly ResourceEntry[],
    read: PieceReader,
    private readonly needed: readonly number[],
  ) {
    super(all, read);
  }

  override url(number: number): string | undefined {
    const given = super.url(number);
    if (given) this.#given.add(given);
    return given;
  }

  /** Lets the bytes go: nothing shows them any more. */
  release(): void {
    for (const address of this.#given) URL.revokeObjectURL(address);
  }

  override warm(): void {
    this.#ask(this.needed[0]);
  }

  override async prefetch(): Promise<void> {
    for (const pack of this.needed) {
      this.#ask(pack);
      await this.settled();
    }
  }

  #ask(pack: number | undefined): void {
    const number = this.all.findIndex(([of, , length]) => of === pack && length);
    if (number >= 0) this.blob(number);
  }
}
