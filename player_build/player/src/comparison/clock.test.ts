import assert from "node:assert/strict";
import { test } from "node:test";
import { findCommonIdleSpans, convertClockTime } from "./clock.ts";

const CLOCK = [
  [0, 0, 0],
  [100, 100, 50],
  [100, 100, 50],
  [400, 200, 350],
] as const;

test("what both did stands at one moment, and between two such moments each run takes its share", () => {
  assert.equal(convertClockTime(CLOCK, 100, "u", "a"), 100);
  assert.equal(convertClockTime(CLOCK, 100, "u", "b"), 50);
  assert.equal(convertClockTime(CLOCK, 250, "u", "a"), 150);
  assert.equal(convertClockTime(CLOCK, 250, "u", "b"), 200);
  assert.equal(convertClockTime(CLOCK, 150, "a", "u"), 250);
});

test("the clock does not go past either end", () => {
  assert.equal(convertClockTime(CLOCK, 9999, "u", "a"), 200);
  assert.equal(convertClockTime(CLOCK, -5, "u", "b"), 0);
  assert.equal(convertClockTime([], 7, "u", "a"), 7);
});

test("idle is what is idle in both", () => {
  assert.deepEqual(
    findCommonIdleSpans(CLOCK, {
      a: [[120, 180]],
      b: [
        [0, 20],
        [100, 300],
      ],
    }),
    [[160, 340]],
  );
});
