import assert from "node:assert/strict";
import { test } from "node:test";
import { drawPanel } from "../../../test/draw.tsx";
import { ConsolePanel } from "./panel.tsx";

const EVENTS = [
  { k: "console", t: 100, level: "info", text: "ready", url: "https://shop.example/app.js", line: 7 },
  { k: "console", t: 200, level: "warning", text: "old prices" },
  { k: "error", t: 300, message: "x is not a function", stack: "TypeError: x\n at pay" },
  { k: "dialog", t: 400, type: "alert", message: "Sold out" },
];

test("the console has messages, errors and dialogs, with where they come from", () => {
  const drawn = drawPanel(ConsolePanel, EVENTS);
  assert.deepEqual(drawn.texts("kind"), ["info", "warning", "error", "dialog"]);
  assert.deepEqual(drawn.texts("text"), ["ready", "old prices", "TypeError: x\n at pay", "alert: Sold out"]);
  assert.equal(drawn.texts("place")[0], "shop.example/app.js:7");
  assert.match(drawPanel(ConsolePanel, []).text(), /wrote nothing/);
});

test("what is still to come is pale, and a press goes there", async () => {
  const drawn = drawPanel(ConsolePanel, EVENTS);
  assert.equal(drawn.texts("later").length, 4);
  await drawn.go(250);
  assert.deepEqual(drawn.texts("later").length, 2);
  await drawn.act("click", "0:00.3errorTypeError: x\n at pay");
  assert.equal(drawn.player.time, 300);
});

test("only problems, and only what fits all words of the filter", async () => {
  const drawn = drawPanel(ConsolePanel, EVENTS);
  await drawn.act("input", "Filter the console", { value: "prices OLD" });
  assert.deepEqual(drawn.texts("text"), ["old prices"]);
  await drawn.act("input", "Filter the console", { value: "" });
  assert.equal(drawn.texts("text").length, 4);
});
