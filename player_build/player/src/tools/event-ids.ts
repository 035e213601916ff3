// Event ids: a port of reel/ids.py (docs/format.md, "Event ids"). Of all events in the file, because a link can name any of them.

import type { PlayerEvent } from "../decode/events.ts";
import type { Player } from "../player.ts";

const LENGTH = 16;

/**
 * Returns the time (ms) of the event whose id begins with `prefix`. Rejects with a RangeError if there is no such
 * event, or more than one.
 */
export async function findEventTime(player: Player, prefix: string): Promise<number> {
  const { id, started, start } = player.index.info as { id?: string; started?: number; start?: number };
  const name = createEventIdFunction(String(id || started || ""), Number(start) || 0);
  const wanted = prefix.trim().toLowerCase();
  let found: number | undefined;
  for await (const event of player.events()) {
    if (!name(event).startsWith(wanted) || wanted.length < 4) continue;
    if (found !== undefined) throw new RangeError(`More than one event has an id that begins with "${prefix}".`);
    found = event.t;
  }
  if (found === undefined) throw new RangeError(`There is no event "${prefix}".`);
  return found;
}

/**
 * Returns a function that computes an event's id; it must be given all events in their order.
 *
 * @param start the time at which a clip begins in its recording, in ms
 */
export function createEventIdFunction(recording: string, start = 0): (event: PlayerEvent) => string {
  const seen = new Map<string, number>();
  return (event) => {
    const place = placeOf(event, start);
    const nth = seen.get(place) ?? 0;
    seen.set(place, nth + 1);
    return sha256(`${recording}\n${place}${nth ? `\n${nth}` : ""}`).slice(0, LENGTH);
  };
}

function placeOf({ k, t, d, n, id, page, sha256 }: PlayerEvent, start: number): string {
  if (Number.isInteger(d) && Number.isInteger(n)) return `${k} ${d} ${n}`;
  if (k !== "reel" && (Number.isInteger(id) || typeof id === "string")) return `${k} #${id}`;
  if (k === "resource") return `${k} ${sha256}`;
  return `${k} @${Math.floor((t + start) * 10 + 0.5)} ${page ?? 0} ${d ?? 0}`;
}

const K = new Uint32Array(64);
const BEGIN = new Uint32Array(8);
for (let candidate = 2, count = 0; count < 64; candidate++) {
  if (Array.from({ length: candidate - 2 }, (_, less) => candidate % (less + 2)).includes(0)) continue;
  // The first 32 bits behind the point, of the square roots of the first 8 primes and of the cube roots of the first 64.
  if (count < 8) BEGIN[count] = (candidate ** 0.5 % 1) * 2 ** 32;
  K[count++] = (Math.cbrt(candidate) % 1) * 2 ** 32;
}

/**
 * Returns the SHA-256 (FIPS 180-4) of a text as hex digits. `crypto.subtle` would do it only on pages from https or
 * from disk.
 */
export function sha256(text: string): string {
  const data = new TextEncoder().encode(text);
  const bytes = new Uint8Array(((data.length + 72) >> 6) << 6);
  bytes.set(data);
  bytes[data.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 4, data.length * 8);
  const state = BEGIN.slice();
  const w = new Uint32Array(64);
  const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by));
  for (let at = 0; at < bytes.length; at += 64) {
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = view.getUint32(at + i * 4);
      else {
        const [x, y] = [w[i - 15] as number, w[i - 2] as number];
        const [low, high] = [turn(x, 7) ^ turn(x, 18) ^ (x >>> 3), turn(y, 17) ^ turn(y, 19) ^ (y >>> 10)];
        w[i] = (w[i - 16] as number) + low + (w[i - 7] as number) + high;
      }
      const one =
        h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (K[i] as number) + (w[i] as number);
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + word;
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}
