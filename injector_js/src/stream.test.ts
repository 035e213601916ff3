import assert from "node:assert/strict";
import { test } from "node:test";
import { FakePage } from "../test/page.ts";
import { MessageBatcher } from "./message-batcher.ts";
import { LIMITS } from "./config.ts";
import { TransactionStream } from "./stream.ts";

function begin(): { page: FakePage; stream: TransactionStream } {
  const page = new FakePage();
  const { natives } = page;
  const channel = new MessageBatcher("d", natives.send, natives.setTimeout, null);
  return { page, stream: new TransactionStream(channel, () => page.now) };
}

test("a transaction is of the moment of its last record, not of the timer that takes it", () => {
  const { page, stream } = begin();
  stream.noted();
  page.tick(12);
  assert.equal(stream.stateTime(), 1000);
  assert.equal(stream.stateTime(), 1012, "what was noted is told once");
});

test("what has happened before it was heard of is told as of then, but after all that was told", () => {
  const { page, stream } = begin();
  page.tick(100);
  stream.happened(17);
  assert.equal(stream.stateTime(), 1083);
  stream.emit("key", {});
  page.tick(5);
  stream.happened(17);
  assert.equal(stream.stateTime(), 1100);
});

test("what is found after a checkpoint is not of the moment at which that saw the page otherwise", () => {
  const { page, stream } = begin();
  stream.emit("checkpoint", {});
  page.tick(5);
  stream.happened(17);
  assert.equal(stream.stateTime(), 1000.1);
});

test("numbered messages are in their order, and a message may name its moment", () => {
  const { page, stream } = begin();
  stream.push("blob");
  stream.emit("pointer", { t: 990 });
  assert.equal(stream.told([]), false);
  assert.equal(stream.told([["del", 3]], 995), true);
  page.tick(LIMITS.send);
  assert.deepEqual(page.messages(), [
    { k: "blob", t: 1000 },
    { k: "pointer", t: 990, n: 0 },
    { k: "mutation", t: 995, ops: [["del", 3]], n: 1 },
  ]);
});

test("a complaint is told once, and not without end", () => {
  const { page, stream } = begin();
  stream.unsupportedOnce("shadow", "closed");
  stream.unsupportedOnce("shadow", "closed");
  for (let at = 0; at < 100; at++) stream.failed(new Error(`${at % 50}`));
  stream.flush();
  const told = page.messages();
  assert.deepEqual(told[0], { k: "unsupported", t: 1000, what: "shadow", detail: "closed" });
  assert.equal(told[1]?.detail, "the script failed: Error: 0");
  assert.equal(told.length, 21);
});
