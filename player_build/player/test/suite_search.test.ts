import assert from "node:assert/strict";
import { test } from "node:test";
import { SuiteSearch } from "../src/suite/search.ts";

const SLICES = [
  {
    page: {
      texts: ["Total 48", "İstanbul and\nTotal 3", "Nothing"],
      at: [
        [0, 9, 1, 5],
        [1, 4],
        [0, 1],
      ],
    },
  },
  {
    page: {
      texts: ["48 in TOTAL", "totally 4", "8 total"],
      at: [
        [1, 7],
        [1, 8],
        [0, 2],
      ],
    },
    console: { texts: ["x"], at: [[0, 3]] },
  },
];
const tests = ["a", "b"].map((id, n) => ({ id, runs: [{ n }] })) as never;

test("a search finds the lines with every word, in all slices, each read once", async () => {
  const asked: number[] = [];
  const read = async (slice: number): Promise<unknown> => {
    asked.push(slice);
    return SLICES[slice];
  };
  const search = new SuiteSearch(read, { tests, slices: 2 });
  const found = async (text: string) => (await search.search(text)).map(({ test, text, t }) => `${test} ${t} ${text}`);
  assert.deepEqual(await found("total 48"), ["a 9 Total 48", "b 5 Total 48", "b 7 48 in TOTAL"]);
  assert.deepEqual(await found("total 3"), ["b 4 İstanbul and Total 3"]);
  assert.deepEqual(await found("8"), ["a 2 8 total", "a 9 Total 48", "b 5 Total 48", "b 7 48 in TOTAL"]);
  assert.deepEqual(await found("8 x"), []);
  assert.deepEqual(await found(" "), []);
  assert.deepEqual(asked, [0, 1]);
});
