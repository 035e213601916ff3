import assert from "node:assert/strict";
import { test } from "node:test";
import type { Op } from "../encoding/ops.ts";
import { reportErrorsTo } from "../error-guard.ts";
import { type StatePart, combineStateParts } from "./part.ts";

test("parts are asked in their order, each for what it has", () => {
  const whole = combineStateParts([
    { collect: (ops, extent) => ops.push(["text", 1, extent]) },
    { poll: (ops, must) => ops.push(["checked", 2, must ? 1 : 0]) },
    { collect: (ops) => ops.push(["text", 3, ""]) },
    {},
  ]);
  const ops: Op[] = [];
  whole.collect(ops, "slice");
  whole.poll(ops, true);
  whole.clear();
  assert.deepEqual(ops, [
    ["text", 1, "slice"],
    ["text", 3, ""],
    ["checked", 2, 1],
  ]);
});

test("what one part cannot do, the others still can, and it is told", () => {
  const heard: string[] = [];
  reportErrorsTo((error) => heard.push(`${error}`));
  class Gone implements StatePart {
    private readonly ids = [1];
    forget(id: number): void {
      this.ids.push(id);
      heard.push(`${this.ids}`);
    }
  }
  const broken: StatePart = {
    forget: () => {
      throw new Error("no such node");
    },
  };
  combineStateParts([broken, new Gone()]).forget(7);
  assert.deepEqual(heard, ["Error: no such node", "1,7"]);
});
