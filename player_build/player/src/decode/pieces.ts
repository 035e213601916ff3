// The pieces of the built file, compressed: base64 in inert script elements, or the bytes themselves in comments (reel/pieces.py).
// They come after the player in the file, which therefore waits for those that the browser has not read yet.

import { crc32 } from "./crc.ts";
import type { Told } from "../beside/told.ts";
import type { PlayerEvent } from "./events.ts";

/** `[stream, from, to, events, raw bytes, base]`, times in ms; `base`: the chunk that this one is told by, if any (player_build/likeness.py). */
export type ChunkEntry = readonly ["page" | "run", number, number, number, number, number?];
/** `[pack, offset, length, mime]`, bytes within the inflated pack. */
export type ResourceEntry = readonly [number, number, number, string];

export interface Index {
  readonly version: number;
  readonly player: string;
  readonly title: string;
  /** ms. */
  readonly duration: number;
  /** When there is first something to see, ms. */
  readonly opens?: number;
  readonly idle: ReadonlyArray<readonly [number, number]>;
  /** `[t, page]`: from then on this page is the one to look at. */
  readonly tabs: ReadonlyArray<readonly [number, number]>;
  readonly chunks: readonly ChunkEntry[];
  readonly resources: readonly ResourceEntry[];
  readonly info: Info;
  /** Two recordings beside each other, and what is said of them; then all but the title and the resources stands in these. */
  readonly halves?: readonly [Index, Index];
  readonly told?: Told;
  /** Of a recording that is being made: where what comes is asked for. */
  readonly live?: string;
}

export interface Gap {
  readonly t: number;
  readonly reason: string;
  readonly page?: number;
  readonly d?: number;
  readonly detail?: string;
  readonly count?: number;
}

export interface Layer {
  readonly equal: number;
  readonly total: number;
}

/** What the claim stands on; null: not checked. See player_build/fidelity.py. */
export interface Fidelity {
  readonly verdict: "full" | "open" | "short";
  readonly tree: Layer;
  readonly layout: Layer | null;
  readonly picture: Layer | null;
  readonly missing: number;
  /** Where the replay fell short when it was checked, in sentences. */
  readonly differences?: readonly string[];
}

export interface Info {
  readonly started?: number;
  readonly recorder?: { readonly name?: string; readonly version?: string };
  /** What recorded it, where pagereel did not. */
  readonly imported?: { readonly name?: string; readonly version?: string } | null;
  readonly browser?: { readonly name?: string; readonly version?: string; readonly transport?: string };
  readonly python?: string;
  readonly platform?: string;
  readonly agent?: string;
  readonly metadata?: unknown;
  readonly options?: unknown;
  readonly sealed: boolean;
  readonly damage: string | null;
  readonly fidelity: Fidelity;
  readonly gaps: readonly Gap[];
  readonly gapCount: number;
  /** Documents whose beginning was not seen, and how much of it at most, ms. */
  readonly late?: { readonly count: number; readonly ms: number };
  readonly unsupported: Readonly<Record<string, number>>;
  readonly redaction: unknown;
  readonly sizes: { readonly reel: number; readonly events: number; readonly resources: number };
  readonly missing: readonly string[];
  /** What `--max-size` left out, by kind. */
  readonly leftOut?: Readonly<Record<string, { readonly count: number; readonly bytes: number }>>;
}

/** Finds, checks and inflates one piece of the file. Throws an Error with a sentence for the reader. */
export async function readPiece(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const found = await findPiece(name);
  if (!found) throw new Error(`This file was cut: its piece "${name}" is missing.`);
  try {
    const packed = found.raw ? fromText(found.text) : fromBase64(found.text);
    if (found.check && found.check !== `${packed.length} ${crc32(packed)}`) throw 0;
    // Not by way of a Blob, whose bytes another process holds.
    const stream = (new Response(packed).body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
      new DecompressionStream("deflate-raw"),
    );
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    const charset = document.characterSet;
    throw new Error(
      `This file was changed: its piece "${name}" is not what was written. ${
        found.raw && charset !== "windows-1252"
          ? `It was read as ${charset}, by a server's word: save it and open it from disk`
          : "Mail gateways and editors do that: ask for it again, as a ZIP archive"
      }.`,
    );
  }
}

interface Piece {
  /** The bytes themselves, not base64. */
  readonly raw: boolean;
  readonly text: string;
  /** Bytes and CRC-32, as the builder wrote them. */
  readonly check: string;
}

const pieces = new Map<string, Piece>();
let last: ChildNode | null = null;

async function findPiece(name: string): Promise<Piece | undefined> {
  for (;;) {
    const whole = document.readyState !== "loading";
    for (;;) {
      const next: ChildNode | null = last ? last.nextSibling : document.body.firstChild;
      // An element may still be growing while nothing stands after it.
      if (!next || !(whole || next.nextSibling)) break;
      last = next;
      if (next.nodeType === Node.COMMENT_NODE) {
        const { data } = next as Comment;
        const [, key, check] = /^pagereel-(\S+) (\d+ \w+):/.exec(data.slice(0, 99)) ?? [];
        if (key) pieces.set(key, { raw: true, text: data, check: check as string });
      } else if ((next as Element).id?.startsWith("pagereel-"))
        pieces.set((next as Element).id.slice(9), {
          raw: false,
          text: next.textContent as string,
          check: (next as HTMLElement).dataset.check ?? "",
        });
    }
    const piece = pieces.get(name);
    if (piece || whole) return piece;
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
}

export async function readIndex(): Promise<Index> {
  return JSON.parse(new TextDecoder().decode(await readPiece("index"))) as Index;
}

/** The events of a chunk, and of one that is told by another: `[[from, length], "text", …]`, bytes of that one and what stands between them. */
export async function readEvents(chunk: number, base?: number): Promise<PlayerEvent[]> {
  // A mark of the order of bytes is a letter like any other.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = decoder.decode(await readPiece(`chunk-${chunk}`));
  if (base !== undefined) {
    const bytes = await readPiece(`chunk-${base}`);
    text = (JSON.parse(text) as Array<string | [number, number]>)
      .map((part) => (typeof part === "string" ? part : decoder.decode(bytes.subarray(part[0], part[0] + part[1]))))
      .join("");
  }
  return JSON.parse(text) as PlayerEvent[];
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  if (native.fromBase64) return native.fromBase64(text);
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** The bytes in a comment, after its colon. A character that windows-1252 does not have counts as byte 0, which the check finds. */
function fromText(text: string): Uint8Array<ArrayBuffer> {
  const byteOf = new Uint8Array(1 << 16);
  const all = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  for (let byte = 0; byte < 256; byte++) byteOf[all.charCodeAt(byte)] = byte;
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = text.indexOf(":") + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    bytes[length++] = code === 61 ? text.charCodeAt(++at) - 64 : (byteOf[code] as number);
  }
  return bytes.slice(0, length);
}
