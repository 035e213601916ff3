// The browser's own message beside an invalid field. Nothing in a page says that it stands: an `invalid` event comes of `checkValidity()` too. Where
// one may stand, the recorder asks the browser.

import { MASK_TEXT } from "../config.ts";
import type { Op } from "../encoding/ops.ts";
import type { MaskedFields } from "../policy.ts";
import type { FocusAndSelection } from "./focus.ts";
import type { StatePart } from "./part.ts";

/** ms that it stands at least, and for each character of its text; the first layout after that takes it away. */
const STANDS = 5000;
const STANDS_A_CHARACTER = 50;
/** ms between two questions to the browser. */
const ASKED = 1000;
const LAYS_OUT = /^(?:add|move|del|text|attr|value|sheet)$/;

const NONE = "bubble,0";

export class ValidationBubbleState implements StatePart {
  private events: [Event, EventTarget | null][] = [];
  /** The field where one may stand. While there is any, nobody knows what a picture of the page shows. */
  field: HTMLInputElement | null = null;
  private stands = false;
  /** The browser is being asked. */
  suspected = false;
  private askedAt = Number.NEGATIVE_INFINITY;
  private told = NONE;
  private until = 0;

  constructor(
    private readonly focus: FocusAndSelection,
    private readonly idOf: (node: Node) => number,
    private readonly masks: MaskedFields,
    private readonly now: () => number,
    /** Whether the browser can be asked. */
    private readonly can: () => boolean,
    private readonly ask: () => void,
  ) {}

  invalid(event: Event): void {
    this.events.push([event, event.target]); // In a shadow root it has none any more when all have heard of it.
  }

  /** Whether {@link suspected} may be another after the next transaction. */
  get due(): boolean {
    return this.suspected || this.events.length > 0;
  }

  /** What the browser says of it. */
  known(stands: boolean): void {
    this.stands = stands;
    this.suspected = false;
    if (!stands) this.field = null;
  }

  clear(): void {
    this.told = NONE;
  }

  collect(ops: Op[]): void {
    const focused = this.focus.element as HTMLInputElement | null;
    if (this.field !== focused) this.known(false);
    // It stands beside the field that has the focus, unless the page has said no to the event.
    for (const [{ defaultPrevented }, target] of this.events.splice(0))
      if (!defaultPrevented && target === focused && !this.field) {
        this.field = focused;
        this.suspected = this.can();
      }
    this.request();
    let op = this.op();
    if (
      this.stands &&
      op.join() === this.told &&
      this.now() > this.until &&
      ops.some(([name]) => LAYS_OUT.test(name))
    ) {
      this.known(false);
      op = this.op();
    }
    if (op.join() === this.told) return;
    this.told = op.join();
    this.until = this.now() + Math.max(STANDS, STANDS_A_CHARACTER * this.told.length);
    ops.push(op);
  }

  /** A page that asks about validity at each key has the browser asked once a second, and at marks. */
  private request(): void {
    if (!this.suspected || this.now() - this.askedAt < ASKED) return;
    this.askedAt = this.now();
    this.ask();
  }

  /** One that was scrolled out of sight does not come back. */
  poll(): void {
    this.request();
    if (!this.stands) return;
    const { top, left, bottom, right } = (this.field as Element).getBoundingClientRect();
    if (bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth || top === bottom) this.known(false);
  }

  private op(): Op {
    const { field } = this;
    const message = this.stands && field?.validationMessage?.trim();
    if (!field || !message) {
      if (this.stands) this.known(false);
      return ["bubble", 0];
    }
    const { customError, valueMissing, typeMismatch, patternMismatch } = field.validity;
    const speaks = !customError && (typeMismatch || !(valueMissing || patternMismatch));
    const title = patternMismatch && !customError && !typeMismatch ? field.title : "";
    if (this.masks.reason(field)) return ["bubble", this.idOf(field), 0, MASK_TEXT];
    return ["bubble", this.idOf(field), speaks ? 1 : 0, message, title];
  }
}
