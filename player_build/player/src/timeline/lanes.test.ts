import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlayerEvent } from "../decode/events.ts";
import { Recording } from "../history/recording.ts";
import { Story } from "../history/story.ts";
import type { Player } from "../player.ts";
import { buildMessageArrows, describeTimelinePoint, buildLanes, computeLaneTops } from "./lanes.ts";

function player(events: PlayerEvent[], agent?: string): Player {
  const story = new Story(1_000);
  story.add(events);
  return {
    story,
    recording: new Recording(),
    duration: 1_000,
    index: { info: { agent }, idle: [] },
  } as unknown as Player;
}

const STEPS: PlayerEvent[] = [
  { k: "step", t: 100, id: 1, parent: null, title: "Plan", agent: "planner" },
  { k: "step", t: 200, id: 2, parent: 1, title: "Buy", agent: "buyer" },
  { k: "step_end", t: 300, id: 2, success: false },
  { k: "agent_message", t: 310, id: 3, step: 1, agent: "buyer", to: "planner", text: "Sold out" },
  { k: "agent_message", t: 320, id: 4, step: 1, agent: "planner", text: "We stop" },
  { k: "agent_message", t: 330, id: 5, step: 1, agent: "planner", to: "critic", text: "What went wrong?" },
  { k: "step_end", t: 400, id: 1, success: true },
];

test("each of several agents has a lane and a colour, also one that is only spoken to", () => {
  const lanes = buildLanes(player(STEPS));
  assert.deepEqual(
    lanes.map(({ name, rows, entries }) => [name, rows, entries.map(({ label, colour }) => `${colour} ${label}`)]),
    [
      ["planner", 1, ["agent-0 planner: 1. Plan"]],
      ["buyer", 1, ["bad buyer: 2. Buy"]],
      ["critic", 1, []],
    ],
  );
});

test("steps of the run's own stand in a lane under its name; without agents all are one lane", () => {
  const own: PlayerEvent = { k: "step", t: 10, id: 9, parent: null, title: "Begin" };
  assert.deepEqual(
    buildLanes(player([own, ...STEPS], "shop")).map(({ name }) => name),
    ["shop", "planner", "buyer", "critic"],
  );
  assert.deepEqual(
    buildLanes(player([own])).map(({ name }) => name),
    ["Steps"],
  );
  assert.deepEqual(
    buildLanes(player([{ ...own, agent: "planner" }])).map(({ name }) => name),
    ["Steps"],
  );
});

test("messages are arrows from lane to lane, to all others where they name none, and tell what was said", () => {
  const made = player(STEPS);
  const lanes = buildLanes(made);
  const arrows = buildMessageArrows(made, lanes);
  assert.deepEqual(
    arrows.map(({ t, from, to }) => [t, from, to]),
    [
      [310, 1, [0]],
      [320, 0, [1, 2]],
      [330, 0, [2]],
    ],
  );
  const y = (computeLaneTops(lanes).tops[1] as number) + 2;
  assert.equal(describeTimelinePoint(made, lanes, arrows, 311, y, 4), "buyer \u2192 planner: Sold out");
  assert.equal(describeTimelinePoint(made, lanes, arrows, 250, y, 4), "buyer: 2. Buy");
});
