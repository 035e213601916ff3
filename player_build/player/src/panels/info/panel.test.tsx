import assert from "node:assert/strict";
import { test } from "node:test";
import { drawPanel } from "../../../test/draw.tsx";
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
  const drawn = drawPanel(InfoPanel, [], INFO);
  assert.match(
    drawn.text(),
    /complete.*replay matches the page: 4 of 4 checks\..*Moments at which the replay and the page were compared: tree 4\/4.*layout, picture: not checked.*1 gap.*900 B of events, 12 kB of resources; the recording 2\.0 MB/,
  );
  assert.match(drawn.text(), /Shown without their byteshttps:\/\/shop\.example\/a\.png/);
  assert.equal(drawn.texts("warn").length, 1);
  await drawn.act("click", "0:00.3capa film");
  assert.equal(drawn.player.time, 300);
  assert.deepEqual(drawPanel(InfoPanel, [], { ...INFO, redaction: { policy: "vendor" } }).texts("warn"), []);
});

test("versions have the names that people gave them", () => {
  const version = (t: number, what: string, value: unknown, name?: string) => ({
    k: "version",
    t,
    id: t,
    what,
    value,
    sha256: "9f86d081884c7d65",
    ...(name ? { name } : {}),
  });
  const told = [
    version(1, "prompt", "You are a shopper", "v1"),
    version(2, "model", "gwoke-2"),
    version(3, "tools", ["a b"]),
    version(4, "model", "gwoke-2"),
  ];
  assert.match(drawPanel(InfoPanel, told, INFO).text(), /Versionsprompt=v1, model=gwoke-2, tools=9f86d081Length/);
});

test("an imported recording says what made it, and claims nothing", () => {
  const text = drawPanel(InfoPanel, [], {
    ...INFO,
    imported: { from: "trace", name: "Playwright", version: "1.65.0" },
  }).text();
  assert.match(text, /imported from Playwright 1\.65\.0: pagereel did not see the page/);
  assert.doesNotMatch(text, /tree 4/);
});

test("a redaction is told in words: what, where, what was left out", () => {
  const redaction = {
    policy: "vendor",
    total: 57,
    values: 12,
    entities: { PERSON: 55, EMAIL_ADDRESS: 1, GOVERNMENT_ID: 1 },
    channels: {
      "dom.text": { PERSON: 50, EMAIL_ADDRESS: 1 },
      "step.title": { PERSON: 5 },
      "console.text": { GOVERNMENT_ID: 1 },
    },
    dropped: { "event key": 28, "resource text/html": 1 },
    structural: 3,
  };
  const text = drawPanel(InfoPanel, [], { ...INFO, redaction }).text();
  assert.match(text, /policy “vendor”: 12 values replaced, in 57 places/);
  assert.match(text, /55 {2}names of people\s+1 {2}e-mail address\s+1 {2}government id/);
  assert.match(text, /51 {2}texts of pages\s+5 {2}story and model calls\s+1 {2}console/);
  assert.match(text, /28 {2}key \(event\)\s+1 {2}text\/html \(resource\)/);
  assert.match(text, /3 short or common values replaced in place/);
  assert.doesNotMatch(text, /[{}]/);
});
