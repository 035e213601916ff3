import assert from "node:assert/strict";
import { test } from "node:test";
import { draw } from "../../../test/draw.tsx";
import { ModelPanel } from "./panel.tsx";

test("the last call before the time shows what was asked and answered, message by message", async () => {
  const drawn = draw(ModelPanel, [
    {
      k: "llm",
      t: 100,
      id: 1,
      model: "m-1",
      prompt: [
        { role: "system", content: "Shop." },
        { role: "user", content: { n: 1 } },
      ],
      response: "Yes",
    },
    { k: "llm", t: 500, id: 2, model: "m-2", prompt: "Again?", response: null, error: "No credit" },
  ]);
  assert.deepEqual(drawn.texts("message"), []);
  await drawn.go(200);
  assert.deepEqual(drawn.texts("message"), ["systemShop.", 'user{\n  "n": 1\n}', "responseYes"]);
  await drawn.act("click", "0:00.5m-2 ? \u2192 ? tokens");
  assert.deepEqual(drawn.texts("message"), ["promptAgain?"]);
  assert.deepEqual(drawn.texts("failed"), ["No credit"]);
});
