import assert from "node:assert/strict";
import { test } from "node:test";
import { buildClipCommand } from "./clip.tsx";

test("the command names the file, the part and its bounds in whole ms, quoted for a shell", () => {
  assert.equal(
    buildClipCommand("run.html", 400.4, 900),
    "pagereel build run.html run-part.html --clip --from 400 --to 900",
  );
  assert.equal(
    buildClipCommand("it's a run.html#test=a::b", 0, 5),
    "pagereel build 'it'\\''s a run.html#test=a::b' 'it'\\''s a run-part.html' --clip --from 0 --to 5",
  );
});
