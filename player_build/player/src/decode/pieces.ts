// What the pieces of the built file hold: the index, the events of each chunk. The first script finds and unpacks them (file-pieces.ts), and hands that on.

import type { ComparisonData } from "../comparison/data.ts";
import type { PlayerEvent } from "./events.ts";
import type { PieceReader } from "./file-pieces.ts";

/**
 * `[stream, from, to, events, raw bytes, base]`, times in ms; `base`: the chunk that this one is a delta of, if any
 * (player_build/delta.py).
 */
export type ChunkEntry = readonly ["page" | "run", number, number, number, number, number?];
/** `[pack, offset, length, mime]`; offset and length are in bytes of the decompressed pack. */
export type ResourceEntry = readonly [number, number, number, string];

/**
 * The target of a sentence's link: a call or a request by its id, the console, or an element by its document and
 * node.
 */
export interface EvidenceLink {
  readonly call?: number;
  readonly request?: string;
  readonly console?: true;
  readonly d?: number;
  readonly node?: number;
  /** What the element is to the call that failed. */
  readonly is?: "wanted" | "nearest" | "cover";
  /** What the element lies over: what the call wanted. */
  readonly covered?: EvidenceLink;
}

/** The explanation of a run's failure, built by `player_build/failure_reason.py`. */
export interface FailureChain {
  /** When it did, ms. */
  readonly t: number;
  /** false: the run got over it. */
  readonly failed: boolean;
  readonly chain: ReadonlyArray<readonly [said: string, t: number, link: EvidenceLink]>;
  /** The locator of the call that failed, and its line in the script. */
  readonly where?: readonly string[];
}

/** The index of the file, which is read first: facts about the recording, its chunks and its resources. */
export interface FileIndex {
  readonly version: number;
  readonly player: string;
  readonly title: string;
  /** ms. */
  readonly duration: number;
  /** When there is first something to see, ms. */
  readonly opens?: number;
  readonly why?: FailureChain;
  readonly idle: ReadonlyArray<readonly [number, number]>;
  /** `[t, page]`: from then on this page is the one to look at. */
  readonly tabs: ReadonlyArray<readonly [number, number]>;
  readonly chunks: readonly ChunkEntry[];
  readonly resources: readonly ResourceEntry[];
  readonly info: RecordingInfo;
  /** How many screens there are. */
  readonly screens?: number;
  /** The script that opens a file of several recordings. */
  readonly apart?: "comparison" | "suite";
  /** Two recordings beside each other, and what is said of them; then all but the title and the resources stands in these. */
  readonly halves?: readonly [FileIndex, FileIndex];
  readonly told?: ComparisonData;
  /** Of a recording that is being made: where what comes is asked for. */
  readonly live?: string;
}

/** A gap: a part of the page or run that was not recorded, with its time `t` (ms) and the reason. */
export interface RecordingGap {
  readonly t: number;
  readonly reason: string;
  readonly page?: number;
  readonly d?: number;
  readonly detail?: string;
  readonly count?: number;
}

/** The checks of one layer: the number of checkpoints at which the replay equals the page, and of all checkpoints. */
export interface FidelityLayer {
  readonly equal: number;
  readonly total: number;
}

/** The replay's claim of fidelity, layer by layer; null: not checked. See player_build/fidelity.py. */
export interface Fidelity {
  readonly verdict: "full" | "open" | "short";
  readonly tree: FidelityLayer;
  readonly layout: FidelityLayer | null;
  readonly picture: FidelityLayer | null;
  readonly missing: number;
  /** Where the replay fell short when it was checked, in sentences. */
  readonly differences?: readonly string[];
}

/** A difference of the masked page from the raw one (player_build/masked_page_check.py). */
export interface PageDifference {
  /** ms */
  readonly t: number;
  readonly frame: number;
  readonly element: string;
  readonly what: string;
}

/** Facts about how the recording was made, for the info panel. */
export interface RecordingInfo {
  readonly started?: number;
  readonly recorder?: { readonly name?: string; readonly version?: string };
  /** What recorded it, where pagereel did not. */
  readonly imported?: { readonly name?: string; readonly version?: string } | null;
  readonly browser?: { readonly name?: string; readonly version?: string; readonly transport?: string };
  readonly python?: string;
  readonly platform?: string;
  readonly agent?: string;
  readonly trace?: string;
  readonly tenant?: string;
  readonly user?: string;
  /** The recordings that are joined in this one, in the order in which they began; times in ms. */
  readonly parts?: ReadonlyArray<{ t: number; end: number; agent: string; by: string; moved?: number }>;
  /** Of several: the page, and whose it is. */
  readonly whose?: Readonly<Record<number, string>>;
  readonly metadata?: unknown;
  readonly options?: unknown;
  readonly sealed: boolean;
  /** How the run ended, and the same in words. */
  readonly outcome?: { readonly outcome: string; readonly recovered: number; readonly told: string };
  readonly damage: string | null;
  readonly fidelity: Fidelity;
  readonly gaps: readonly RecordingGap[];
  readonly gapCount: number;
  /** Documents whose beginning was not seen, and how much of it at most, ms. */
  readonly late?: { readonly count: number; readonly ms: number };
  readonly unsupported: Readonly<Record<string, number>>;
  readonly redaction: unknown;
  /** Of a masked replay: at how many moments its page is the raw one but for its texts; absent where nobody looked. */
  readonly samePage?: { readonly equal: number; readonly of: number; readonly differences: readonly PageDifference[] };
  readonly sizes: { readonly reel: number; readonly events: number; readonly resources: number };
  readonly missing: readonly string[];
  /** What `--max-size` left out, by kind. */
  readonly leftOut?: Readonly<Record<string, { readonly count: number; readonly bytes: number }>>;
}

/**
 * Finds, checks and decompresses one piece of the file. Rejects with an Error whose message is a sentence for the
 * reader.
 */
export let readPiece: PieceReader;

/** Sets the function that reads pieces: the first script's, which has already read some of them. */
export function setPieceReader(read: PieceReader): void {
  readPiece = read;
}

/** Reads the index of the file. */
export async function readIndex(): Promise<FileIndex> {
  return JSON.parse(new TextDecoder().decode(await readPiece("index"))) as FileIndex;
}

/**
 * Reads the events of a chunk. A chunk that is a delta is restored with the chunk `base`: the delta is `[[from,
 * length], "text", …]`, ranges of that chunk's bytes and the text between them.
 */
export async function readEvents(chunk: number, [stream, , , , , base]: ChunkEntry): Promise<PlayerEvent[]> {
  let text = decoder.decode(await readPiece(`chunk-${chunk}`));
  if (base !== undefined) {
    text = restored(await readPiece(`chunk-${base}`), JSON.parse(text) as Parts);
  }
  if (stream === "page" && text.search(NAMED) >= 0) {
    texts ??= readTexts();
    const all = await texts;
    text = text.replace(NAMED, (named, number) => (number in all ? JSON.stringify(all[number]) : named));
  }
  return JSON.parse(text) as PlayerEvent[];
}

/** What stands in a chunk of page events for a long text that they have more than once (player_build/long_texts_piece.py). */
const NAMED = /\{"#":(\d+)\}/g;

let texts: Promise<string[]> | undefined;

/** Frees the decoded long texts; they are read again when an event refers to one. */
export function freeLongTexts(): void {
  texts = undefined;
}

async function readTexts(): Promise<string[]> {
  const written = JSON.parse(decoder.decode(await readPiece("texts"))) as Array<string | [number, Parts]>;
  return written.map((text) =>
    typeof text === "string" ? text : restored(new TextEncoder().encode(written[text[0]] as string), text[1]),
  );
}

/** A text told by another: `[from, length]`, bytes of that one, and what stands between them (player_build/delta.py). */
type Parts = Array<string | [number, number]>;

const restored = (bytes: Uint8Array, parts: Parts): string =>
  parts
    .map((part) => (typeof part === "string" ? part : decoder.decode(bytes.subarray(part[0], part[0] + part[1]))))
    .join("");

// A mark of the order of bytes is a letter like any other.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
