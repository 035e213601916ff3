// Event ids in the player are a port: the same as reel/ids.py gives.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import type { PlayerEvent } from "../src/decode/events.ts";
import { createEventIdFunction, sha256 } from "../src/tools/event-ids.ts";

interface Fixture {
  readonly header: { readonly id?: string; readonly started?: number };
  readonly events: ReadonlyArray<readonly [PlayerEvent, string]>;
}

test("the same ids as the reel's", () => {
  for (const { header, events } of JSON.parse(readFileSync("tests/reel/fixtures_ids.json", "utf8")) as Fixture[]) {
    const name = createEventIdFunction(String(header.id || header.started));
    for (const [event, id] of events) assert.equal(name(event), id, JSON.stringify(event));
  }
});

test("in a part of a recording the clock begins later", () => {
  assert.equal(
    createEventIdFunction("r", 30.5)({ k: "mark", t: 1.2 }),
    createEventIdFunction("r")({ k: "mark", t: 31.7 }),
  );
});

test("SHA-256 is node's", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 300, unit: "binary" }),
      (text) => sha256(text) === createHash("sha256").update(text).digest("hex"),
    ),
  );
});
