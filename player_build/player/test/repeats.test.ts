import assert from "node:assert/strict";
import { test } from "node:test";
import { foldRepeatedCalls, formatFoldedTitle } from "../src/history/repeated-calls.ts";
import type { StoryItem } from "../src/history/story.ts";

const calls = (...said: string[]): StoryItem[] =>
  said.map((text, at) => {
    const [method = "", error] = text.split("!");
    return {
      kind: "call",
      time: at * 10,
      id: at,
      event: { k: "call", t: at * 10, method, did: method, duration: 5, ...(error ? { error } : {}) },
    };
  });
const read = (...said: string[]): string[] => foldRepeatedCalls(calls(...said)).map(formatFoldedTitle);

test("rounds of calls that only wait or look are one line", () => {
  assert.deepEqual(read("click", "wait_for_timeout", "wait_for_timeout", "wait_for_timeout", "fill"), [
    "click",
    "wait_for_timeout \u00d7 3",
    "fill",
  ]);
  assert.deepEqual(read(...Array(4).fill(["wait_for_timeout", "count"]).flat(), "click"), [
    "wait_for_timeout, count \u00d7 4",
    "click",
  ]);
  const around = ["is_visible", "inner_text", "wait_for_timeout"];
  assert.deepEqual(read(...around, ...around, ...around, "is_visible"), [
    `${around.join(", ")} \u00d7 3`,
    "is_visible",
  ]);
});

test("what acts, what failed, and what comes once or twice stands for itself", () => {
  for (const said of [
    ["click", "click", "click"],
    ["evaluate", "evaluate", "evaluate"],
    ["wait_for", "wait_for"],
    ["wait_for", "wait_for", "wait_for!Timeout"],
    ["wait_for", "click", "wait_for", "click", "wait_for", "click"],
  ])
    assert.deepEqual(
      read(...said),
      said.map((text) => text.split("!")[0]),
    );
});

test("folds keep all items, in their order", () => {
  const items = calls(
    "count",
    "count",
    "count",
    "click",
    "wait_for",
    "count",
    "wait_for",
    "count",
    "wait_for",
    "count",
    "wait_for",
  );
  assert.deepEqual(
    foldRepeatedCalls(items).flatMap((fold) => fold.items),
    items,
  );
});
