// The state of form controls, which the DOM tree does not hold. Pages set `value` and `checked` from code without any event, so the
// controls are looked at, before a transaction when that is cheap; no property of the page is patched for it.

import { LIMITS, MASK_TEXT } from "../config.ts";
import { getAttribute, hasAttribute, isHtmlElementNamed, createLazyGetter, localName, textContent } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import type { MaskedFields } from "../policy.ts";
import type { TransactionExtent, StatePart } from "./part.ts";
import { PollThrottle } from "./throttle.ts";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Seen {
  readonly element: Control;
  /** The state as last sent, or null where the model's default still holds. */
  value: string | null;
  checked: 0 | 1 | null;
  indeterminate: 0 | 1;
  selected: string | null;
  /** What shows in the place of the value, "" for the value itself; null: nobody was asked. */
  typed: string | null;
  masked: boolean;
}

const inputValue = createLazyGetter<Element, string>(() => HTMLInputElement, "value");
const inputType = createLazyGetter<Element, string>(() => HTMLInputElement, "type");
const inputFiles = createLazyGetter<Element, FileList | null>(() => HTMLInputElement, "files");
const inputChecked = createLazyGetter<Element, boolean>(() => HTMLInputElement, "checked");
const inputIndeterminate = createLazyGetter<Element, boolean>(() => HTMLInputElement, "indeterminate");
const areaValue = createLazyGetter<Element, string>(() => HTMLTextAreaElement, "value");
const selectOptions = createLazyGetter<Element, HTMLOptionsCollection>(() => HTMLSelectElement, "options");

export function isFormControl(element: Element): element is Control {
  const name = localName(element);
  return (name === "input" || name === "textarea" || name === "select") && isHtmlElementNamed(element, name);
}

function isCheckable(element: Control): boolean {
  if (localName(element) !== "input") return false;
  const type = inputType(element);
  return type === "checkbox" || type === "radio";
}

/** The value that a person sees in a control; for a file field the files' names. */
function liveValue(element: Control): string {
  if (localName(element) === "textarea") return areaValue(element);
  if (inputType(element) === "file") {
    const files = inputFiles(element);
    return files ? Array.from(files, (file) => file.name).join(", ") : "";
  }
  return inputValue(element);
}

/** What the model takes for the value while no op said otherwise. Keep in step with reel/model.py. */
function defaultValue(element: Control, masked: boolean): string {
  const text =
    localName(element) === "textarea" ? (textContent(element) ?? "") : (getAttribute(element, "value") ?? "");
  return masked && text !== "" ? MASK_TEXT : text;
}

function selectedOf(element: Control): string {
  const options = selectOptions(element);
  let selected = "";
  for (let i = 0; i < options.length; i++) if (options[i]?.selected) selected += selected === "" ? i : `,${i}`;
  return selected;
}

/** Records the values and states of all form controls of one document. */
export class FormControlStates implements StatePart {
  private readonly seen = new Map<number, Seen>();
  /** Those that an event named. */
  private readonly dirty = new Set<number>();
  /** Fields that may show other than their value, for it is no whole one: the recorder looks, and tells with {@link typed}. */
  readonly doubts = new Map<Element, number>();
  private readonly told: Op[] = [];
  private readonly looks: PollThrottle;

  constructor(
    private readonly masks: MaskedFields,
    private readonly now: () => number,
    private readonly doubt: () => void,
  ) {
    this.looks = new PollThrottle(now);
  }

  meet(element: Element, id: number): void {
    if (!isFormControl(element)) return;
    this.seen.set(id, {
      element,
      value: null,
      checked: null,
      indeterminate: 0,
      selected: null,
      typed: null,
      masked: false,
    });
  }

  /** A person has changed the control with this id. */
  changed(id: number): void {
    this.dirty.add(id);
  }

  /** Whether an event named a control of which nothing was told since. */
  get pending(): boolean {
    return this.dirty.size > 0;
  }

  forget(id: number): void {
    this.seen.delete(id);
  }

  clear(): void {
    this.seen.clear();
  }

  /** Whether all should be looked at now. What people do to one tells of itself; this is for what scripts do. */
  private due(must: boolean): boolean {
    const { since, wait } = this.looks;
    return (must && this.seen.size <= LIMITS.polled) || since >= Math.min(wait, 4 * LIMITS.poll);
  }

  collect(ops: Op[], extent: TransactionExtent): void {
    if (extent === "everything" || this.due(extent === "changes")) this.collectSilent(ops, true);
    else {
      for (const id of this.dirty) {
        const seen = this.seen.get(id);
        if (seen) this.compare(id, seen, ops);
      }
    }
    this.dirty.clear();
    ops.push(...this.told.splice(0));
  }

  /** Appends an op for each difference between the live state and what was sent. */
  collectSilent(ops: Op[], all: boolean): void {
    if (!all) return;
    const began = this.now();
    for (const [id, seen] of this.seen) this.compare(id, seen, ops);
    this.looks.took(began);
  }

  /** The state as the digest writes it; see docs/format.md, Checkpoints. */
  digestState(element: Control): string {
    if (localName(element) === "select") return `\x1es${selectedOf(element)}`;
    if (isCheckable(element)) {
      return `\x1ec${inputChecked(element) ? 1 : 0}${inputIndeterminate(element) ? "\x1ei1" : ""}`;
    }
    return `\x1ev${this.read(element)}${localName(element) === "input" && inputIndeterminate(element) ? "\x1ei1" : ""}`;
  }

  private read(element: Control): string {
    const value = liveValue(element);
    return value !== "" && this.masks.reason(element) ? MASK_TEXT : value;
  }

  private compare(id: number, seen: Seen, ops: Op[]): void {
    const { element } = seen;
    if (localName(element) === "select") {
      const selected = selectedOf(element);
      if (selected !== seen.selected) {
        seen.selected = selected;
        ops.push(["selected", id, selected === "" ? [] : selected.split(",").map(Number)]);
      }
      return;
    }
    if (localName(element) === "input") {
      const indeterminate = inputIndeterminate(element) ? 1 : 0;
      if (indeterminate !== seen.indeterminate) {
        seen.indeterminate = indeterminate;
        ops.push(["indeterminate", id, indeterminate]);
      }
    }
    if (isCheckable(element)) {
      const checked = inputChecked(element) ? 1 : 0;
      if (checked !== (seen.checked ?? (hasAttribute(element, "checked") ? 1 : 0))) {
        seen.checked = checked;
        ops.push(["checked", id, checked]);
      }
      return;
    }
    const reason = this.masks.reason(element);
    if (reason && !seen.masked) {
      seen.masked = true;
      ops.push(["masked", id, reason]);
    }
    const value = this.read(element);
    const same = value === (seen.value ?? defaultValue(element, reason !== null));
    if (!same) {
      seen.value = value;
      ops.push(["value", id, value]);
    }
    if (reason || localName(element) !== "input") return;
    const bad = element.validity.badInput;
    const isNumber = inputType(element) === "number";
    if (this.dirty.has(id) ? bad || seen.typed || (same && isNumber) : bad && seen.typed === null) {
      seen.typed ??= "";
      if (this.doubts.size === 0) this.doubt();
      this.doubts.set(element, id);
    } else if (seen.typed && (!same || (!bad && value === ""))) this.tell(id, seen, []);
  }

  /** What a field shows: text of the browser's and parts that a person fills in, by turns. */
  typed(element: Element, shown: string[]): void {
    const id = this.doubts.get(element) ?? 0;
    const seen = this.seen.get(id);
    this.doubts.delete(element);
    if (!seen) return;
    const isOther = seen.element.validity?.badInput || (shown.length === 1 && shown[0] !== this.read(seen.element));
    this.tell(id, seen, isOther ? shown : []);
  }

  private tell(id: number, seen: Seen, shown: string[]): void {
    const key = shown.join("\x1f");
    if (key !== (seen.typed ?? "")) this.told.push(["typed", id, shown]);
    seen.typed = key;
  }
}
