import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTickLabel, TimelineScale } from "./scale.ts";

const HOUR = 3_600_000;

test("without idle spans a place is a share of the time", () => {
  const scale = new TimelineScale(10_000, []);
  assert.equal(scale.place(2_500, [0, 10_000]), 0.25);
  assert.equal(scale.at(0.25, [0, 10_000]), 2_500);
});

test("an hour in which nothing happens takes a small part of the timeline", () => {
  const idle: [number, number][] = [[10_000, 10_000 + HOUR]];
  const whole: [number, number] = [0, HOUR + 20_000];
  const scale = new TimelineScale(whole[1], idle);
  assert.ok(scale.place(10_000, whole) > 0.45);
  assert.ok(scale.place(10_000 + HOUR, whole) < 0.55);
});

test("a place and its moment lead to each other, within folded spans too", () => {
  const idle: [number, number][] = [
    [1_000, 61_000],
    [70_000, 80_000],
    [90_000, 900_000],
  ];
  const range: [number, number] = [500, 905_000];
  const scale = new TimelineScale(910_000, idle);
  for (let t = 500; t <= 905_000; t += 997)
    assert.ok(Math.abs(scale.at(scale.place(t, range), range) - t) < 0.5, `${t}`);
});

test("the ruler has no mark within a folded span, and none too close to another", () => {
  const scale = new TimelineScale(HOUR + 20_000, [[10_000, 10_000 + HOUR]]);
  const range: [number, number] = [0, HOUR + 20_000];
  const marks = scale.marks(range, 8);
  assert.ok(marks.length >= 3 && marks.length <= 12, `${marks}`);
  assert.ok(marks.every((t) => t <= 10_000 || t >= 10_000 + HOUR));
  const places = marks.map((t) => scale.place(t, range));
  assert.ok(places.every((place, index) => !index || place - (places[index - 1] as number) > 0.05));
});

test("marks are written as a clock", () => {
  assert.deepEqual(
    [
      formatTickLabel(0, false),
      formatTickLabel(65_000, false),
      formatTickLabel(3_905_000, false),
      formatTickLabel(5_200, true),
    ],
    ["0:00", "1:05", "1:05:05", "0:05.2"],
  );
});

test("of many idle spans only those are folded that are longer than the others by much", () => {
  const idle: [number, number][] = [];
  let t = 0;
  for (let n = 0; n < 60; n++) {
    const lasts = n % 7 ? 3_300 : 239_000;
    idle.push([t + 400, t + 400 + lasts]);
    t += 700 + lasts;
  }
  assert.deepEqual([...new Set(new TimelineScale(t, idle).folded.map(([from, to]) => to - from))], [239_000]);
});
