// Resources by number: bytes from the packs, as blob: URLs for what the browser loads and as text for style sheets.

import { loadScript } from "../script-loading.ts";
import type { AnimatedPictures } from "../rare/animated-pictures.ts";
import type { PieceReader } from "./file-pieces.ts";
import { readPiece, type ResourceEntry } from "./pieces.ts";

/** A number, and of what moves the moment of the recording at which it began. */
const PLACEHOLDER = /pagereel:(\d+)(?:@(-?\d+))?/g;

/** The address to use for a missing resource: it loads nothing, and requests nothing. */
export const EMPTY_URL = "data:,";
const BLANK = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

/** The resources of the file, by number: their texts, their bytes and their `blob:` addresses. */
export class Resources {
  readonly #packs = new Map<number, Promise<void>>();
  readonly #urls = new Map<number, string>();
  /** Texts, and the bytes of those that nobody has asked for. */
  readonly #texts = new Map<number, string | Uint8Array>();
  readonly #listeners = new Set<() => void>();
  /** The packs that were read. */
  readonly #bytes = new Map<number, Blob>();
  readonly #blobs = new Map<number, Blob>();
  /** Pictures that move, if any was asked for. */
  films: AnimatedPictures | undefined;

  constructor(
    private readonly entries: readonly ResourceEntry[],
    private readonly read: PieceReader = readPiece,
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
    if (!entry?.[2]) return entry?.[3].startsWith("image/") ? BLANK : EMPTY_URL;
    const blob = this.blob(number);
    if (!blob) return undefined;
    const url = URL.createObjectURL(blob);
    this.#urls.set(number, url);
    return url;
  }

  /** The text of a style sheet; undefined while it is being read. */
  text(number: number): string | undefined {
    let known = this.#texts.get(number);
    if (known === undefined && this.entries[number]) this.#fetch(number);
    if (known && typeof known !== "string") {
      known = new TextDecoder().decode(known);
      this.#texts.set(number, known);
    }
    return this.entries[number]?.[2] ? (known as string | undefined) : "";
  }

  blob(number: number): Blob | undefined {
    const known = this.#blobs.get(number);
    const entry = this.entries[number];
    if (known || !entry) return known;
    const [pack, offset, length, mime] = entry;
    const blob = this.#bytes.get(pack)?.slice(offset, offset + length, inert(mime));
    if (blob) this.#blobs.set(number, blob);
    else this.#fetch(number);
    return blob;
  }

  /** `text` with every placeholder replaced; undefined while one of them is being read. */
  fill(text: string): string | undefined {
    let whole = true;
    const filled = text.replace(PLACEHOLDER, (_, digits: string, since?: string) => {
      const number = Number(digits);
      const films = since && this.entries[number]?.[2] && this.#moving();
      const frame = films ? films.url(number, Number(since), this.blob(number)) : null;
      const url = frame === null ? this.url(number) : frame;
      if (url === undefined) whole = false;
      return url ?? EMPTY_URL;
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
    return this.films?.blobAt(address);
  }

  /** Resolves when nothing that was asked for is still being read. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#packs.values()]);
    await this.films?.settled();
  }

  /** Reads the first pack ahead: the first page's pictures and fonts are in it. */
  warm(): void {
    this.#fetch(0);
  }

  /** Reads packs ahead, one after the other; `failed` hears of each that cannot be read. */
  async prefetch(failed: (error: unknown) => void): Promise<void> {
    for (let pack = 0; pack <= (this.entries.at(-1)?.[0] ?? -1); pack++) await this.#load(pack).catch(failed);
  }

  #moving(): AnimatedPictures | undefined {
    const { AnimatedPictures } = loadScript("rare");
    this.films ??= AnimatedPictures && new AnimatedPictures(() => this.#tell());
    return this.films;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
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
        this.#tell();
      });
      this.#packs.set(pack, loading);
    }
    return loading;
  }

  #unpack(pack: number, bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes.set(pack, new Blob([bytes]));
    this.entries.forEach(([of, offset, length, mime], number) => {
      if (of === pack && (mime === "text/css" || mime === "text/plain"))
        this.#texts.set(number, bytes.slice(offset, offset + length));
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
