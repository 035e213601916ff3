// Heads: an element's tag and attributes. Most elements of a large page have the head of another one (rows, icons, items), so each is sent
// once a document, and after that by its number: what crosses the binding costs the page 30 ms a megabyte. The recorder puts them back.
//
// How to find one: begin at the tag's step, and for each attribute go on by its value; {@link Encoder} does so itself while the way is known.

import type { ElementKind } from "./kinds.ts";
import type { Attributes } from "./ops.ts";

/** Steps kept; with more, all are forgotten and told anew. The recorder keeps as many of the last heads. */
const MOST = 4096;
/** Longer values are not compared. */
const LONG = 1000;
/** Values of one attribute after which its hits have to outweigh its misses. */
const TRIAL = 64;

/** A state of the search for a known start tag (element name and attributes): the name and the first attributes are matched. */
export interface StartTagStep {
  /** The number of the head that ends here; -1: none does. */
  head: number;
  /** Whether one of the attributes is `popover`. */
  readonly popover: boolean;
  /** By the attribute that follows: the one that was met first, and all others. */
  first: StartTagBranch | null;
  others: Map<string, StartTagBranch> | null;
}

/** The next attribute in the search for a known start tag (element name and attributes): its name, and the state that follows for each of its values. */
export interface StartTagBranch {
  readonly key: string;
  readonly tally: Tally;
  readonly values: Map<string, StartTagStep>;
}

/** How often a value of an attribute was one that is known, and whether that is too seldom: then the attribute is not looked up any more. */
interface Tally {
  hits: number;
  misses: number;
  poor: boolean;
}

/** The new start tags in a batch of messages: `f` is the number of the first one, `h` has element name and attributes of each. */
export interface StartTagBatch {
  f: number;
  h: [string, Attributes][];
}

export class StartTagTable {
  private readonly tallies = new Map<string, Tally>();
  private steps = 0;
  private round = 1;
  private next = 0;
  private untold: StartTagBatch["h"] = [];

  /** Where the heads of a kind begin. */
  begin(kind: ElementKind): StartTagStep {
    if (kind.round !== this.round || kind.step === null) {
      kind.step = this.step(false);
      kind.round = this.round;
    }
    return kind.step;
  }

  /** The attribute `key` after a step, where it is not the step's first. */
  branch(at: StartTagStep, key: string): StartTagBranch {
    let branch = at.others?.get(key);
    if (branch) return branch;
    let tally = this.tallies.get(key);
    if (!tally) {
      tally = { hits: 0, misses: 0, poor: false };
      this.tallies.set(key, tally);
    }
    branch = { key, tally, values: new Map() };
    if (at.first === null) at.first = branch;
    else {
      at.others ??= new Map();
      at.others.set(key, branch);
    }
    return branch;
  }

  /**
   * The step after a value that was not met there before, of which `kept` is recorded (null: the attribute is not). Null where the element is
   * better written out.
   */
  learn(at: StartTagStep, branch: StartTagBranch, value: string, kept: string | null): StartTagStep | null {
    const { tally, values } = branch;
    if (value.length > LONG) return null;
    tally.misses++;
    if (tally.misses > tally.hits + TRIAL) {
      tally.poor = true;
      return null;
    }
    let after = kept === null ? at : values.get(kept);
    if (!after) {
      after = this.step(at.popover || branch.key === "popover");
      values.set(kept as string, after);
    }
    values.set(value, after);
    return after;
  }

  /** Gives a number to the head that ends at this step. */
  name(at: StartTagStep, tag: string, attributes: Attributes): number {
    at.head = this.next++;
    this.untold.push([tag, attributes]);
    if (this.steps > MOST) this.forget();
    return at.head;
  }

  /** What was not told yet; null: nothing. */
  take(): StartTagBatch | null {
    if (this.untold.length === 0) return null;
    const told = { f: this.next - this.untold.length, h: this.untold };
    this.untold = [];
    return told;
  }

  /** Tells all anew from here on. */
  forget(): void {
    this.round++;
    this.steps = 0;
  }

  private step(popover: boolean): StartTagStep {
    this.steps++;
    return { head: -1, popover, first: null, others: null };
  }
}
