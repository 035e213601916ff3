// The pieces of the built file: base64 of deflate-raw in inert script elements (see player_build/chunks.py).

import type { PlayerEvent } from "./events.ts";

/** `[stream, from, to, events, raw bytes]`, times in ms. */
export type ChunkEntry = readonly ["page" | "run", number, number, number, number];
/** `[pack, offset, length, mime]`, bytes within the inflated pack. */
export type ResourceEntry = readonly [number, number, number, string];

export interface Index {
  readonly version: number;
  readonly player: string;
  readonly title: string;
  /** ms. */
  readonly duration: number;
  readonly idle: ReadonlyArray<readonly [number, number]>;
  /** `[t, page]`: from then on this page is the one to look at. */
  readonly tabs: ReadonlyArray<readonly [number, number]>;
  readonly chunks: readonly ChunkEntry[];
  readonly resources: readonly ResourceEntry[];
  readonly info: Info;
}

export interface Gap {
  readonly t: number;
  readonly reason: string;
  readonly page?: number;
  readonly d?: number;
  readonly detail?: string;
  readonly count?: number;
}

export interface Info {
  readonly started?: number;
  readonly recorder?: { readonly name?: string; readonly version?: string };
  readonly browser?: { readonly name?: string; readonly version?: string; readonly transport?: string };
  readonly python?: string;
  readonly platform?: string;
  readonly agent?: string;
  readonly metadata?: unknown;
  readonly options?: unknown;
  readonly sealed: boolean;
  readonly damage: string | null;
  readonly fidelity: { readonly equal: number; readonly total: number };
  readonly gaps: readonly Gap[];
  readonly gapCount: number;
  readonly unsupported: Readonly<Record<string, number>>;
  readonly redaction: unknown;
  readonly sizes: { readonly reel: number; readonly events: number; readonly resources: number };
  readonly missing: readonly string[];
  /** What `--max-size` left out, by kind. */
  readonly leftOut?: Readonly<Record<string, { readonly count: number; readonly bytes: number }>>;
}

/** Inflates one piece of the file and lets go of its text. Throws an Error with a sentence for the reader. */
export async function readPiece(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const element = document.getElementById(`pagereel-${name}`);
  if (!element)
    throw new Error(`This file is not whole: its piece "${name}" is missing. It may have been cut on its way.`);
  try {
    const packed = fromBase64(element.textContent ?? "");
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error(`This file is damaged: its piece "${name}" cannot be read. It may have been changed on its way.`);
  }
}

export async function readIndex(): Promise<Index> {
  return JSON.parse(new TextDecoder().decode(await readPiece("index"))) as Index;
}

export async function readEvents(chunk: number): Promise<PlayerEvent[]> {
  return JSON.parse(new TextDecoder().decode(await readPiece(`chunk-${chunk}`))) as PlayerEvent[];
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  if (native.fromBase64) return native.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
