import assert from "node:assert/strict";
import { readdirSync, existsSync } from "node:fs";
import { test } from "node:test";
import { drawPanel } from "../../test/draw.tsx";
import { PANELS } from "./table.ts";

const FOLDER = "player_build/player/src/panels";

test("each panel is a folder with component, style and test, and a line in the table with a key of its own", () => {
  const folders = readdirSync(FOLDER, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== "shared",
  );
  assert.deepEqual(folders.map(({ name }) => name).sort(), PANELS.map(({ name }) => name.toLowerCase()).sort());
  for (const { name } of folders)
    for (const file of ["panel.tsx", "style.css", "panel.test.tsx"])
      assert.ok(existsSync(`${FOLDER}/${name}/${file}`), `${name}/${file}`);
  assert.equal(new Set(PANELS.map(({ key }) => key)).size, PANELS.length);
});

test("a recording in which nothing happened opens every panel", () => {
  const info = {
    fidelity: { tree: { equal: 0, total: 0 } },
    sizes: { events: 0, resources: 0, reel: 0 },
    gaps: [],
    missing: [],
    unsupported: {},
  };
  for (const { name, Panel } of PANELS) assert.ok(drawPanel(Panel, [], info).text(), name);
});
