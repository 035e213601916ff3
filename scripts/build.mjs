// Bundles the page's and the player's scripts into dist/, which is committed: Python alone installs and runs from source.
// `--check` builds aside and fails when a committed file differs.
import { build } from "esbuild";
import { minify } from "terser";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";

// The player's interface is written for Preact; what it needs of Preact stands in its own renderer, a quarter of the size.
const renderer = "./player_build/player/src/render/index.ts";
const alias = { preact: renderer, "preact/hooks": renderer, "preact/jsx-runtime": renderer };

// Each script by need shares the core's modules that are named in here: it is given them when it is run (player/src/need.ts), and has no copy.
const KIT = "./player_build/player/src/kit.ts";

const targets = [
  { entry: "injector_js/src/main.ts", out: "dist/injector.js", target: ["chrome109", "firefox115", "safari16.4"] },
  { entry: "player_build/player/src/main.tsx", out: "dist/player.js", target: ["chrome109", "firefox115", "safari16.4"], again: true },
  { entry: "player_build/player/src/panels/main.ts", out: "dist/panels.js", target: ["chrome109", "firefox115", "safari16.4"], again: true, late: true },
  { entry: "player_build/player/src/take/main.ts", out: "dist/take.js", target: ["chrome109", "firefox115", "safari16.4"], again: true, late: true },
  { entry: "player_build/player/src/style.css", out: "dist/player.css", target: ["chrome109", "firefox115", "safari16.4"] },
];

const common = { bundle: true, minify: true, write: false, jsx: "automatic", jsxImportSource: "preact", alias, charset: "ascii", legalComments: "none", logLevel: "warning" };

/** Puts what a script by need is given in the place of the modules that the kit names. */
async function kitPlugin() {
  const { metafile } = await build({ ...common, entryPoints: [KIT], format: "esm", outfile: "kit.js", metafile: true });
  const names = Object.values(metafile.outputs)[0].exports;
  const shared = new Set(metafile.inputs[relative(".", KIT)].imports.map(({ path }) => resolve(path)));
  return {
    name: "kit",
    setup(esbuild) {
      esbuild.onResolve({ filter: /^\.|^preact/ }, async ({ path, pluginData, ...from }) => {
        if (pluginData === "kit" || from.kind === "entry-point") return undefined;
        const found = alias[path] ? resolve(alias[path]) : resolve(from.resolveDir, path);
        return shared.has(found) ? { path: "kit", namespace: "kit" } : undefined;
      });
      esbuild.onLoad({ filter: /./, namespace: "kit" }, () => ({
        contents: `const { kit } = document.currentScript;\n${names.map((name) => `export const ${name} = kit.${name};`).join("\n")}`,
      }));
    },
  };
}

const check = process.argv.includes("--check");
mkdirSync("dist", { recursive: true });
let stale = 0;
for (const { entry, out, target, again, late } of targets) {
  if (!existsSync(entry)) continue;
  const result = await build({ ...common, entryPoints: [entry], format: "iife", target, plugins: late ? [await kitPlugin()] : [] });
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
