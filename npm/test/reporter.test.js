// `node --test`: what the reporter makes of tests, with a pagereel that only writes down what it is asked.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import PagereelReporter, { commandOf, plain } from "../index.js";

const STUB = `
const { writeFileSync } = require("node:fs");
const [verb, source, target] = process.argv.slice(2);
if (verb === "query") console.log(JSON.stringify({ chain: ["POST /pay answered 402.", "a\\u001b[31mb", "c", "d"] }));
else if (source.includes("broken")) { console.error("pagereel: no trace"); process.exit(2); }
else writeFileSync(target, "<html>");
`;

function failing(name, status = "failed", attachments = undefined) {
  const folder = mkdtempSync(path.join(os.tmpdir(), `pagereel-${name}-`));
  const trace = path.join(folder, "trace.zip");
  writeFileSync(trace, "");
  const result = {
    status,
    attachments: attachments ?? [{ name: "trace", path: trace, contentType: "application/zip" }],
  };
  return [
    { title: name, expectedStatus: "passed", location: { file: path.join(process.cwd(), "shop.spec.ts"), line: 7 } },
    result,
  ];
}

function reporter(options = {}) {
  const stub = path.join(mkdtempSync(path.join(os.tmpdir(), "pagereel-stub-")), "stub.cjs");
  writeFileSync(stub, STUB);
  return new PagereelReporter({ command: [process.execPath, stub], quiet: true, ...options });
}

for (const each of [false, true]) {
  test(`a failed test's result has its replay${each ? " when the test ends" : " at the end"}, and the summary says why it failed`, async () => {
    const pagereel = reporter({ each });
    const [pays, result] = failing("pays");
    pagereel.onTestEnd(pays, result);
    const replay = result.attachments[1];
    assert.deepEqual([replay.name, replay.contentType], ["replay", "text/html"]);
    if (each) assert.ok(existsSync(replay.path));
    await pagereel.onEnd();
    assert.equal(readFileSync(replay.path, "utf8"), "<html>");
    const [head, place, file, ...chain] = pagereel.summary().split("\n");
    assert.equal(head, "pagereel: 1 replay of 1 failed");
    assert.equal(place, "  shop.spec.ts:7 › pays");
    assert.match(file, /replay\.html \(0 kB\)$/);
    assert.deepEqual(chain, ["    POST /pay answered 402.", "    a [31mb", "    c"]);
  });
}

test("what passed, was meant to fail, or has no trace gets none", async () => {
  const pagereel = reporter();
  const [ok, passed] = failing("ok", "passed");
  const [odd, meant] = failing("odd");
  const [bare, untraced] = failing("bare", "timedOut", []);
  pagereel.onTestEnd(ok, passed);
  pagereel.onTestEnd({ ...odd, expectedStatus: "failed" }, meant);
  pagereel.onTestEnd(bare, untraced);
  await pagereel.onEnd();
  assert.deepEqual(
    [passed, meant, untraced].map(({ attachments }) => attachments.length),
    [1, 1, 0],
  );
  assert.match(pagereel.summary(), /^pagereel: 1 failed without a trace; /);
});

test("a replay that cannot be built is said, and is not attached", async () => {
  const pagereel = reporter();
  const [broken, result] = failing("broken");
  pagereel.onTestEnd(broken, result);
  await pagereel.onEnd();
  assert.equal(result.attachments.length, 1);
  assert.match(pagereel.summary(), /0 replays of 1 failed\n.*\n {4}no replay: no trace$/);
  const missing = new PagereelReporter({ command: "/nowhere/pagereel", quiet: true });
  missing.onTestEnd(broken, result);
  await missing.onEnd();
  assert.match(missing.summary(), /no replay: .*ENOENT/);
});

for (const each of [false, true]) {
  test(`what Node refuses to start or to remove is said${each ? " when the test ends" : " at the end"}, and ends no run`, async () => {
    const nameless = new PagereelReporter({ command: [""], quiet: true, each });
    const [pays, result] = failing("pays");
    nameless.onTestEnd(pays, result);
    await nameless.onEnd();
    assert.equal(result.attachments.length, 1);
    assert.match(nameless.summary(), /0 replays of 1 failed\n.*\n {4}no replay: .*cannot be empty/);
    const pagereel = reporter({ each });
    const [broken, other] = failing("broken");
    mkdirSync(path.join(path.dirname(other.attachments[0].path), "replay.html"));
    pagereel.onTestEnd(broken, other);
    await pagereel.onEnd();
    assert.equal(other.attachments.length, 1);
    assert.match(pagereel.summary(), /\n {4}no replay: no trace \(and what is at its place stays: .*\)$/);
  });
}

test("a program that is killed for its time leaves nobody waiting for its children", async () => {
  const sleeps = ["sh", "-c", "sleep 20 & wait"];
  const pagereel = new PagereelReporter({ command: sleeps, quiet: true, timeout: 50 });
  const [pays, result] = failing("pays");
  const begun = Date.now();
  pagereel.onTestEnd(pays, result);
  await pagereel.onEnd();
  assert.ok(Date.now() - begun < 15_000);
  assert.match(pagereel.summary(), /no replay: it took more than 0\.05 s$/);
});

test("pagereel is called from PATH, else by what brings it", () => {
  const bin = mkdtempSync(path.join(os.tmpdir(), "pagereel-bin-"));
  const put = (name) => {
    const folder = path.join(bin, name);
    mkdirSync(folder);
    writeFileSync(path.join(folder, name), "#!/bin/sh\n");
    chmodSync(path.join(folder, name), 0o755);
    return folder;
  };
  const [pagereel, uvx, pipx] = ["pagereel", "uvx", "pipx"].map(put);
  const all = [pipx, uvx, pagereel].join(path.delimiter);
  assert.deepEqual(commandOf(undefined, "vendor", all), ["pagereel"]);
  assert.deepEqual(commandOf(undefined, "vendor", [pipx, uvx].join(path.delimiter)), [
    "uvx",
    "--from",
    "pagereel[redaction]",
    "pagereel",
  ]);
  assert.deepEqual(commandOf(undefined, "off", pipx), ["pipx", "run", "--spec", "pagereel", "pagereel"]);
  assert.deepEqual(commandOf(undefined, "off", bin), []);
  assert.deepEqual(commandOf("python -m x", "off", all), ["python", "-m", "x"]);
  assert.throws(() => new PagereelReporter({ redact: "off" }), /no option redact; it has command, /);
  assert.equal(plain("a\n\u202eb"), "a b");
});
