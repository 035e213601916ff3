// State as a function of time: the way to a moment must not show in it, and no way may be long.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Json, PlayerEvent } from "../src/decode/events.ts";
import { DocumentLog } from "../src/history/document-log.ts";
import { Recording } from "../src/history/recording.ts";
import { Story } from "../src/history/story.ts";
import { countItemsUntil } from "../src/history/time-search.ts";
import { digestDocument } from "../src/state/digest.ts";

function logOf(count: number): DocumentLog {
  const log = new DocumentLog({ k: "document", t: 0, d: 1, page: 1, top: true, viewport: { w: 800, h: 600, dpr: 1 } });
  log.add({ k: "snapshot", t: 0, d: 1, n: 0, ops: [["doc", 1, ["#document", {}, ["html", {}, ["ul", {}]]]]] });
  let next = 10;
  const alive: number[] = [];
  let seed = 42;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (let n = 1; n < count; n++) {
    const ops: Json[] = [];
    const kind = alive.length < 5 ? 0 : random(5);
    if (kind === 0) {
      const at = alive.length && random(2) ? -(alive[random(alive.length)] as number) : 3;
      ops.push(["add", at, next, ["li", { class: `c${n}` }, `item ${n}`]]);
      alive.push(next);
      next += 2;
    } else if (kind === 1) ops.push(["text", (alive[random(alive.length)] as number) + 1, `text ${n}`]);
    else if (kind === 2) ops.push(["attr", alive[random(alive.length)] as number, { class: `d${n}`, title: null }]);
    else if (kind === 3) ops.push(["move", 3, alive[random(alive.length)] as number]);
    else if (alive.length > 40) ops.push(["del", alive.splice(random(alive.length), 1)[0] as number]);
    log.add({ k: "mutation", t: n, d: 1, n, ops });
  }
  return log;
}

test("any jump gives the same state as playing there", () => {
  const played = logOf(3000);
  const digests = Array.from({ length: 3000 }, (_, t) => digestDocument(played.stateAt(t)).digest);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2999 }), { minLength: 1, maxLength: 12 }), (times) => {
      const log = logOf(3000);
      for (const t of times) assert.equal(digestDocument(log.stateAt(t)).digest, digests[t]);
    }),
    { seed: 3, numRuns: 25 },
  );
});

test("a seek among 20,000 changes takes milliseconds", () => {
  const log = logOf(20_000);
  log.prepare(Number.POSITIVE_INFINITY);
  const times: number[] = [];
  for (let index = 0; index < 300; index++) {
    const t = (index * 7919) % 20_000;
    // The processor's time: what else runs on the machine does not count.
    const start = process.cpuUsage();
    log.stateAt(t);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  times.sort((a, b) => a - b);
  assert.ok((times[285] as number) < 20, `95th percentile: ${times[285]} ms`);
});

test("counts by binary search", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer(), (items, t) => {
      items.sort((a, b) => a - b);
      assert.equal(
        countItemsUntil(items, t, (item) => item),
        items.filter((item) => item <= t).length,
      );
    }),
    { seed: 1 },
  );
});

test("a frame shows the document that was in it then", () => {
  const recording = new Recording();
  const begin = (d: number, t: number, top: boolean): PlayerEvent => ({
    k: "document",
    t,
    d,
    page: 1,
    top,
    url: `https://h/${d}`,
  });
  recording.add([
    begin(1, 0, true),
    { k: "embed", t: 5, d: 2, parent: 1, node: 7 },
    begin(2, 5, false),
    begin(3, 20, false),
    { k: "embed", t: 20, d: 3, parent: 1, node: 7 },
    begin(4, 30, true),
  ]);
  assert.equal(recording.embeddedAt(1, 7, 4), undefined);
  assert.equal(recording.embeddedAt(1, 7, 19)?.d, 2);
  assert.equal(recording.embeddedAt(1, 7, 25)?.d, 3);
  assert.equal(recording.documentAt(1, 29)?.d, 1);
  assert.equal(recording.documentAt(1, 30)?.d, 4);
});

test("a story puts steps, calls and costs together", () => {
  const story = new Story(100);
  story.add([
    { k: "step", t: 0, id: 1, parent: null, title: "Buy" },
    { k: "step", t: 10, id: 2, parent: 1, title: "Pay" },
    { k: "llm", t: 11, id: 3, step: 2, input_tokens: 10, output_tokens: 5, cost_usd: 0.5 },
    { k: "tool_call", t: 12, id: 4, step: 2, name: "click" },
    { k: "tool_result", t: 13, id: 5, call: 4, result: "ok" },
    { k: "step_end", t: 20, id: 2, success: false, error: "declined" },
    { k: "mark", t: 30, name: "after" },
  ]);
  const [buy, pay] = story.steps;
  assert.deepEqual([buy?.duration, buy?.closed, buy?.tokens, buy?.cost], [100, false, 15, 0.5]);
  assert.deepEqual([pay?.depth, pay?.duration, pay?.success, pay?.error], [1, 10, false, "declined"]);
  assert.equal(pay?.items[1]?.result?.result, "ok");
  assert.deepEqual(story.loose, []);
  assert.deepEqual(
    [5, 15, 25].map((t) => story.stepAt(t)?.id),
    [1, 2, 1],
  );
});

test("what was told or done outside of all steps is kept apart", () => {
  const story = new Story(100);
  story.add([
    { k: "llm", t: 0, id: 1, input_tokens: 10 },
    { k: "call", t: 1, id: 2, title: "Click" },
    { k: "step", t: 2, id: 3, parent: null, title: "Buy" },
    { k: "note", t: 3, id: 4, step: 3, text: "within" },
    { k: "step_end", t: 4, id: 3, success: true },
    { k: "note", t: 5, id: 5, text: "after" },
  ]);
  assert.deepEqual(
    story.loose.map((item) => item.id),
    [1, 2, 5],
  );
});
