// The page model in the player is a port: on the same ops it must give the same lines, digest and errors as reel/'s.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import type { Json } from "../src/decode/events.ts";
import { digestDocument, iterDigestLines } from "../src/state/digest.ts";
import { DocumentEditor } from "../src/state/document.ts";
import { emptyTrie, type Trie, trieDiff, trieGet, trieSet } from "../src/state/trie.ts";

interface Fixture {
  readonly name: string;
  readonly ops: Json[];
  readonly lines: string;
  readonly digest: string;
  readonly nodes: number;
  readonly errors: number;
}

const fixtures = JSON.parse(readFileSync("tests/reel/fixtures_digest.json", "utf8")) as Fixture[];

const wellFormed = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text));

for (const fixture of fixtures) {
  test(`same as reel: ${fixture.name}`, () => {
    const editor = new DocumentEditor();
    editor.apply(fixture.ops, 0);
    const version = editor.freeze();
    assert.equal(wellFormed([...iterDigestLines(version)].join("")), wellFormed(fixture.lines));
    assert.deepEqual(digestDocument(version), { digest: fixture.digest, nodes: fixture.nodes });
    assert.equal(version.errors > 0, fixture.errors > 0, `errors: ${version.errors}, there ${fixture.errors}`);
  });
}

test("animations that began together are as if told one by one", () => {
  const editor = new DocumentEditor();
  const transition = { type: "transition", time: 0, rate: 2, from: "0", to: "1", timing: { duration: 9 } };
  editor.apply([["doc", 1, ["#document", {}, ["p", {}], ["p", {}], ["p", {}]]]], 0);
  const ops: Json[] = [
    ["anims", 7, { type: "css", time: 40 }, "rise", 2, 99, 3, "turn", 4],
    ["anims", 11, transition, "border-top-color", 2, 3],
    ["anims", 12, { type: "transition", time: 5, running: false }, "border-top-color", 3],
    ["anim", 4, 10, { type: "css", name: "turn", time: 0, rate: 0.5, running: false }],
    ["unanim", 11],
  ];
  editor.apply(ops, 5);
  const { animations, errors } = editor.freeze();
  assert.equal(errors, 1);
  assert.deepEqual(
    [...animations].map(([key, { node, name, time, rate, running }]) => [key, node, name, time, rate, running]),
    [
      [7, 2, "rise", 40, 1, true],
      [9, 3, "rise", 40, 1, true],
      [10, 4, "turn", 0, 0.5, false],
      [12, 3, "border-top-color", 5, 1, false],
    ],
  );
  assert.deepEqual(animations.get(12)?.keyframes, [{ borderTopColor: "0" }, { borderTopColor: "1" }]);
  assert.deepEqual(animations.get(12)?.timing, { duration: 9 });
});

test("a frozen version never changes again", () => {
  for (const fixture of fixtures) {
    const editor = new DocumentEditor();
    const versions = fixture.ops.map((op) => {
      editor.apply([op], 0);
      const version = editor.freeze();
      return { version, was: [...iterDigestLines(version)].join("") };
    });
    for (const { version, was } of versions) assert.equal([...iterDigestLines(version)].join(""), was);
  }
});

test("a trie is a map whose old versions stay, and whose difference is what differs", () => {
  const writes = fc.array(fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.option(fc.integer(), { nil: undefined })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(writes, writes, (first, second) => {
      let trie: Trie<object> = emptyTrie();
      const map = new Map<number, object | undefined>();
      const write = (list: typeof first, token: number): void => {
        for (const [id, value] of list) {
          const item = value === undefined ? undefined : { value };
          trie = trieSet(trie, id, item, token);
          map.set(id, item);
        }
      };
      write(first, 1);
      const old = trie;
      const then = new Map(map);
      write(second, 2);
      for (const [id, item] of then) assert.equal(trieGet(old, id), item);
      for (const [id, item] of map) assert.equal(trieGet(trie, id), item);
      const found = new Map<number, unknown>();
      trieDiff(old, trie, (id, before, after) => {
        assert.equal(before, then.get(id));
        found.set(id, after);
      });
      for (const [id, item] of map) assert.equal(found.has(id), item !== then.get(id));
    }),
    { seed: 7, numRuns: 300 },
  );
});

test("what came and went leaves no branches behind", () => {
  let trie: Trie<object> = emptyTrie();
  for (let id = 1; id < 5000; id++) trie = trieSet(trie, id, { id }, 1);
  for (let id = 1; id < 4999; id++) trie = trieSet(trie, id, undefined, 2);
  const branches = (item: unknown): number =>
    typeof item === "object" && item !== null && "slots" in item
      ? 1 + (item.slots as unknown[]).reduce((sum: number, slot) => sum + branches(slot), 0)
      : 0;
  assert.equal(branches(trie.root), trie.depth + 1);
});

test("a hostile tree cannot tie itself into a ring", () => {
  const editor = new DocumentEditor();
  editor.apply(
    [
      ["doc", 1, ["#document", {}, ["a", {}, ["b", {}, "t"]]]],
      ["move", 3, 2],
      ["move", 2, 1],
      ["add", 3, 10, ["c", {}, 2]],
    ],
    0,
  );
  const version = editor.freeze();
  assert.ok(version.errors >= 3);
  assert.match([...iterDigestLines(version)].join(""), /^D1\nE2 a\nE3 b\n/);
});

test("names of Object.prototype are names like others", () => {
  const editor = new DocumentEditor();
  editor.apply(
    [
      ["doc", 1, ["#document", {}, ["a", { constructor: "x" }]]],
      ["attr", 2, { __proto__: null, toString: "y" }],
    ],
    0,
  );
  assert.ok([...iterDigestLines(editor.freeze())].includes("E2 a\x1fconstructor=x\x1ftoString=y\n"));
});

test("what most nodes do not have stands once for all of them, and an edit of one leaves the others as they are", () => {
  const editor = new DocumentEditor();
  editor.apply([["doc", 1, ["#document", {}, ["a", {}], ["b", {}], "c"]]], 0);
  const { nodes } = editor.freeze();
  const [a, b, c] = [2, 3, 4].map((id) => trieGet(nodes, id));
  assert.ok(a && b && c);
  for (const what of ["children", "attributes", "state"] as const)
    assert.equal(new Set([a, b, c].map((each) => each[what])).size, 1);
  editor.apply(
    [
      ["add", 2, 5, ["i", {}], ["i", {}]],
      ["attr", 2, { title: "x" }],
      ["value", 2, "y"],
      ["move", 3, 5],
      ["add", 3, 7, ["u", {}, 4, "z"]],
    ],
    1,
  );
  const version = editor.freeze();
  assert.equal(version.errors, 0);
  assert.equal(
    [...iterDigestLines(version)].join(""),
    "D1\nE2 a\x1ftitle=x\nE6 i\n)\n)\nE3 b\nE5 i\n)\nE7 u\nT4 c\nT8 z\n)\n)\n)\n",
  );
  assert.equal([...iterDigestLines({ ...version, nodes })].join(""), "D1\nE2 a\n)\nE3 b\n)\nT4 c\n)\n");
});
