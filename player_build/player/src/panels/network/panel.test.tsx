import assert from "node:assert/strict";
import { test } from "node:test";
import { draw } from "../../../test/draw.tsx";
import { NetworkPanel } from "./panel.tsx";

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
  const drawn = draw(NetworkPanel, EVENTS);
  assert.deepEqual(drawn.texts("text"), ["GET shop.example/a.css stylesheet", "POST shop.example/pay fetch"]);
  assert.equal(drawn.texts("number")[1], "1.2 kB");
  assert.equal(drawn.texts("failed").length, 1);
  await drawn.act("input", "Filter requests", { value: "css 200" });
  assert.deepEqual(drawn.texts("text"), ["GET shop.example/a.css stylesheet"]);
});

test("an opened request shows its headers and body, or why there is none", async () => {
  const drawn = draw(NetworkPanel, EVENTS);
  await drawn.act("click", "GET shop.example/a.css stylesheet");
  assert.equal(drawn.player.time, 100);
  assert.match(drawn.texts("detail")[0] ?? "", /accept: text\/css.*etag: x.*body\{\}/s);
  await drawn.act("click", "POST shop.example/pay fetch");
  assert.match(drawn.texts("detail").join(), /The body was not kept: too large\./);
  await drawn.act("click", "POST shop.example/pay fetch");
  assert.deepEqual(drawn.texts("detail"), []);
});

test("a WebSocket shows what went over it, each message at its moment", async () => {
  const drawn = draw(NetworkPanel, [
    { k: "request", t: 100, id: 1, page: 1, method: "GET", url: "wss://shop.example/live", type: "websocket" },
    { k: "message", t: 150, id: 1, sent: true, size: 5, body: "hello" },
    { k: "message", t: 900, id: 1, sent: false, size: 700, why: "cap" },
    { k: "response", t: 120, id: 1, status: 101, headers: {}, size: 0, end: 950, why: "messages" },
  ]);
  assert.deepEqual(drawn.texts("text"), ["GET shop.example/live websocket \u00b7 2 messages"]);
  await drawn.act("click", "GET shop.example/live websocket \u00b7 2 messages");
  assert.match(drawn.texts("messages")[0] ?? "", /sent.*hello.*received.*not kept: cap/s);
  await drawn.act("click", "0:00.1\u2191senthello5 B");
  assert.equal(drawn.player.time, 150);
});
