import assert from "node:assert/strict";
import { test } from "node:test";
import { clipCommand } from "./clip.tsx";

test("the command names the file, the part and its bounds in whole ms, quoted for a shell", () => {
  assert.equal(clipCommand("run.html", 400.4, 900), "pagereel build run.html run-part.html --clip --from 400 --to 900");
  assert.equal(
    clipCommand("it's a run.html#test=a::b", 0, 5),
    "pagereel build 'it'\\''s a run.html#test=a::b' 'it'\\''s a run-part.html' --clip --from 0 --to 5",
  );
});
