// All text that pages ever showed, with when it came: what a search looks through.

import type { Json } from "../decode/events.ts";
import type { Recording } from "../history/recording.ts";

/** A text that a page showed from the time `t` (ms) on. */
export interface ShownText {
  readonly t: number;
  readonly text: string;
}

const QUIET = /^(?:svg\|)?(?:style|script|title|template)$/;

/** Yields all texts that the recorded pages ever showed. */
export function* iterShownTexts(recording: Recording): Generator<ShownText> {
  for (const log of recording.documents.values()) for (const [ops, t] of log.messages()) yield* textsOf(ops, t);
}

/** The texts that the ops of one message bring. */
function* textsOf(ops: readonly Json[], t: number): Generator<ShownText> {
  for (const op of ops) {
    if (!Array.isArray(op)) continue;
    if (op[0] === "doc") yield* inTree(op[2] ?? null, t);
    else if (op[0] === "add") for (const tree of op.slice(3)) yield* inTree(tree, t);
    else if ((op[0] === "text" || op[0] === "value") && typeof op[2] === "string" && op[2].trim())
      yield { t, text: op[2] };
  }
}

/** Text by block: what stands side by side in one element is one text. */
function* inTree(tree: Json, t: number): Generator<ShownText> {
  const stack: Json[] = [tree];
  while (stack.length) {
    const item = stack.pop() as Json;
    if (typeof item === "string") {
      if (item.trim()) yield { t, text: item };
      continue;
    }
    if (!Array.isArray(item) || typeof item[0] !== "string" || QUIET.test(item[0])) continue;
    if (item[0].startsWith("#") && !/^#(?:document|shadow|content)$/.test(item[0])) continue;
    for (let index = item.length - 1; index >= 1; index--) {
      const child = item[index] as Json;
      if (typeof child === "string" || Array.isArray(child)) stack.push(child);
    }
  }
}
