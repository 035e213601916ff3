// The pieces of the built file, compressed: base64 in inert script elements, or the bytes themselves in comments (reel/replay_pieces.py).
// They come after the first script in the file, which therefore waits for those that the browser has not read yet.

import { crc32 } from "./crc.ts";

/** A function that returns the decompressed bytes of the piece of the file with this name. */
export type PieceReader = (name: string) => Promise<Uint8Array<ArrayBuffer>>;

/**
 * Finds, checks and decompresses one piece of the file. Throws an Error whose message is a sentence for the reader.
 */
export async function readFilePiece(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const found = await findPiece(name);
  if (!found) throw new Error(`This file was cut: its piece "${name}" is missing.`);
  try {
    const { raw, dense, node, check } = found;
    const text = node.textContent as string;
    const packed = raw ? fromText(text) : dense ? fromDense(text, Number.parseInt(check, 10)) : fromBase64(text);
    if (check && check !== `${packed.length} ${crc32(packed)}`) throw 0;
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
  /** Two letters for each 13 or 14 bits, not base64 (reel/dense_encoding.py). */
  readonly dense?: boolean;
  /** What holds it: its text is a copy, which nothing should keep. */
  readonly node: Node;
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
        if (key) pieces.set(key, { raw: true, node: next, check: check as string });
      } else if ((next as Element).id?.startsWith("pagereel-")) {
        const { check = "", form } = (next as HTMLElement).dataset;
        pieces.set((next as Element).id.slice(9), {
          raw: false,
          dense: form === "dense",
          node: next,
          check,
        });
      }
    }
    const piece = pieces.get(name);
    if (piece || whole) return piece;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  if (native.fromBase64) return native.fromBase64(text);
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** The letters are all of ASCII that shows but `<`. */
function fromDense(text: string, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const value = (at: number): number => {
    const code = text.charCodeAt(at);
    return code - (code > 60 ? 34 : 33);
  };
  let held = 0;
  let bits = 0;
  let to = 0;
  for (let at = 0; at < text.length; at += 2) {
    const pair = value(at) + value(at + 1) * 93;
    held |= pair << bits;
    for (bits += (pair & 8191) < 457 ? 14 : 13; bits > 7; bits -= 8) {
      bytes[to++] = held;
      held >>= 8;
    }
  }
  return bytes;
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
