import assert from "node:assert/strict";
import { test } from "node:test";
import { formatScreenAction } from "./action-text.ts";

test("actions of computer tools are told in a few words, and what was told in words as it was", () => {
  const said: Array<readonly [unknown, string]> = [
    ["press Save", "press Save"],
    [{ action: "left_click", coordinate: [310, 88] }, "left click 310, 88"],
    [{ action: "scroll", coordinate: [1, 2], scroll_direction: "down", scroll_amount: 3 }, "scroll 1, 2 down 3"],
    [{ type: "click", x: 5.04, y: 7, button: "left" }, "click 5, 7 left"],
    [{ type: "keypress", keys: ["CTRL", "s"] }, "keypress CTRL+s"],
    [{ action: "type", text: "hello" }, "type \u201chello\u201d"],
    [{ type: "drag", path: [{ x: 1, y: 2 }] }, 'drag path [{"x":1,"y":2}]'],
    [[{ type: "click", x: 1, y: 2 }, { type: "wait" }], "click 1, 2, then wait"],
    [undefined, ""],
    [{}, ""],
    [7, "7"],
  ];
  for (const [action, words] of said) assert.equal(formatScreenAction(action), words);
});
