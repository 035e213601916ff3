import assert from "node:assert/strict";
import { test } from "node:test";
import { makeElement, type FakeElement, FakePage, makeText } from "../test/page.ts";
import { createSession } from "../test/session.ts";
import { LIMITS } from "./config.ts";
import type { DocumentSession } from "./session.ts";

/** A page with a heading and a field, of which a session has told. */
function recorded(): { page: FakePage; session: DocumentSession; field: FakeElement & { value: string } } {
  const page = new FakePage();
  const field = makeElement("input") as FakeElement & { value: string };
  page.body.put(makeElement("h1", "Tea"));
  page.body.put(field);
  const session = createSession(page);
  session.start();
  return { page, session, field };
}
const kinds = (page: FakePage): string[] => page.messages().map(({ k }) => k);
const opsOf = (page: FakePage): unknown[][] => page.messages().flatMap(({ ops }) => ops ?? []);

test("a document is told of first, with a snapshot and its own state", () => {
  const { page } = recorded();
  const [document, snapshot] = page.messages();
  assert.equal(document?.k, "document");
  assert.equal(document?.title, "A page");
  assert.deepEqual(document?.viewport, { w: 800, h: 600, dpr: 1 });
  assert.equal(snapshot?.why, "late", "it has content already");
  assert.deepEqual(snapshot?.ops?.[0]?.slice(0, 2), ["doc", 1]);
});

test("changes and what the parts find in one transaction, in the order of the list", () => {
  const { page, session, field } = recorded();
  page.messages();
  field.value = "green"; // by a script: nothing tells of it
  page.body.put(makeText("new"));
  session.controlChanged(field as unknown as Element);
  session.flush();
  assert.deepEqual(opsOf(page), [
    ["add", 3, 7, "new"],
    ["value", 6, "green"],
  ]);
});

test("a transaction that takes several slices has one time, and what is found meanwhile comes after it", () => {
  const { page, session, field } = recorded();
  page.messages();
  for (let at = 0; at < 400; at++) page.body.put(makeElement("p"));
  page.cost = LIMITS.slice + 1;
  session.take(LIMITS.slice);
  field.value = "by a script";
  session.controlChanged(field as unknown as Element);
  page.now += 400;
  session.take(LIMITS.slice);
  page.cost = 0;
  session.flush();
  const told = page.messages().filter(({ k }) => k === "mutation");
  const value = told.pop();
  assert.ok(told.length > 2, `${told.length}`);
  assert.equal(new Set(told.map(({ t }) => t)).size, 1, `${told.map(({ t }) => t)}`);
  assert.deepEqual(value?.ops, [["value", 6, "by a script"]]);
  assert.ok((value?.t as number) >= (told[0]?.t as number) + 400);
});

test("what somebody does comes after all that happened before it", () => {
  const { page, session } = recorded();
  page.messages();
  let gathered = true;
  session.beforeInteraction(() => {
    if (gathered) session.samples("pointer", { points: [] }, 1_000_500);
    gathered = false;
  });
  page.body.put(makeText("new"));
  session.interaction("mouse", { type: "down", node: 3 });
  session.flush();
  assert.deepEqual(kinds(page), ["pointer", "mutation", "mouse"]);
});

test("what no event tells of is found with the poll, and told before a checkpoint", () => {
  const { page, session, field } = recorded();
  page.messages();
  const root = field.attachShadow();
  root.put(makeElement("b"));
  session.checkpoint();
  session.flush();
  const told = page.messages();
  assert.deepEqual(
    told.map(({ k }) => k),
    ["mutation", "checkpoint"],
  );
  assert.deepEqual(told[0]?.ops?.[0]?.slice(0, 3), ["add", 6, 7]);
  assert.equal(told[1]?.nodes, 8);
  field.value = "by a script";
  page.tick(4 * LIMITS.poll + LIMITS.send);
  assert.deepEqual(opsOf(page), [["value", 6, "by a script"]]);
});

test("a page in which nothing happens is woken once a second, one in which somebody acts is looked at soon again", () => {
  const { page, session, field } = recorded();
  page.tick(3 * LIMITS.apart);
  page.messages();
  page.woken = 0;
  page.tick(10_000);
  assert.ok(page.woken <= 11, `${page.woken}`);
  page.tick(100);
  session.interaction("mouse");
  page.tick(LIMITS.poll / 2);
  field.value = "by a script";
  page.tick(LIMITS.poll / 2 + LIMITS.send);
  assert.deepEqual(opsOf(page), [["value", 6, "by a script"]]);
  page.woken = 0;
  page.tick(20_000);
  assert.ok(page.woken <= 30, `${page.woken}`);
});

test("a calm page is checked by itself, once; one that changes is not", () => {
  const { page } = recorded();
  page.messages();
  for (let at = 0; at < 20; at++) {
    page.body.put(makeText(`${at}`));
    page.tick(LIMITS.idle / 2);
  }
  assert.ok(!kinds(page).includes("checkpoint"));
  page.tick(2 * LIMITS.apart);
  assert.deepEqual(kinds(page).filter((kind) => kind === "checkpoint").length, 1);
  page.tick(4 * LIMITS.apart);
  assert.deepEqual(kinds(page), []);
});

test("the first check of a large page waits for its share of the page's time", () => {
  const { page, session } = recorded();
  for (let at = 0; at < 30_000; at++) page.body.put(makeElement("p"));
  session.flush();
  page.messages();
  page.tick(2 * LIMITS.apart);
  assert.ok(!kinds(page).includes("checkpoint"));
  page.tick(30_000 / 4);
  assert.ok(kinds(page).includes("checkpoint"));
});

test("a check in slices is given up when the page goes on meanwhile", () => {
  const { page, session } = recorded();
  for (let at = 0; at < 1000; at++) page.body.put(makeElement("p"));
  session.flush();
  page.messages();
  const begin = () => {
    page.now += 2 * LIMITS.apart;
    page.cost = LIMITS.slice;
    session.checkpoints.idle();
    page.cost = 0;
  };
  begin();
  page.body.put(makeText("new"));
  session.flush();
  page.tick(1);
  session.flush();
  assert.ok(!kinds(page).includes("checkpoint"));
  begin();
  page.tick(1);
  session.flush();
  assert.ok(kinds(page).includes("checkpoint"));
});

test("a snapshot begins anew, under new ids", () => {
  const { page, session } = recorded();
  page.messages();
  session.snapshot("heal");
  page.body.put(makeText("after"));
  session.flush();
  const [snapshot, mutation] = page.messages();
  assert.deepEqual([snapshot?.why, snapshot?.ops?.[0]?.[1]], ["heal", 7]);
  assert.deepEqual(mutation?.ops, [["add", 9, 13, "after"]]);
});

test("after the end nothing is told", () => {
  const { page, session, field } = recorded();
  page.messages();
  session.stop();
  page.body.put(makeText("new"));
  session.controlChanged(field as unknown as Element);
  session.interaction("mouse");
  page.tick(10_000);
  session.flush();
  assert.deepEqual(kinds(page), []);
});

test("what of ours throws is told, and the checkpoint that is under way is given up", () => {
  const { page, session } = recorded();
  page.messages();
  session.failed(new Error("x"));
  session.flush();
  const [gap] = page.messages();
  assert.deepEqual([gap?.k, gap?.detail], ["gap", "the script failed: Error: x"]);
});
