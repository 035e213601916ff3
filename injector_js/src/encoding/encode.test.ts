import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeElement, type FakeElement, type FakeNode, FakePage, makeText } from "../../test/page.ts";
import { MutationCollector } from "../changes.ts";
import { LIMITS, MASK_TEXT } from "../config.ts";
import { createNodeIdsAsProperty, ModelMirror } from "../mirror.ts";
import { MaskedFields } from "../policy.ts";
import { TreeEncoder } from "./encode.ts";
import type { Op, Tree } from "./ops.ts";

/** The tree of a document, as a reader of the ops has it: of each id what it is and which ids are in it. */
class Model {
  readonly nodes = new Map<number, { said: string; parent: number; inner: number[] }>();
  private root = 0;

  apply(ops: readonly Op[]): void {
    for (const op of ops) {
      if (op[0] === "doc") {
        this.root = op[1];
        this.add(op[2], op[1], 0, null);
      } else if (op[0] === "add") {
        let id = op[2];
        for (const tree of op.slice(3) as Tree[]) id = this.add(tree, id, ...this.place(op[1]));
      } else if (op[0] === "move") {
        for (const id of op.slice(2) as number[]) this.take(id, ...this.place(op[1]));
      } else if (op[0] === "del") for (const id of op.slice(1) as number[]) this.remove(id);
      else if (op[0] === "text") this.at(op[1]).said = op[2];
      else if (op[0] === "attr") {
        const node = this.at(op[1]);
        const [tag, said = "{}"] = node.said.split(/ (.*)/s);
        const all = { ...JSON.parse(said), ...op[2] };
        for (const name in all) if (all[name] === null) delete all[name];
        node.said = `${tag} ${JSON.stringify(all)}`;
      } else throw new Error(`no ${op[0]} here`);
    }
  }

  /** As {@link live} has it. */
  lines(id = this.root): unknown {
    const { said, inner } = this.at(id);
    return inner.length > 0 || said.includes(" {") ? [said, ...inner.map((child) => this.lines(child))] : said;
  }

  private at(id: number) {
    const node = this.nodes.get(id);
    if (!node) throw new Error(`there is no ${id}`);
    return node;
  }

  /** The parent, and the child before which something goes. */
  private place(at: number): [parent: number, before: number | null] {
    return at > 0 ? [at, null] : [this.at(-at).parent, -at];
  }

  private take(id: number, parent: number, before: number | null): void {
    const node = this.at(id);
    for (let up = parent; up > 0; up = this.at(up).parent) assert.notEqual(up, id, "it would be in itself");
    const old = this.nodes.get(node.parent)?.inner;
    old?.splice(old.indexOf(id), 1);
    node.parent = parent;
    const row = this.nodes.get(parent)?.inner;
    row?.splice(before === null ? row.length : row.indexOf(before), 0, id);
  }

  /** Adds a tree; gives the id after its last one. */
  private add(tree: Tree, id: number, parent: number, before: number | null): number {
    if (typeof tree === "number") {
      this.take(tree, parent, before);
      return id;
    }
    const [tag, attributes, ...rest] = typeof tree === "string" ? [tree] : tree;
    const given = typeof attributes === "object" && !Array.isArray(attributes);
    const said = typeof tree === "string" ? tree : `${tag} ${JSON.stringify(given ? attributes : {})}`;
    this.nodes.set(id, { said, parent: -1, inner: [] });
    this.take(id, parent, before);
    let next = id + 1;
    const inner = (given || attributes === undefined ? rest : [attributes, ...rest]) as Tree[];
    for (const child of inner) next = this.add(child, next, id, null);
    return next;
  }

  private remove(id: number): void {
    for (const child of [...this.at(id).inner]) this.remove(child);
    const row = this.nodes.get(this.at(id).parent)?.inner;
    row?.splice(row.indexOf(id), 1);
    this.nodes.delete(id);
  }
}

function live(node: FakeNode): unknown {
  if (node.nodeType === 3) return node.textContent;
  const { name = "#document", attributes = [] } = node as FakeElement;
  const said = Object.fromEntries(attributes.map((each) => [each.name, each.value]));
  return [`${name} ${JSON.stringify(said)}`, ...node.children.map(live)];
}

/** A page with the encoder and the changes of its document, as a session has them. */
class Recorded extends FakePage {
  readonly model = new Model();
  readonly mirror = new ModelMirror(createNodeIdsAsProperty());
  private readonly masks = new MaskedFields([]);
  readonly encoder = new TreeEncoder(
    this.mirror,
    this.masks,
    {
      element: () => {},
      drawn: () => {},
      root: () => {},
      moved: (node) => this.changes.placed(node),
      open: (parent) => this.changes.leftOpen(parent),
      mixed: () => this.changes.mixed,
    },
    this.natives.now,
    null,
  );
  readonly changes: MutationCollector = new MutationCollector(this.mirror, this.encoder, this.masks, {
    forget: () => {},
    toggled: () => {},
    attributes: () => {},
  });
  private readonly observer = new this.natives.MutationObserver(() => {});

  begin(): Tree {
    const document = this.document as unknown as Document;
    this.observer.observe(document, {});
    const tree = this.encoder.document(document);
    this.model.apply([["doc", 1, tree]]);
    return tree;
  }

  /** The ops for all that has happened, or for what a budget that is used up allows. */
  take(hasty = false): Op[] {
    this.changes.note(this.observer.takeRecords());
    const ops: Op[] = [];
    do {
      this.encoder.budget(hasty ? this.now - 1 : Number.POSITIVE_INFINITY);
      this.changes.collect(ops);
    } while (!hasty && this.changes.pending);
    this.model.apply(ops);
    return ops;
  }

  assertEqual(): void {
    this.take();
    assert.deepEqual(this.model.lines(), live(this.document));
    assert.equal(this.mirror.size, this.model.nodes.size);
  }
}

test("a document is one tree, and what happens to it are few ops", () => {
  const page = new Recorded();
  const list = makeElement("ul", makeElement("li", "one"), makeElement("li", "two"));
  list.setAttribute("class", "list");
  page.body.put(list);
  assert.deepEqual(page.begin(), [
    "#document",
    {},
    ["html", {}, ["body", {}, ["ul", { class: "list" }, ["li", {}, "one"], ["li", {}, "two"]]]],
  ]);
  const [one, two] = list.children as [FakeNode, FakeNode];
  list.put(makeElement("li", "three"));
  list.put(two, one);
  (one.firstChild as ReturnType<typeof makeText>).data = "1";
  list.removeAttribute("class");
  assert.deepEqual(page.take(), [
    ["move", -5, 7],
    ["add", 4, 9, ["li", {}, "three"]],
    ["text", 6, "1"],
    ["attr", 4, { class: null }],
  ]);
  two.remove();
  assert.deepEqual(page.take(), [["del", 7]]);
  page.assertEqual();
});

test("known nodes keep their ids in a new tree", () => {
  const page = new Recorded();
  const [a, b] = [makeElement("a"), makeElement("b")];
  page.body.put(a);
  page.body.put(b);
  page.begin();
  page.body.put(makeElement("div", b, a));
  assert.deepEqual(page.take(), [["add", -4, 6, ["div", {}, 5, 4]]]);
  page.assertEqual();
});

test("new neighbours of which one takes along what they stand before", () => {
  const page = new Recorded();
  const known = makeElement("p");
  page.body.put(known);
  page.body.put(makeElement("q"));
  page.begin();
  page.body.put(makeElement("i"), known);
  page.body.put(makeText("between"), known);
  (page.body.firstChild as FakeElement).put(known);
  assert.deepEqual(page.take(), [
    ["add", -4, 6, ["i", {}, 4]],
    ["add", -5, 7, "between"],
  ]);
  page.assertEqual();
});

test("an ancestor that becomes a descendant makes no ring", () => {
  const page = new Recorded();
  const c = makeElement("c");
  const b = makeElement("b", c);
  const a = makeElement("a", b);
  page.body.put(a);
  page.begin();
  page.body.put(a); // It was named first, and must wait for what it went into.
  page.body.put(b);
  c.put(a);
  page.assertEqual();
});

test("what may run and what is secret is not told", () => {
  const page = new Recorded();
  const field = makeElement("input");
  for (const [name, value] of Object.entries({ type: "password", value: "hunter2", onclick: "go()" }))
    field.setAttribute(name, value);
  page.body.put(makeElement("script", "secret()"));
  page.body.put(field);
  assert.deepEqual(page.begin(), [
    "#document",
    {},
    ["html", {}, ["body", {}, ["script", {}], ["input", { type: "password", value: MASK_TEXT }]]],
  ]);
});

test("a tree that is too deep for a reader comes in pieces", () => {
  const page = new Recorded();
  let deep: FakeNode = makeElement("i", "end");
  for (let at = 0; at < 3 * LIMITS.depth; at++) deep = makeElement("i", deep);
  page.body.put(deep);
  page.begin();
  assert.ok(page.changes.pending);
  for (const op of page.take()) {
    const depth = (tree: unknown): number => (Array.isArray(tree) ? 1 + Math.max(0, ...tree.map(depth)) : 0);
    assert.ok(depth(op) <= LIMITS.depth + 4, `${depth(op)}`);
  }
  assert.deepEqual(page.model.lines(), live(page.document));
});

/** Steps of a walk: what is done, to which node, and where. */
const walk = fc.array(
  fc.tuple(fc.constantFrom("new", "move", "del", "text", "attr", "take"), fc.nat(), fc.nat(), fc.nat()),
  {
    maxLength: 60,
  },
);

test("whatever happens to a document, in whatever slices it is taken, the model becomes the page", () => {
  fc.assert(
    fc.property(walk, (steps) => {
      const page = new Recorded();
      for (const name of ["p", "q", "r"]) page.body.put(makeElement(name, makeElement("b", name)));
      page.begin();
      const all: FakeNode[] = [];
      const list = (node: FakeNode) => {
        all.push(node);
        node.children.forEach(list);
      };
      for (const [what, first, second, third] of steps) {
        all.length = 0;
        list(page.body);
        const node = all[first % all.length] as FakeNode;
        const elements = all.filter((each) => each.nodeType === 1);
        const parent = elements[second % elements.length] as FakeElement;
        const before = parent.children[third % (parent.children.length + 1)] ?? null;
        if (what === "take") page.take(true);
        else if (what === "new")
          parent.put(third % 3 ? makeElement("i", `${first}`, makeElement("u")) : makeText(`${first}`), before);
        else if (what === "attr") parent.setAttribute("title", `${third}`);
        else if (what === "text" && "data" in node) node.data = `${third}`;
        else if (what === "move" && node !== page.body && node !== before && !node.contains(parent))
          parent.put(node, before);
        else if (what === "del" && node !== page.body) node.remove();
      }
      page.assertEqual();
    }),
    { numRuns: 10_000 },
  );
});
