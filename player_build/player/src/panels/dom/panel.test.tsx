import assert from "node:assert/strict";
import { test } from "node:test";
import { DocumentLog } from "../../history/document-log.ts";
import { drawPanel } from "../../../test/draw.tsx";
import { DomPanel } from "./panel.tsx";

function log(): DocumentLog {
  const made = new DocumentLog({ k: "document", t: 0, d: 1, page: 1, top: true, viewport: { w: 800, h: 600, dpr: 1 } });
  const tree = [
    "#document",
    {},
    ["html", {}, ["body", {}, ["ul", { class: "list" }, ["li", {}, "one"], ["li", {}, "two"]]]],
  ];
  made.add({ k: "snapshot", t: 0, d: 1, n: 0, ops: [["doc", 1, tree]] });
  made.add({ k: "mutation", t: 500, d: 1, n: 1, ops: [["text", 6, "new"]] });
  return made;
}

test("the tree is that of the moment, folded below the body, and opens where one presses", async () => {
  const drawn = drawPanel(DomPanel, []);
  assert.match(drawn.text(), /No page shows/);
  Object.assign(drawn.player.stage, { log: log() });
  await drawn.go(10);
  assert.equal(drawn.texts("dom")[0]?.replace(/\s+/g, " "), '<html><body><ul class="list">');
  await drawn.act("click", '<ul class="list">');
  assert.match(drawn.text(), /<li>one<li>two/);
  assert.deepEqual(drawn.ui.picked, { d: 1, id: 4 });
  await drawn.go(600);
  assert.match(drawn.text(), /<li>new<li>two/);
});
