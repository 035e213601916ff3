import assert from "node:assert/strict";
import { test } from "node:test";
import { drawPanel } from "../../../test/draw.tsx";
import { StoryPanel } from "./panel.tsx";

const EVENTS = [
  { k: "step", t: 100, id: 1, parent: null, title: "Find the kettle", reasoning: "It is cold", attributes: {} },
  {
    k: "llm",
    t: 150,
    id: 2,
    step: 1,
    model: "m-1",
    input_tokens: 1200,
    output_tokens: 34,
    cost_usd: 0.02,
    duration: 40,
  },
  { k: "call", t: 200, id: 3, step: 1, method: "click", did: "Click #buy", locator: "#buy", duration: 20 },
  { k: "step_end", t: 500, id: 1, success: false, error: "Sold out\nat shop" },
  { k: "note", t: 900, id: 5, text: "Gave up", attributes: { why: "no kettle" } },
];

test("the story has steps with what was thought, called and paid, and what stands outside of them", () => {
  const drawn = drawPanel(StoryPanel, EVENTS);
  assert.equal(drawn.texts("sum")[0], "1 step \u00b7 1 action \u00b7 1,234 tokens \u00b7 $0.02");
  assert.equal(drawn.texts("title")[0], "1 Find the kettle");
  assert.match(drawn.texts("loose")[0] ?? "", /Gave up.*why.*no kettle/);
});

test("the step under way is open and shows its reasoning and error whole", async () => {
  const drawn = drawPanel(StoryPanel, EVENTS);
  await drawn.go(210);
  assert.deepEqual(drawn.texts("what").slice(0, 2), ["m-1", "Click #buy"]);
  assert.equal(drawn.texts("reasoning")[0], "It is cold");
  assert.ok(drawn.texts("outcome").includes("Sold out\nat shop"));
});

test("what a script did without steps has its rows, in order, and an error that a call says is not said again", () => {
  const drawn = drawPanel(StoryPanel, [
    { k: "call", t: 10, id: 1, method: "goto", did: "Go to /checkout" },
    { k: "call", t: 20, id: 2, method: "fill", did: 'Fill Postal code "9999 XX"' },
    {
      k: "call",
      t: 30,
      id: 3,
      method: "click",
      did: "Click Pay",
      error: "TimeoutError: Locator.click: Timeout\nCall log:\n- x",
    },
    { k: "note", t: 40, id: 4, text: "The run ended by TimeoutError: Locator.click: Timeout\nCall log:\n- x" },
    { k: "note", t: 50, id: 5, text: "The run ended by AssertionError: expected\nCall log:\n- x" },
  ]);
  assert.equal(drawn.texts("sum")[0], "3 actions");
  assert.deepEqual(drawn.texts("what"), [
    "Go to /checkout",
    'Fill Postal code "9999 XX"',
    "Click Pay",
    "The run ended by AssertionError: expected",
  ]);
});

test("steps within a hook fold while it is not under way, unless they failed; an error that a call says is not said again", async () => {
  const step = (id: number, t: number, parent: number | null, title: string, kind = "") => ({
    k: "step",
    t,
    id,
    parent,
    title,
    attributes: kind ? { kind } : {},
  });
  const drawn = drawPanel(StoryPanel, [
    step(1, 10, null, "Set up", "hook"),
    step(2, 20, 1, "fixture: page"),
    step(3, 21, 2, "New page"),
    { k: "step_end", t: 29, id: 2, success: true },
    { k: "step_end", t: 30, id: 1, success: true },
    step(4, 40, null, "Pay"),
    { k: "call", t: 41, id: 5, step: 4, method: "wait_for_url", error: "Timeout 4000ms exceeded." },
    {
      k: "step_end",
      t: 50,
      id: 4,
      success: false,
      error: "TimeoutError: Page.wait_for_url: Timeout 4000ms exceeded.\n==",
    },
  ]);
  await drawn.go(45);
  assert.deepEqual(drawn.texts("title"), ["1 Set up", "4 Pay"]);
  assert.deepEqual(drawn.texts("outcome"), ["Timeout 4000ms exceeded."]);
  await drawn.go(12);
  assert.deepEqual(drawn.texts("title"), ["1 Set up", "2 fixture: page", "3 New page", "4 Pay"]);
});

test("a screenshot has the boxes that the model was given, with what it took them for", async () => {
  const boxes = [[10, 20, 30, 40, "Pay", 0.934, "button"], [1, 2, 3, 4], [0, 0, -1, 5, "wrong"], "no box"];
  const drawn = drawPanel(StoryPanel, [{ k: "screenshot", t: 5, id: 1, label: "seen", body: "blob:x", boxes }]);
  assert.equal(drawn.text().includes("button Pay"), false);
  await drawn.act("load", "What was seen: seen", { naturalWidth: 1280, naturalHeight: 800 });
  assert.deepEqual(drawn.texts("box"), ["button Pay 93 %".repeat(2), ""]);
});

test("a run without steps says how it gets some", () => {
  assert.match(drawPanel(StoryPanel, []).text(), /session\.step/);
});

test("a step that nobody told says so, and how often the same was done; questions and scores have names of their own", async () => {
  const step = (id: number, attributes: object) => ({
    k: "step",
    t: id * 100,
    id,
    parent: null,
    title: "click: Next",
    attributes,
  });
  const drawn = drawPanel(StoryPanel, [
    step(1, { inferred: true, iteration: 1 }),
    step(2, { inferred: true, iteration: 2, repeats: 5, attempt: 2 }),
    { k: "ask", t: 300, id: 3, text: "May I?", attributes: {} },
    { k: "score", t: 310, id: 4, name: "helpful", value: 0.9, text: "found it" },
    { k: "outcome", t: 315, id: 5, success: false, text: "out of stock" },
  ]);
  assert.deepEqual(drawn.texts("chip"), ["inferred", "inferred, the same for the 5th time, attempt 2"]);
  await drawn.go(320);
  assert.deepEqual(drawn.texts("kind"), ["question", "score", "outcome"]);
  assert.deepEqual(drawn.texts("what"), ["May I?", "helpful: found it", "failed: out of stock"]);
});

test("how often the same was done is counted as people count", () => {
  const steps = [2, 3, 12, 21].map((repeats, place) => {
    const attributes = { inferred: true, repeats };
    return { k: "step", t: place * 100, id: place + 1, parent: null, title: "click: Next", attributes };
  });
  const told = ["2nd", "3rd", "12th", "21st"].map((count) => `inferred, the same for the ${count} time`);
  assert.deepEqual(drawPanel(StoryPanel, steps).texts("chip"), told);
});

const AGENTS = [
  { k: "step", t: 100, id: 1, parent: null, title: "Plan", agent: "planner", attributes: {} },
  { k: "agent_message", t: 150, id: 2, step: 1, agent: "planner", to: "shop buyer", text: "Buy it" },
  { k: "tool_call", t: 160, id: 3, step: 1, agent: "critic", name: "judge" },
  { k: "step", t: 200, id: 4, parent: null, title: "Buy", agent: "shop buyer", attributes: {} },
];

test("of several agents each step, message and call says whose it is, by name and initials", async () => {
  const drawn = drawPanel(StoryPanel, AGENTS);
  assert.deepEqual(drawn.texts("title"), ["1 PLplanner Plan", "2 SBshop buyer Buy"]);
  await drawn.go(170);
  assert.deepEqual(drawn.texts("what"), ["planner \u2192 shop buyer: Buy it", "CRcritic judge"]);
});

test("a press on an agent leaves what it did and what it was told, another press all", async () => {
  const drawn = drawPanel(StoryPanel, AGENTS);
  await drawn.act("click", "CRcritic ");
  assert.deepEqual(drawn.texts("title"), ["1 PLplanner Plan"]);
  await drawn.act("click", "CRcritic ");
  assert.equal(drawn.texts("title").length, 2);
});

test("one agent alone needs no name", () => {
  const drawn = drawPanel(StoryPanel, AGENTS.slice(0, 1));
  assert.deepEqual(drawn.texts("title"), ["1 Plan"]);
});
