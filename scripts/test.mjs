// Runs the TypeScript unit tests (*.test.ts, *.test.tsx) of the rooms: bundles each with esbuild, then node's own runner; npm/'s are plain JavaScript.
// JS_JUNIT names a file for a JUnit report.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const find = (folder, name) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => name.test(file))
    .map((file) => join(folder, file))
    .sort();

const tests = ["injector_js", "player_build/player"].flatMap((room) => find(room, /\.test\.tsx?$/));
if (tests.length === 0) {
  console.log("no TypeScript tests");
  process.exit(0);
}
rmSync("dist-test", { recursive: true, force: true });
await build({
  entryPoints: tests,
  outdir: "dist-test",
  outbase: ".",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
  target: "node22",
  sourcemap: "inline",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
const report = process.env.JS_JUNIT;
const reporters = ["--test-reporter=spec", "--test-reporter-destination=stdout"];
if (report) reporters.push("--test-reporter=junit", `--test-reporter-destination=${report}`);
const run = spawnSync(
  process.execPath,
  ["--enable-source-maps", "--test", ...reporters, ...find("dist-test", /\.test\.mjs$/), ...find("npm", /\.test\.js$/)],
  { stdio: "inherit" },
);
process.exit(run.status ?? 1);
