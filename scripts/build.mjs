// Bundles the page's and the player's scripts into dist/, which is committed: Python alone installs and runs from source.
// `--check` builds aside and fails when a committed file differs.
import { build } from "esbuild";
import { minify } from "terser";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

// The player's interface is written for Preact; what it needs of Preact stands in its own renderer, a quarter of the size.
const renderer = "./player_build/player/src/render/index.ts";
const alias = { preact: renderer, "preact/hooks": renderer, "preact/jsx-runtime": renderer };

const targets = [
  { entry: "injector_js/src/main.ts", out: "dist/injector.js", target: ["chrome109", "firefox115", "safari16.4"] },
  { entry: "player_build/player/src/main.tsx", out: "dist/player.js", target: ["chrome109", "firefox115", "safari16.4"], again: true },
  { entry: "player_build/player/src/take/main.ts", out: "dist/take.js", target: ["chrome109", "firefox115", "safari16.4"], again: true },
  { entry: "player_build/player/src/style.css", out: "dist/player.css", target: ["chrome109", "firefox115", "safari16.4"] },
];

const check = process.argv.includes("--check");
mkdirSync("dist", { recursive: true });
let stale = 0;
for (const { entry, out, target, again } of targets) {
  if (!existsSync(entry)) continue;
  const result = await build({
    entryPoints: [entry], bundle: true, minify: true, format: "iife", target, write: false,
    jsx: "automatic", jsxImportSource: "preact", alias, charset: "ascii", legalComments: "none", logLevel: "warning",
  });
  let { text } = result.outputFiles[0];
  // Smaller by a thirtieth once more: the player's script has 40 kB, compressed, and no byte to give away.
  if (again) text = (await minify(text, { ecma: 2020, toplevel: true, compress: { passes: 3, pure_getters: true, unsafe_arrows: true, unsafe: true }, format: { ascii_only: true } })).code;
  if (out.endsWith(".css")) {
    const dark = /:root\[data-theme=dark\](\{[^}]*\})/;
    if (!dark.test(text)) throw new Error(`${entry} says no colours for data-theme="dark"`);
    text = text.replace(dark, "$&@media(prefers-color-scheme:dark){:root[data-theme=auto]$1}");
  }
  if (!check) {
    writeFileSync(out, text);
    console.log(`${out}  ${text.length} bytes`);
  } else if (!existsSync(out) || readFileSync(out, "utf8") !== text) {
    console.error(`${out} is not what ${entry} builds to: run 'npm run build' and commit ${out}`);
    stale += 1;
  }
}
process.exit(stale ? 1 : 0);
