import assert from "node:assert/strict";
import { test } from "node:test";
import type { Suite } from "../src/suite/suite.ts";
import type { SuiteIndex } from "../src/suite/tests.ts";

const page = {
  documentElement: { classList: { toggle: () => {} } },
  createElement: () => ({}),
  implementation: { createHTMLDocument: () => page },
};
Object.assign(globalThis, { document: page, location: { hash: "" } });
const made = await import("../src/suite/suite.ts"); // Its modules ask for the document.

function suite(read: (name: string) => Promise<Uint8Array>): Suite {
  location.hash = "";
  const tests = ["a", "b"].map((id, n) => ({ id, name: `pays ${id}`, shown: n * 16, runs: [{ n: n * 16 }] }));
  return new made.Suite({ tests, resources: [] } as unknown as SuiteIndex, read as never);
}

test("a damaged test is said, and may be asked for again", async () => {
  let asked = 0;
  const of = suite(async () => {
    asked += 1;
    throw new Error("test-0 is damaged");
  });
  let told = "";
  of.subscribe(() => {
    told = of.notice;
  });
  for (const times of [1, 2]) {
    await assert.rejects(of.open("a"), /test-0 is damaged/);
    assert.equal(told, "pays a cannot be shown: test-0 is damaged");
    assert.equal(asked, times);
    assert.equal(of.opened, undefined);
  }
});

test("a test that another overtook says that it is not open, and leaves the other's notice", async () => {
  let fail = (_: Error): void => {};
  const of = suite((name) =>
    name === "test-0"
      ? new Promise((_, reject) => {
          fail = reject;
        })
      : Promise.reject(new Error("test-1 is damaged")),
  );
  const first = of.open("a");
  await assert.rejects(of.open("b"), /test-1 is damaged/);
  fail(new Error("too late"));
  await assert.rejects(first);
  assert.equal(of.notice, "pays b cannot be shown: test-1 is damaged");
});
