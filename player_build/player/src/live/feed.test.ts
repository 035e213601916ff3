import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileIndex } from "../decode/pieces.ts";
import type { Player } from "../player.ts";
import { Recording } from "../history/recording.ts";
import { Story } from "../history/story.ts";
import { Feed } from "./feed.ts";

class Source extends EventTarget {
  static last: Source;
  static readonly CLOSED = 2;
  readyState = 1;
  onopen = (): void => {};
  onerror = (): void => {};
  constructor(readonly address: string) {
    super();
    Source.last = this;
  }
  close(): void {
    this.readyState = Source.CLOSED;
  }
  say(name: string, data: object): void {
    this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data) }));
  }
}

/** A feed, and a player without a stage. */
function fed() {
  Object.assign(globalThis, { EventSource: Source, document: { title: "" } });
  const index = {
    title: "Live",
    duration: 0,
    idle: [],
    tabs: [],
    chunks: [],
    resources: [],
    live: "/live",
    info: { sealed: true },
  };
  const told: string[] = [];
  const player = {
    recording: new Recording(),
    story: new Story(0),
    following: false,
    newest: (follow: boolean) => Object.assign(player, { following: follow }),
    tell: (said: string) => told.push(said),
    changed: () => {},
  };
  const feed = new Feed(index as unknown as FileIndex);
  const begun = feed.begin(player as unknown as Player, () => {});
  return { feed, begun, index, player, told, source: Source.last };
}

const step = (id: number, t: number) => ({ k: "step", t, id, title: `Step ${id}` });

test("parts go on from each other, and the end makes it a replay", async () => {
  const { feed, begun, index, player, source } = fed();
  source.onopen();
  source.say("part", {
    t: 500,
    begin: true,
    title: "A run",
    tab: [400, 1],
    page: [],
    run: [step(1, 450)],
    info: { gapCount: 2 },
  });
  await begun;
  assert.equal(feed.state, "live");
  assert.deepEqual(
    [index.title, index.duration, feed.from, (index.info as { gapCount?: number }).gapCount],
    ["A run", 500, 500, 2],
  );
  player.following = true;
  source.say("part", { t: 900, tab: [800, 2], page: [], run: [] });
  assert.deepEqual(index.tabs, [
    [400, 1],
    [800, 2],
  ]);
  assert.equal(player.story.steps[0]?.duration, 450, "a step that is under way grows");
  source.say("part", {
    t: 1000,
    page: [],
    run: [{ k: "step_end", t: 1000, id: 1, success: true }],
    end: true,
    idle: [[600, 700]],
  });
  assert.deepEqual(
    [index.live, index.idle, player.following, source.readyState],
    [undefined, [[600, 700]], false, Source.CLOSED],
  );
});

test("who begins anew is told nothing twice, and that something is missing", async () => {
  const { begun, player, told, source } = fed();
  const request = { k: "request", t: 450, id: 7, url: "https://shop.example/" };
  source.say("part", { t: 500, begin: true, page: [], run: [step(1, 450), request] });
  await begun;
  source.say("part", { t: 9000, begin: true, page: [], run: [step(1, 450), request, step(2, 8000)] });
  assert.deepEqual(
    player.story.steps.map(({ id }) => id),
    [1, 2],
  );
  assert.equal(player.story.network.length, 1);
  assert.equal(told.length, 1);
});

test("a resource is there when a part names it", async () => {
  const { feed, index, source } = fed();
  source.say("resource", [3, "text/css", btoa("p{}")]);
  source.say("resource", [3, "text/css", btoa("another")]);
  assert.equal(feed.resources.text(3), undefined);
  await feed.resources.settled();
  assert.equal(feed.resources.text(3), "p{}");
  assert.deepEqual((index.resources as unknown[])[3], [3, 0, 3, "text/css"]);
});
