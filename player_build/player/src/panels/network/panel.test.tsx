import assert from "node:assert/strict";
import { test } from "node:test";
import { drawPanel } from "../../../test/draw.tsx";
import type { NetworkEntry } from "../../history/story.ts";
import { NetworkPanel } from "./panel.tsx";
import { type RequestBurst, groupIntoBursts, computeRequestPhases } from "./waterfall.ts";

const EVENTS = [
  {
    k: "request",
    t: 100,
    id: "1",
    page: 1,
    method: "GET",
    url: "https://shop.example/a.css?v=1",
    type: "stylesheet",
    headers: { accept: "text/css" },
  },
  { k: "response", t: 250, id: "1", page: 1, status: 200, size: 1200, headers: { etag: "x" }, body: "body{}" },
  {
    k: "request",
    t: 300,
    id: "2",
    page: 1,
    method: "POST",
    url: "https://shop.example/pay",
    type: "fetch",
    headers: {},
  },
  { k: "response", t: 420, id: "2", page: 1, status: 500, headers: {}, why: "too large" },
];

test("requests show status, size and how long they took, and can be filtered", async () => {
  const drawn = drawPanel(NetworkPanel, EVENTS);
  assert.deepEqual(drawn.texts("text"), ["GET /a.css stylesheet", "POST /pay fetch"]);
  assert.deepEqual(drawn.texts("number").slice(2, 4), ["1.2 kB", "150 ms"]);
  assert.equal(drawn.texts("failed").length, 1);
  await drawn.act("input", "Filter requests", { value: "css 200" });
  assert.deepEqual(drawn.texts("text"), ["GET /a.css stylesheet"]);
});

test("an opened request shows its headers and body, or why there is none", async () => {
  const drawn = drawPanel(NetworkPanel, EVENTS);
  await drawn.act("click", "GET /a.css stylesheet");
  assert.equal(drawn.player.time, 100);
  assert.match(drawn.texts("detail")[0] ?? "", /accept: text\/css.*etag: x.*body\{\}/s);
  await drawn.act("click", "POST /pay fetch");
  assert.match(drawn.texts("detail").join(), /The body was not kept: too large\./);
  await drawn.act("click", "POST /pay fetch");
  assert.deepEqual(drawn.texts("detail"), []);
  await drawn.act("click", "1.2 kB"); // The whole row, not only the address in it.
  assert.equal(drawn.texts("detail").length, 1);
});

test("a WebSocket shows what went over it, each message at its moment", async () => {
  const drawn = drawPanel(NetworkPanel, [
    { k: "request", t: 100, id: 1, page: 1, method: "GET", url: "wss://shop.example/live", type: "websocket" },
    { k: "message", t: 150, id: 1, sent: true, size: 5, body: "hello" },
    { k: "message", t: 900, id: 1, sent: false, size: 700, why: "cap" },
    { k: "response", t: 120, id: 1, status: 101, headers: {}, size: 0, end: 950, why: "messages" },
  ]);
  assert.deepEqual(drawn.texts("text"), ["GET /live websocket \u00b7 2 messages"]);
  await drawn.act("click", "GET /live websocket \u00b7 2 messages");
  assert.match(drawn.texts("messages")[0] ?? "", /sent.*hello.*received.*not kept: cap/s);
  await drawn.act("click", "0:00.1\u2191senthello5 B");
  assert.equal(drawn.player.time, 150);
});

test("requests that run together are a burst of their own scale, and each shows its phases", () => {
  const entry = (t: number, end: number, answered = end, timing?: object): NetworkEntry =>
    ({ index: 0, request: { t }, response: { t: answered, end, timing }, failed: false, messages: [] }) as never;
  const entries = [
    entry(0, 100, 98, { dns: 10, send: 1, wait: 60 }),
    entry(50, 200),
    entry(60_000, 60_010, 60_010, {}),
  ];
  const bursts = groupIntoBursts(entries);
  assert.deepEqual(
    [...new Set(bursts)],
    [
      { from: 0, to: 200 },
      { from: 60_000, to: 60_010 },
    ],
  );
  // What came before it was sent is no part of its answer.
  assert.deepEqual(
    computeRequestPhases(entries[0] as NetworkEntry, bursts[0] as RequestBurst).map(({ name, ms, left }) => [
      name,
      ms,
      left * 200,
    ]),
    [
      ["queued", 27, 0],
      ["connect", 10, 27],
      ["wait", 61, 37],
      ["receive", 2, 98],
    ],
  );
  const plain = { name: "", ms: 150, left: 0.25, width: 0.75 };
  assert.deepEqual(computeRequestPhases(entries[1] as NetworkEntry, bursts[1] as RequestBurst), [plain]);
  assert.equal(computeRequestPhases(entries[2] as NetworkEntry, bursts[2] as RequestBurst)[0]?.name, "");
  // Times that contradict each other stay within the request.
  const odd = computeRequestPhases(entry(0, 100, 20, { wait: 900, send: "x" }), { from: 0, to: 200 });
  assert.deepEqual(
    odd.map(({ name, ms }) => [name, ms]),
    [
      ["wait", 20],
      ["receive", 80],
    ],
  );
});

test("what the colours of a waterfall mean is said, with times where a request is opened, and not where nothing is known", async () => {
  const timed = EVENTS.map((event) =>
    event.t === 250 ? { ...event, end: 260, timing: { connect: 20, wait: 100 } } : event,
  );
  const drawn = drawPanel(NetworkPanel, timed);
  assert.deepEqual(drawn.texts("phase"), [" queued ", " connect ", " wait ", " receive "]);
  await drawn.act("click", "GET /a.css stylesheet");
  assert.deepEqual(drawn.texts("phase").slice(4), [
    " queued 30 ms",
    " connect 20 ms",
    " wait 100 ms",
    " receive 10 ms",
  ]);
  assert.deepEqual(drawPanel(NetworkPanel, EVENTS).texts("phase"), []);
});
