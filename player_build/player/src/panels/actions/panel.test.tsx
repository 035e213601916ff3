import assert from "node:assert/strict";
import { test } from "node:test";
import { drawPanel } from "../../../test/draw.tsx";
import { ActionsPanel } from "./panel.tsx";

const call = (id: number, t: number, method: string, more: object = {}) => ({
  k: "call",
  t,
  id,
  method,
  title: method,
  duration: 10,
  ...more,
});

test("calls that only look again and again are one row", () => {
  const looks = [1, 2, 3, 4].map((id) => call(id, id * 100, "is_visible", { did: "Is visible #a", locator: "#a" }));
  const drawn = drawPanel(ActionsPanel, [...looks, call(9, 900, "click", { did: "Click #b", locator: "#b" })]);
  assert.deepEqual(drawn.texts("text"), ["Is visible #a \u00d7 4", "Click #b"]);
});

test("the call under way shows its parameters, source and error, and leads before and after it", async () => {
  const drawn = drawPanel(ActionsPanel, [
    call(1, 100, "fill", {
      params: { value: "x" },
      error: "Timeout",
      source: { file: "a.py", line: 3, function: "run", code: ["> fill()"] },
    }),
  ]);
  assert.deepEqual(drawn.texts("detail"), []);
  await drawn.act("click", "0:00.1fill10 ms");
  assert.match(drawn.texts("detail")[0] ?? "", /Timeout.*"value": "x".*a\.py:3 in run> fill\(\)/s);
  await drawn.act("click", "After");
  assert.equal(drawn.player.time, 110);
});
