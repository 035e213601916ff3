// The parts that paint a document, each by itself: the tree, the lists of its nodes, what one painting collects, scrolling.
import { type FakeNode, createFakeDocument } from "./fake_dom.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../src/decode/events.ts";
import { DEFAULT_MEDIA_PREFERENCES } from "../src/history/document-log.ts";
import { PaintedNodes } from "../src/paint/painted-nodes.ts";
import { PaintingPass } from "../src/paint/painting-pass.ts";
import { paintAllScrollOffsets } from "../src/paint/scrolling.ts";
import { rebuildTree, removeRealNodes, canReuseElement, paintChildren } from "../src/paint/tree.ts";
import { DocumentEditor } from "../src/state/document.ts";
import type { ModelNode } from "../src/state/node.ts";

/** A document of which only the tree is painted; it keeps which nodes are to show what they are. */
class Tree extends PaintedNodes {
  painting = new PaintingPass(DEFAULT_MEDIA_PREFERENCES);
  readonly painted: number[] = [];
  readonly editor = new DocumentEditor();

  constructor(body: readonly Json[], room?: number) {
    super(createFakeDocument());
    this.painting = new PaintingPass(DEFAULT_MEDIA_PREFERENCES, room);
    this.editor.apply([["doc", 1, ["#document", {}, ["body", {}, ...body]]]], 0);
    this.current = this.editor.freeze();
    rebuildTree(this);
  }

  repaint(node: ModelNode): void {
    this.painted.push(node.id);
  }

  /** Applies ops and paints the children of a node anew. */
  change(ops: readonly Json[], parent: number): void {
    this.editor.apply(ops, 0);
    this.current = this.editor.freeze();
    this.painting = new PaintingPass(DEFAULT_MEDIA_PREFERENCES);
    paintChildren(this, this.get(parent) as ModelNode, true);
  }

  get text(): string {
    return (this.document as unknown as FakeNode).text;
  }
}

const BODY = 2;

test("a tree is built in the order of the recorded one, and each of its nodes is painted once", () => {
  const tree = new Tree([
    ["p", {}, "a", ["em", {}, "b"]],
    ["hr", {}],
  ]);
  assert.equal(tree.text, "#document(body(p(a em(b)) hr))");
  assert.deepEqual(tree.painted, [BODY, 3, 5, 7, 1]);
  assert.equal(tree.idOf(tree.node(5) as Node), 5);
});

test("what is moved or stays keeps its real node, what has gone is taken out", () => {
  const tree = new Tree([
    ["i", {}],
    ["b", {}],
    ["u", {}],
  ]);
  const [i, b, u] = [3, 4, 5].map((id) => tree.node(id));
  tree.change([["move", -3, 5]], BODY);
  assert.equal(tree.text, "#document(body(u i b))");
  assert.deepEqual(
    [i, b, u],
    [3, 4, 5].map((id) => tree.node(id)),
  );
  tree.change([["del", 3]], BODY);
  assert.equal(tree.text, "#document(body(u b))");
});

test("a node that was let go of is on no list, and one that must be made anew names its parent", () => {
  const tree = new Tree([
    ["style", {}, "p {}"],
    ["video", {}],
    ["iframe", {}],
  ]);
  assert.deepEqual([[...tree.owners.keys()], [...tree.media.keys()], [...tree.frames.keys()]], [[3], [5], [6]]);
  tree.painting.sheetsTouched = false;
  assert.deepEqual([...removeRealNodes(tree, [5, 6])], [BODY]);
  assert.equal(tree.painting.sheetsTouched, false);
  removeRealNodes(tree, [3]);
  assert.equal(tree.painting.sheetsTouched, true);
  assert.deepEqual([tree.owners.size, tree.media.size, tree.frames.size], [0, 0, 0]);
  assert.equal(tree.text, "#document(body)");
});

test("a first look ends where it has no room, and names the parents whose other children are to come", () => {
  const tree = new Tree(
    [
      ["p", {}],
      ["p", {}],
      ["p", {}],
    ],
    3,
  );
  assert.equal(tree.text, "#document(body(p p))");
  assert.deepEqual([...tree.painting.unbuilt], [BODY]);
  tree.change([], BODY);
  assert.equal(tree.text, "#document(body(p p p))");
});

test("what lies deeper than the engine's stack would bear is left for later", () => {
  let deep: Json = "end";
  for (let depth = 0; depth < 500; depth++) deep = ["b", {}, deep];
  const tree = new Tree([deep]);
  assert.equal(tree.text.includes("end"), false);
  for (let node = tree.painting.deep.pop(); node; node = tree.painting.deep.pop()) paintChildren(tree, node);
  assert.equal(tree.text.includes("end"), true);
  assert.equal(tree.painting.nesting, 0);
});

test("a control is touched by its own text, by its options and their text, and by nothing further down", () => {
  const tree = new Tree([
    ["select", {}, ["option", {}, "one"]],
    ["button", {}, ["b", {}, "go"]],
  ]);
  const touched = (id: number): number[] => {
    tree.painting = new PaintingPass(DEFAULT_MEDIA_PREFERENCES);
    tree.noteControl(tree.get(id) as ModelNode);
    return [...tree.painting.touchedControls];
  };
  assert.deepEqual([3, 4, 5].map(touched), [[3], [3], [3]]);
  assert.deepEqual(touched(8), []);
});

test("a failure at one node keeps none of the others from being painted, and nodes that do not stand are left out", () => {
  const tree = new Tree([
    ["i", {}],
    ["b", {}],
  ]);
  const done: number[] = [];
  tree.eachNode([3, 99, 4], ({ id }) => {
    done.push(id);
    if (id === 3) throw new Error("no such thing");
  });
  assert.deepEqual(done, [3, 4]);
});

test("a real element stands for a node until it would need another shadow root, or a picture has lost its source", () => {
  const made = (tag: string, more: Partial<ModelNode> = {}): ModelNode =>
    ({ id: 1, kind: "element", tag, inner: 0, attributes: {}, state: {}, children: [], ...more }) as ModelNode;
  assert.equal(canReuseElement(made("div"), made("div", { inner: 9 })), true);
  assert.equal(canReuseElement(made("div", { inner: 9 }), made("div")), false);
  assert.equal(canReuseElement(made("div", { inner: 9 }), made("div", { inner: 9 })), true);
  assert.equal(canReuseElement(made("object", { state: { states: ["a"] } }), made("object")), false);
  assert.equal(canReuseElement(made("img", { attributes: { src: "a.png" } }), made("img")), false);
});

test("what cannot be scrolled as far as it was counts as done once it was given up in the same room", () => {
  const tree = new Tree([["div", {}, "long"]]);
  const box = tree.node(3) as unknown as FakeNode;
  box.scrollHeight = 300;
  box.clientHeight = 100;
  tree.editor.apply([["scroll", 3, 0, 150]], 0);
  tree.current = tree.editor.freeze();
  tree.scrolledNodes.clear();
  tree.scrolledNodes.add(3);
  assert.equal(paintAllScrollOffsets(tree), false); // It moves now, and stands with the next look.
  assert.equal(box.scrollTop, 150);
  assert.equal(paintAllScrollOffsets(tree), true);
  box.scrollHeight = 200;
  box.scrollTop = 100;
  assert.equal(paintAllScrollOffsets(tree, true), true);
  assert.equal(paintAllScrollOffsets(tree), true);
  box.scrollHeight = 210;
  assert.equal(paintAllScrollOffsets(tree), false);
});
