import assert from "node:assert/strict";
import { test } from "node:test";
import { FakePage } from "../test/page.ts";
import { LIMITS } from "./config.ts";
import { CapturePace } from "./pace.ts";

/** Changes come every 10 ms for `ms`; the moments at which they were taken. */
function taken(ms: number, during: (pace: CapturePace, at: number) => void = () => {}): number[] {
  const page = new FakePage();
  const times: number[] = [];
  const pace = new CapturePace(page.natives, () => times.push(page.now));
  page.tick(60_000); // Nothing happens for a minute: what comes then is no habit of the page.
  for (let at = 0; at < ms; at += 10) {
    during(pace, at);
    pace.soon();
    page.tick(10);
  }
  return times;
}
const gaps = (times: readonly number[]): number[] => times.slice(1).map((time, at) => time - (times[at] as number));

test("changes are taken within a frame's time, and less often on a page that never rests", () => {
  const all = gaps(taken(4000));
  assert.ok(Math.max(...all.slice(0, 50)) <= LIMITS.settle + 10, `${all.slice(0, 50)}`);
  assert.ok(Math.min(...all.slice(-10)) >= LIMITS.settleSteady, `${all.slice(-10)}`);
});

test("somebody who acts makes it quick again, a recorder that cannot keep up slows it down", () => {
  const acted = gaps(taken(4000, (pace, at) => at % 1000 === 0 && pace.acted()));
  assert.ok(Math.max(...acted) <= LIMITS.settle + 10, `${acted}`);
  const slow = gaps(
    taken(2000, (pace) => {
      pace.slowness = 4;
    }),
  );
  assert.ok(Math.min(...slow) >= 4 * LIMITS.settleSteady, `${slow}`);
});

test("nothing is taken after the end", () => {
  assert.deepEqual(
    taken(500, (pace) => pace.stop()),
    [],
  );
});
