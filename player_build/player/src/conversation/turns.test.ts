import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlayerEvent } from "../decode/events.ts";
import { Story } from "../history/story.ts";
import { buildTurns } from "./turns.ts";

const SYSTEM = { role: "system", content: "Be brief." };
const ASKED = { role: "user", content: [{ type: "text", text: "Find a vase" }] };

function told(events: PlayerEvent[]): string[] {
  const story = new Story(10_000);
  story.add(events);
  return buildTurns(story).map(({ time, who, name, text, given }) => [time, who, name, given ?? text].join(" ").trim());
}

test("what a model is given again with each call is one turn, and its answer and its tools another", () => {
  const first: PlayerEvent = {
    ...{ k: "llm", t: 500, id: 2, step: 1, model: "m", duration: 200, prompt: [SYSTEM, ASKED] },
    ...{ reasoning: "I search", response: { role: "assistant", content: null, tool_calls: [{}] } },
  };
  const answered = { role: "assistant", content: "", tool_calls: [{}] };
  const result = { role: "tool", content: "one vase" };
  assert.deepEqual(
    told([
      { k: "step", t: 100, id: 1, title: "Look" },
      first,
      { k: "tool_call", t: 510, id: 3, step: 1, name: "search", arguments: "vase" },
      { k: "tool_result", t: 600, id: 4, call: 3, result: "one vase" },
      { ...first, t: 900, id: 5, reasoning: null, prompt: [SYSTEM, ASKED, answered, result], response: "Here it is" },
      { k: "note", t: 950, id: 6, text: "seen" },
    ]),
    [
      "100 step Look",
      "300 system  Be brief.",
      "300 user  Find a vase",
      "500 thought m I search",
      "510 tool search vase",
      "600 tool search one vase",
      "900 model m Here it is",
      "950 note  seen",
    ],
  );
});

test("messages that stand in the recording once are told once; errors are turns", () => {
  assert.deepEqual(
    told([
      { k: "said", t: 1, id: 1, role: "user", content: "Hello" },
      { k: "llm", t: 100, id: 2, model: "m", said: [1], error: "429: slow down" },
      { k: "llm", t: 200, id: 3, model: "m", said: [1], response: [{ content: [{ type: "text", text: "Hi" }] }] },
      { k: "tool_call", t: 210, id: 4, name: "pay" },
      { k: "tool_result", t: 220, id: 5, call: 4, error: "declined" },
    ]),
    ["100 user  Hello", "100 error m 429: slow down", "200 model m Hi", "210 tool pay", "220 error pay declined"],
  );
});

test("what is no list of messages is one text", () => {
  assert.deepEqual(told([{ k: "llm", t: 5, id: 1, prompt: "Say hi", response: { text: "hi" } }]), [
    "5 user  Say hi",
    "5 model model hi",
  ]);
  assert.deepEqual(told([]), []);
});

test("messages of every wire are told alike: what tools gave and what a model asked for is no user's", () => {
  const results = [
    {
      role: "user",
      content: { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "a vase" }] },
    },
    { role: "user", content: { role: "user", parts: [{ functionResponse: { name: "search", response: {} } }] } },
    { role: "function_call", content: { type: "function_call", name: "search", arguments: "{}" } },
    { role: "function_call_output", content: { type: "function_call_output", call_id: "1", output: "a vase" } },
    { role: "reasoning", content: { type: "reasoning", summary: [] } },
    { role: "tool", content: { role: "tool", tool_call_id: "1", content: "a vase" } },
  ].map((message, place) => ({ k: "said", t: 90, id: 10 + place, ...message }));
  const given = [
    { k: "said", t: 90, id: 1, role: "system", content: [{ type: "text", text: "Be brief." }] },
    { k: "said", t: 90, id: 2, role: "user", content: "A vase" },
    { k: "said", t: 90, id: 3, role: "user", content: { role: "user", parts: [{ text: "Blue" }] } },
  ];
  const llm = { k: "llm", t: 200, id: 4, duration: 100, model: "m", said: [1, 2, 3, ...results.map(({ id }) => id)] };
  assert.deepEqual(told([...given, ...results, { ...llm, response: "Here" }] as PlayerEvent[]), [
    "100 system  Be brief.",
    "100 user  A vase",
    "100 user  Blue",
    "200 model m Here",
  ]);
});

test("of several agents each turn says whose it is, and what one is given the other has not heard", () => {
  const story = new Story(10_000);
  const call: PlayerEvent = { k: "llm", t: 500, id: 2, model: "m", duration: 100, prompt: [SYSTEM], response: "Yes" };
  story.add([
    { ...call, agent: "planner" },
    { k: "agent_message", t: 600, id: 3, agent: "planner", to: "buyer", text: "Buy it" },
    { ...call, t: 900, id: 4, agent: "buyer" },
  ]);
  assert.deepEqual(
    buildTurns(story).map(({ agent, who, name, text }) => [agent, who, name, text].join("|")),
    [
      "planner|system||Be brief.",
      "planner|model|m|Yes",
      "planner|message|planner \u2192 buyer|Buy it",
      "buyer|system||Be brief.",
      "buyer|model|m|Yes",
    ],
  );
});
