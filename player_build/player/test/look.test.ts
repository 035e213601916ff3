// A first look is the page that the whole one is, without the last children of some nodes; or there is none.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Json } from "../src/decode/events.ts";
import { DocumentLog } from "../src/history/document-log.ts";
import type { DocumentVersion } from "../src/state/document-version.ts";
import { MAX_PREVIEW_NODES, MAX_PREVIEW_CHILDREN } from "../src/state/page-preview.ts";
import type { ModelNode } from "../src/state/node.ts";
import { emptyTrie, type Trie, trieDiff, trieGet } from "../src/state/trie.ts";

/** A document whose messages hold these ops, a millisecond apart. */
function logOf(...messages: Json[][]): DocumentLog {
  const log = new DocumentLog({ k: "document", t: 0, d: 1 });
  for (const [index, ops] of messages.entries()) log.add({ k: "mutation", t: index + 1, d: 1, ops });
  return log;
}

function sizeOf(nodes: Trie<unknown>): number {
  let size = 0;
  trieDiff(emptyTrie<unknown>(), nodes, () => {
    size += 1;
  });
  return size;
}

const list = (length: number): Json[] => Array.from({ length }, (_, index) => ["li", {}, ["b", {}, `item ${index}`]]);

/** Fails unless each node of the look is in the whole, with the same before it. */
function isBeginningOf(look: DocumentVersion, whole: DocumentVersion): void {
  trieDiff(emptyTrie<ModelNode>(), look.nodes, (id, _, node) => {
    const there = trieGet(whole.nodes, id);
    assert.ok(node && there);
    const { children, token: _1, childrenToken: _2, ...rest } = node;
    const { children: all, token: _3, childrenToken: _4, ...theirs } = there;
    assert.deepEqual(rest, theirs);
    assert.deepEqual(children, all.slice(0, children.length));
  });
}

test("a large page is looked at without what stands further down, and what comes after that has its own ids", () => {
  const page: Json = [
    "html",
    {},
    ["head", {}, ["title", {}, "t"]],
    ["body", {}, ["ul", {}, ...list(3000)], ["p", {}, "end"]],
  ];
  const log = logOf([["doc", 1, ["#document", {}, page]]], [["add", 7, 20_000, ...list(50)]], [["text", 19_000, "x"]]);
  const look = log.stateAt(9, true);
  assert.equal(look.isLook, true);
  assert.ok(sizeOf(look.nodes) < MAX_PREVIEW_NODES);
  assert.equal(trieGet(look.nodes, 7)?.children.length, MAX_PREVIEW_CHILDREN);
  const whole = log.stateAt(9);
  assert.equal(whole.isLook, undefined);
  assert.equal(trieGet(whole.nodes, 7)?.children.length, 3050);
  isBeginningOf(look, whole);
  assert.equal(trieGet(look.nodes, 9009)?.data, "end");
  assert.ok(log.stateAt(1, true) === log.stateAt(1)); // Asked for before.
});

test("there is no look at a small page, at one that is scrolled, and where something else than its end would be missing", () => {
  const page: Json = ["html", {}, ["head", {}], ["body", {}, ["ul", {}, ...list(3000)], ["p", {}]]];
  const start: Json[] = [["doc", 1, ["#document", {}, page]]];
  for (const ops of [
    [["scroll", 1, 0, 400]], // What is in sight stands further down.
    [["del", 6]], // The next item comes into sight.
    [["move", 9006, 9003]], // One that was left out stands at the end now,
    [["add", 9006, 9100, ["div", {}, 9003]]],
    [["move", 9003, 6]], // and one that was in sight in what was left out.
    [["add", 9003, 9100, ["div", {}, 6]]],
    [["add", 5, 9100, ["div", {}, 6]]],
  ]) {
    const log = logOf(start, ops as Json[]);
    assert.ok(log.stateAt(9, true) === log.stateAt(9), JSON.stringify(ops));
    assert.equal(log.stateAt(9).errors, 0);
  }
  const small = logOf([["doc", 1, ["#document", {}, ["html", {}, ["ul", {}, ...list(9)]]]]]);
  assert.ok(small.stateAt(9, true) === small.stateAt(9));
});

test("whatever a page is made of, its look is how it begins", () => {
  const leaf = fc.constantFrom<Json>(
    "text",
    ["br", {}],
    ["#comment", "c"],
    ["#pi", "x", "y"],
    ["i", { title: "t" }, "u"],
    ["#odd"],
  );
  const node = fc.tuple(fc.constantFrom("div", "head", "p"), fc.constantFrom(1, 3, 149, 150, 151, 400), leaf);
  const trees = fc.array(node, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(trees, trees, (first, then) => {
      const made = (of: typeof first): Json[] =>
        of.map(([tag, count, child]) => [tag, {}, ["#shadow", {}, "s"], ...Array<Json>(count).fill(child)]);
      const log = logOf(
        [["doc", 1, ["#document", {}, ["html", {}, ...made(first)]]]],
        [
          ["add", 2, 10_000, ...made(then)],
          ["add", 3, 20_000, "late"],
          ["attr", 900, { class: "x" }],
        ],
      );
      const look = log.stateAt(9, true);
      isBeginningOf(look, log.stateAt(9));
      assert.ok(sizeOf(look.nodes) <= MAX_PREVIEW_NODES + MAX_PREVIEW_CHILDREN);
    }),
  );
});
