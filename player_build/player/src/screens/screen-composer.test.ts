import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlayerEvent } from "../decode/events.ts";
import { type ScreenCanvas, ScreenComposer, getScreenPictureId } from "./screen-composer.ts";

/** A canvas that remembers what was drawn on it. */
function fake(drawn: string[]): (w: number, h: number) => ScreenCanvas {
  return (w, h) => {
    const name = `${w}x${h}`;
    const pen = { drawImage: (source: { name?: string }, ...place: number[]) => drawn.push(`${source.name} ${place}`) };
    return { name, getContext: () => pen } as unknown as ScreenCanvas;
  };
}

const screen = (id: number, rest: object): PlayerEvent => ({ k: "screen", t: id, id, w: 64, h: 32, ...rest });

test("a screen begins as an earlier one, and what was painted once is not painted again", async () => {
  const drawn: string[] = [];
  const asked: string[] = [];
  const events = [
    screen(1, { sheets: ["a"], parts: [[0, 0, 64, 32, 0, 0, 0]] }),
    screen(2, { base: 1, action: "click" }),
    screen(3, { base: 1, sheets: ["a", "b"], parts: [[0, 0, 32, 32, 1, 5, 6]] }),
  ];
  const sheet = async (name: string) => {
    asked.push(name);
    return { name } as unknown as CanvasImageSource;
  };
  const composer = new ScreenComposer(events, sheet, fake(drawn));
  const third = await composer.of(3);
  assert.deepEqual(drawn, ["a 0,0,64,32,0,0,64,32", "64x32 0,0", "b 5,6,32,32,0,0,32,32"]);
  assert.equal(await composer.of(3), third);
  assert.equal(drawn.length, 3);
  assert.deepEqual(asked, ["a", "b"]);
  assert.deepEqual(events.map(getScreenPictureId), [1, 1, 3]);
});

test("what is too large, too long a chain, a circle or blocked has no picture, and does not stop the player", async () => {
  const part = { sheets: ["a"], parts: [[0, 0, 8, 8, 0, 0, 0]] };
  const chain = Array.from({ length: 80 }, (_, at) => screen(at + 1, at ? { base: at, ...part } : part));
  const others = [
    screen(100, { w: 16_000, h: 16_000, ...part }),
    screen(101, { base: 101, why: "policy" }),
    screen(102, { why: "policy" }),
    screen(103, { base: 999 }),
  ];
  const composer = new ScreenComposer([...chain, ...others], async () => undefined, fake([]));
  for (const id of [80, 100, 101, 102, 103, 7000]) assert.equal(await composer.of(id), undefined, `${id}`);
  assert.ok(await composer.of(60));
});
