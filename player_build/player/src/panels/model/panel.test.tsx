import assert from "node:assert/strict";
import { test } from "node:test";
import { drawPanel } from "../../../test/draw.tsx";
import { ModelPanel } from "./panel.tsx";

test("the last call before the time shows what was asked and answered, message by message", async () => {
  const drawn = drawPanel(ModelPanel, [
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

test("messages that are kept once stand in each call that sent them, whatever the wire's form", async () => {
  const drawn = drawPanel(ModelPanel, [
    { k: "said", t: 90, id: 1, role: "system", content: "Shop." },
    { k: "said", t: 90, id: 2, role: "user", content: { role: "user", content: "A vase" } },
    { k: "said", t: 90, id: 3, role: "model", content: { role: "model", parts: [{ text: "Which?" }] } },
    { k: "said", t: 90, id: 4, role: "function_call", content: { type: "function_call", name: "search" } },
    { k: "llm", t: 100, id: 5, model: "m-1", said: [1, 2], reasoning: "A vase it is", response: "Which?" },
    { k: "llm", t: 200, id: 6, model: "m-1", said: [1, 2, 3, 4, 99], response: null },
  ]);
  await drawn.go(150);
  assert.deepEqual(drawn.texts("message"), ["systemShop.", "userA vase", "reasoningA vase it is", "responseWhich?"]);
  await drawn.go(250);
  const shown = drawn.texts("message").join("|");
  assert.match(shown, /^systemShop\.\|userA vase\|model.*Which\?.*\|assistant.*search/s);
});
