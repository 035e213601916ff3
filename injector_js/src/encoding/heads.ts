// Heads: an element's tag and attributes. Most elements of a large page have the head of another one (rows, icons, items), so each is sent
// once a document, and after that by its number: what crosses the binding costs the page 30 ms a megabyte. The recorder puts them back.

import { type Attributes, put } from "./ops.ts";

/** Heads kept; with more, all are forgotten and told anew. The recorder keeps as many of the last. */
const MOST = 4096;
/** Longer values are not compared. */
const LONG = 1000;
/** Values of one attribute after which its hits have to outweigh its misses. */
const TRIAL = 64;

/** A beginning of a head: the tag and some attributes. */
interface Step {
  /** The number of the head that ends here; -1: none does. */
  head: number;
  /** The attribute that follows first, and its values. */
  key: string;
  values: Map<string, Step> | null;
  others: Map<string, Map<string, Step>> | null;
}

/** Heads in a batch: the number of the first, and each one's tag and attributes. */
export interface Told {
  f: number;
  h: [string, Attributes][];
}

/** How often a value of an attribute was one that is known. */
interface Tally {
  hits: number;
  misses: number;
}

/** The first `count` attributes as an object. An attribute may be called `__proto__`. */
export function attributesOf(keys: readonly string[], values: readonly string[], count: number): Attributes {
  const result: Attributes = {};
  for (let i = 0; i < count; i++) put(result, keys[i] as string, values[i] as string);
  return result;
}

const step = (): Step => ({ head: -1, key: "", values: null, others: null });

export class Heads {
  private readonly tags = new Map<string, Step>();
  private readonly tallies = new Map<string, Tally>();
  private count = 0;
  private next = 0;
  private untold: Told["h"] = [];

  /**
   * The number of the head with this tag and the first `count` of these attributes; -1 where it is better written out.
   */
  find(tag: string, keys: readonly string[], values: readonly string[], count: number): number {
    let at = this.tags.get(tag);
    if (!at) {
      at = step();
      this.tags.set(tag, at);
      this.count++;
    }
    for (let i = 0; i < count; i++) {
      const key = keys[i] as string;
      const value = values[i] as string;
      let tally = this.tallies.get(key);
      if (!tally) {
        tally = { hits: 0, misses: 0 };
        this.tallies.set(key, tally);
      }
      if (tally.misses > tally.hits + TRIAL || value.length > LONG) return -1;
      const known = this.follow(at, key);
      let after = known.get(value);
      if (after) tally.hits++;
      else {
        tally.misses++;
        after = step();
        known.set(value, after);
        this.count++;
      }
      at = after;
    }
    if (at.head === -1) {
      at.head = this.next++;
      this.untold.push([tag, attributesOf(keys, values, count)]);
      if (this.count > MOST) this.forget();
    }
    return at.head;
  }

  /** What was not told yet; null: nothing. */
  take(): Told | null {
    if (this.untold.length === 0) return null;
    const told = { f: this.next - this.untold.length, h: this.untold };
    this.untold = [];
    return told;
  }

  /** Tells all anew from here on. */
  forget(): void {
    this.tags.clear();
    this.count = 0;
  }

  private follow(at: Step, key: string): Map<string, Step> {
    if (at.values === null) {
      at.key = key;
      at.values = new Map();
      return at.values;
    }
    if (at.key === key) return at.values;
    at.others ??= new Map();
    let values = at.others.get(key);
    if (!values) {
      values = new Map();
      at.others.set(key, values);
    }
    return values;
  }
}
