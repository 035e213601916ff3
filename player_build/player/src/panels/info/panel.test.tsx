import assert from "node:assert/strict";
import { test } from "node:test";
import { draw } from "../../../test/draw.tsx";
import { InfoPanel } from "./panel.tsx";

const INFO = {
  sealed: true,
  fidelity: { verdict: "full", tree: { equal: 4, total: 4 }, layout: null, picture: null, missing: 0 },
  gaps: [{ t: 300, reason: "cap", detail: "a film" }],
  gapCount: 1,
  sizes: { events: 900, resources: 12_000, reel: 2_000_000 },
  unsupported: {},
  missing: ["https://shop.example/a.png"],
};

test("what the file is, what it lacks and whether it was redacted", async () => {
  const drawn = draw(InfoPanel, [], INFO);
  assert.match(
    drawn.text(),
    /complete and sealed.*tree 4\/4.*layout, picture: not checked.*1 gap.*900 B of events, 12 kB of resources; the recording 2\.0 MB/,
  );
  assert.match(drawn.text(), /Shown without their byteshttps:\/\/shop\.example\/a\.png/);
  assert.equal(drawn.texts("warn").length, 1);
  await drawn.act("click", "0:00.3capa film");
  assert.equal(drawn.player.time, 300);
  assert.deepEqual(draw(InfoPanel, [], { ...INFO, redaction: { policy: "vendor" } }).texts("warn"), []);
});

test("an imported recording says what made it, and claims nothing", () => {
  const text = draw(InfoPanel, [], {
    ...INFO,
    imported: { from: "trace", name: "Playwright", version: "1.65.0" },
  }).text();
  assert.match(text, /imported from Playwright 1\.65\.0: pagereel did not see the page/);
  assert.doesNotMatch(text, /tree 4/);
});
