// Resources by number: bytes from the packs, as blob: URLs for what the browser loads and as text for style sheets.

import { readPiece, type ResourceEntry } from "./pieces.ts";

const PLACEHOLDER = /pagereel:(\d+)/g;

/** Stands for what is not there: loads nothing, asks nobody. */
export const NOTHING = "data:,";
const BLANK = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

export class Resources {
  readonly #packs = new Map<number, Promise<void>>();
  readonly #urls = new Map<number, string>();
  readonly #texts = new Map<number, string>();
  readonly #listeners = new Set<() => void>();
  readonly #blobs = new Map<number, Blob>();

  constructor(
    private readonly entries: readonly ResourceEntry[],
    private readonly read: (name: string) => Promise<Uint8Array<ArrayBuffer>> = readPiece,
  ) {}

  /** Called when a pack was read that somebody asked for. */
  onReady(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The blob: URL of a resource; undefined while it is being read, `NOTHING` when there is none. */
  url(number: number): string | undefined {
    const known = this.#urls.get(number);
    if (known !== undefined) return known;
    const entry = this.entries[number];
    // Left out for the file's size: a picture is a quiet nothing, not a broken one.
    if (!entry?.[2]) return entry?.[3].startsWith("image/") ? BLANK : NOTHING;
    const blob = this.#blobs.get(number);
    if (!blob) {
      this.#fetch(number);
      return undefined;
    }
    const url = URL.createObjectURL(blob);
    this.#urls.set(number, url);
    return url;
  }

  /** The text of a style sheet; undefined while it is being read. */
  text(number: number): string | undefined {
    const known = this.#texts.get(number);
    if (known === undefined && this.entries[number]) this.#fetch(number);
    return this.entries[number]?.[2] ? known : "";
  }

  blob(number: number): Blob | undefined {
    if (!this.#blobs.has(number) && this.entries[number]) this.#fetch(number);
    return this.#blobs.get(number);
  }

  /** `text` with every placeholder replaced; undefined while one of them is being read. */
  fill(text: string): string | undefined {
    let whole = true;
    const filled = text.replace(PLACEHOLDER, (_, digits: string) => {
      const url = this.url(Number(digits));
      if (url === undefined) whole = false;
      return url ?? NOTHING;
    });
    return whole ? filled : undefined;
  }

  /** The text of a body that a run event names (`pagereel:<n>`); undefined when there is none, or while it is being read. */
  body(placeholder: unknown): string | undefined {
    const number = typeof placeholder === "string" && /^pagereel:(\d+)$/.exec(placeholder)?.[1];
    if (!number) return undefined;
    return this.text(Number(number));
  }

  /** The bytes behind one of the blob: URLs that `url` gave. */
  blobAt(address: string): Blob | undefined {
    for (const [number, url] of this.#urls) if (url === address) return this.#blobs.get(number);
    return undefined;
  }

  /** Resolves when nothing that was asked for is still being read. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#packs.values()]);
  }

  /** Reads packs ahead, one after the other; `failed` hears of each that cannot be read. */
  async prefetch(failed: (error: unknown) => void): Promise<void> {
    for (let pack = 0; pack <= (this.entries.at(-1)?.[0] ?? -1); pack++) await this.#load(pack).catch(failed);
  }

  #fetch(number: number): void {
    const entry = this.entries[number];
    if (entry) void this.#load(entry[0]).catch(() => {});
  }

  #load(pack: number): Promise<void> {
    let loading = this.#packs.get(pack);
    if (!loading) {
      loading = this.read(`pack-${pack}`).then((bytes) => {
        this.#unpack(pack, bytes);
        for (const listener of this.#listeners) listener();
      });
      this.#packs.set(pack, loading);
    }
    return loading;
  }

  #unpack(pack: number, bytes: Uint8Array<ArrayBuffer>): void {
    this.entries.forEach(([of, offset, length, mime], number) => {
      if (of !== pack) return;
      const slice = bytes.subarray(offset, offset + length);
      if (mime === "text/css" || mime === "text/plain") this.#texts.set(number, new TextDecoder().decode(slice));
      this.#blobs.set(number, new Blob([slice], { type: inert(mime) }));
    });
  }
}

/** A blob: URL of these types could be opened as a document; as pictures they are what they were. */
function inert(mime: string): string {
  const type = mime.split(";")[0]?.trim().toLowerCase() ?? "";
  return /^(image|font|audio|video)\//.test(type) ||
    /^application\/(font|x-font|vnd\.ms-fontobject)/.test(type) ||
    type === "text/css" ||
    type === "text/vtt"
    ? type
    : "application/octet-stream";
}
