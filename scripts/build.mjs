// Bundles the page's and the player's scripts into dist/, which is committed: Python alone installs and runs from source.
// `--check` builds aside and fails when a committed file differs.
import { build } from "esbuild";
import { minify } from "terser";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, relative, resolve } from "node:path";

// Each script by need shares the core's modules that are named in here: it is given them when it is run (player/src/script-loading.ts), and has no copy.
const KIT = "./player_build/player/src/shared-modules.ts";

const preact = JSON.parse(readFileSync("node_modules/preact/package.json", "utf8"));
const ENGINES = ["chrome109", "firefox115", "safari16.4"];
const PLAYER = "player_build/player/src";

/** The player's scripts that are run when they are asked for (player/src/script-loading.ts): `src/NAME/main.ts` becomes `dist/NAME.js`. */
const BY_NEED = [
  "panels",
  "timeline",
  "tools",
  "export",
  "rare",
  "motion",
  "conversation",
  "screens",
  "why",
  "live",
  "comparison",
  "suite",
];

/** The first script of a file, which brings the others (player/src/boot), and its style. */
const BOOT = "boot";

/** Those that only some files have: the style is one of its own. */
const APART = ["rare", "conversation", "screens", "why", "live", "comparison", "suite"];

/**
 * How a script is compressed once more, by a thirtieth. The player's own objects have no getters that do anything; the injector's are the browser's.
 * Its limits stay one table: tests replace some of them.
 */
const PLAYERS = { passes: 3, pure_getters: true, unsafe_arrows: true, unsafe: true };
const INJECTORS = { passes: 5, unsafe_arrows: true, hoist_props: false, lhs_constants: false };

/** Limits that tests replace in the built script, by their names. */
const REPLACED = ["slice", "steps", "settleSteady", "steady", "pause"];

/**
 * The members of the injector's classes, its limits and its parts, which may have shorter names. Those that are anywhere else a key of an object, or
 * in an interface, stay as they are, for that object may leave the page or come into it; names of the browser's own terser keeps by itself.
 */
function ownMembers() {
  const sources = globSync("injector_js/src/**/*.ts", { exclude: (name) => name.endsWith(".test.ts") });
  const bare = (file) => readFileSync(file, "utf8").replace(/\/\*.*?\*\/|\/\/ [^\n]*/gs, ""); // A comment before a key hides it.
  const source = sources.map(bare).join("\n");
  const classes = source.match(/^(?:export )?class .*?^}/gms).join("\n");
  const member = /^ {2}(?:private |readonly |get |set |async |\*)*(\w+)(?=[(<:!;]| =)|private readonly (\w+)/gm;
  const [limits] = source.match(/^export const LIMITS = \{.*?^\}/ms);
  const makesParts = bare("injector_js/src/parts.ts");
  const [parts] = makesParts.match(/^ {2}return \{\n {4}all: combine.*?^ {2}\}/ms);
  const found = [
    ...Array.from(classes.matchAll(member), ([, name, own]) => name ?? own),
    ...Array.from(`${limits}${parts}`.matchAll(/^ +(\w+)(?=[,:])/gm), ([, name]) => name),
  ];
  const given = source.match(/^(?:export )?interface .*?^}/gms).join("\n");
  const elsewhere = source
    .replace(limits, "")
    .replace(makesParts, "")
    .replace(/const \{[^}]*\} = \w+\.parts;/g, "");
  const isOwn = (name) =>
    name !== "constructor" &&
    !REPLACED.includes(name) &&
    !new RegExp(`\\b${name}\\b`).test(given) &&
    !new RegExp(`[{,]\\s*${name}\\s*[:,}]|["']${name}["']`).test(elsewhere);
  const own = [...new Set(found)].sort().filter(isOwn);
  return { properties: { regex: new RegExp(`^(?:${own.join("|")})$`) } };
}

/** A source without comments and without what stands in round and square brackets, unless a brace does: what follows a brace or a comma is a key then. */
function withoutArguments(source) {
  for (let last = ""; last !== source; ) {
    last = source;
    source = source.replace(/\([^(){}]*\)|\[[^[\]{}]*\]/g, "0");
  }
  return source;
}

/**
 * The members of the core's classes that may have shorter names, because nothing else bears or asks for them: no script by need, no interface but one that
 * a class fulfils, no key of an object, no property of a component, no field of the files that Python writes.
 */
async function coreMembers() {
  const read = (file) => readFileSync(file, "utf8").replace(/\/\*.*?\*\/|\/\/ [^\n]*/gs, "");
  const files = globSync(`${PLAYER}/**/*.{ts,tsx}`, { exclude: (name) => name.includes(".test.") });
  const isByNeed = (file) => [...BY_NEED, BOOT].some((name) => file.startsWith(`${PLAYER}/${name}/`));
  const core = files.filter((file) => !isByNeed(file)).map(read);
  const blocks = (kind) => core.flatMap((text) => text.match(kind) ?? []);
  const classes = blocks(/^(?:export )?(?:abstract )?class .*?^}/gms).join("\n");
  const fulfilled = Array.from(classes.matchAll(/\bimplements (\w+)/g), ([, name]) => name);
  const types = [...blocks(/^(?:export )?interface .*?^}/gms), ...blocks(/^(?:export )?type .*?;$/gms)]
    .filter((text) => !fulfilled.includes(/(?:interface|type) (\w+)/.exec(text)?.[1]))
    .join("\n");
  const inlined = await modulesByNeed();
  const others = files
    .filter((file) => isByNeed(file) || inlined.has(file))
    .map(read)
    .join("\n");
  const all = [...core, others].join("\n");
  const keys = withoutArguments(all);
  const fields = globSync("{reel,player_build}/**/*.py")
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const member =
    /^ {2}(?:private |public |readonly |abstract |get |set |async |\*)*(\w+)(?=[(<:!;]| =|\?:)|(?:private |public |readonly )(\w+)(?=\??:|;| =)/gm;
  const isOwn = (name) =>
    name !== "constructor" &&
    !new RegExp(`\\b${name}\\??[:(<]`).test(types) &&
    !new RegExp(`\\.${name}\\b`).test(others) &&
    !new RegExp(`[{,]\\s*${name}\\s*[:,}(]`).test(keys) &&
    !new RegExp(`\\s${name}=[{"]|["'\`]${name}["'\`]`).test(all) &&
    !new RegExp(`["']${name}["']|^ +${name}:`, "m").test(fields);
  const own = new Set(Array.from(classes.matchAll(member), ([, name, given]) => name ?? given).filter(isOwn));
  return { properties: { regex: new RegExp(`^(?:${[...own].sort().join("|")})$`) } };
}

/** The modules that stand in the scripts by need or in the first script, those of the core among them that each has a copy of. */
async function modulesByNeed() {
  const inputs = async (names, plugins) => {
    const entryPoints = names.map((name) => `${PLAYER}/${name}/main.ts`);
    const { metafile } = await build({ ...common, entryPoints, outdir: "by-need", metafile: true, plugins });
    return Object.keys(metafile.inputs);
  };
  return new Set([...(await inputs(BY_NEED, [kit.byNeed])), ...(await inputs([BOOT], []))]);
}

/** What a class declares is assigned when an object is made: as fields of its own it would be defined first, in each document anew, and named twice. */
const ASSIGNED = { compilerOptions: { useDefineForClassFields: false } };

const common = {
  bundle: true,
  minify: true,
  write: false,
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "ascii",
  legalComments: "none",
  logLevel: "warning",
};

/**
 * The plugin of the core, which gives its shared modules by short names, and that of the scripts by need, which puts what they are given in the place of
 * the modules that the kit names.
 */
async function kitPlugins() {
  const { metafile } = await build({ ...common, entryPoints: [KIT], format: "esm", outfile: "kit.js", metafile: true });
  const names = Object.values(metafile.outputs)[0].exports;
  const shared = new Set(metafile.inputs[relative(".", KIT)].imports.map(({ path }) => resolve(path)));
  const short = new Map(names.map((name, number) => [name, `$${number.toString(36)}`]));
  const source = readFileSync(KIT, "utf8").replace(/(?<=^export \{)[^}]*/gm, (list) =>
    list.replace(/\w+/g, (name) => `${name} as ${short.get(name)}`),
  );
  const core = {
    name: "core",
    setup(esbuild) {
      esbuild.onLoad({ filter: new RegExp(`/${basename(KIT)}$`) }, () => ({ contents: source, loader: "ts" }));
    },
  };
  const byNeed = {
    name: "kit",
    setup(esbuild) {
      esbuild.onResolve({ filter: /^\.|^preact/ }, async ({ path, pluginData, ...from }) => {
        if (pluginData === "kit" || from.kind === "entry-point") return undefined;
        const { path: found } = await esbuild.resolve(path, { ...from, pluginData: "kit" });
        return shared.has(found) ? { path: "kit", namespace: "kit" } : undefined;
      });
      esbuild.onLoad({ filter: /./, namespace: "kit" }, () => ({
        contents: `const { kit } = document.currentScript;\n${names.map((name) => `export const ${name} = kit.${short.get(name)};`).join("\n")}`,
      }));
    },
  };
  return { core, byNeed };
}

/** The styles that modules of the scripts by need import, in the order of the imports: what `@import "by-need"` stands for. */
const styles = [];

function stylePlugin() {
  return {
    name: "styles",
    setup(esbuild) {
      esbuild.onResolve({ filter: /^by-need$/ }, ({ path }) => ({ path, namespace: "styles" }));
      esbuild.onLoad({ filter: /./, namespace: "styles" }, () => ({ contents: styles.join("\n"), loader: "css" }));
    },
  };
}

const kit = await kitPlugins();

const targets = [
  {
    entry: "injector_js/src/main.ts",
    out: "dist/injector.js",
    again: INJECTORS,
    mangle: ownMembers(),
    tsconfigRaw: ASSIGNED,
  },
  { entry: "injector_js/src/places/main.ts", out: "dist/places.js" },
  {
    entry: `${PLAYER}/main.tsx`,
    out: "dist/player.js",
    again: PLAYERS,
    mangle: await coreMembers(),
    tsconfigRaw: ASSIGNED,
    plugins: [kit.core],
    banner: `/*! With Preact ${preact.version}, (c) 2015-present Jason Miller, MIT licence */`,
  },
  { entry: `${PLAYER}/${BOOT}/main.ts`, out: `dist/${BOOT}.js`, again: PLAYERS },
  { entry: `${PLAYER}/${BOOT}/style.css`, out: `dist/${BOOT}.css` },
  ...BY_NEED.map((name) => ({
    entry: `${PLAYER}/${name}/main.ts`,
    out: `dist/${name}.js`,
    again: PLAYERS,
    tsconfigRaw: ASSIGNED,
    plugins: [kit.byNeed],
  })),
  { entry: `${PLAYER}/style.css`, out: "dist/player.css", plugins: [stylePlugin()] },
];

/** Writes a file, or counts it as stale. */
function put(out, entry, text) {
  if (!check) {
    writeFileSync(out, text);
    console.log(`${out}  ${text.length} bytes`);
  } else if (!existsSync(out) || readFileSync(out, "utf8") !== text) {
    console.error(`${out} is not what ${entry} builds to: run 'npm run build' and commit ${out}`);
    stale += 1;
  }
}

const check = process.argv.includes("--check");
mkdirSync("dist", { recursive: true });
let stale = 0;
for (const { entry, out, again, mangle, banner = "", plugins = [], tsconfigRaw } of targets) {
  if (!existsSync(entry)) continue;
  const result = await build({
    ...common,
    entryPoints: [entry],
    outfile: out,
    format: "iife",
    target: ENGINES,
    banner: { js: banner },
    plugins,
    tsconfigRaw,
  });
  let { text } = result.outputFiles.find(({ path }) => path === resolve(out));
  const own = result.outputFiles.filter(({ path }) => path.endsWith(".css")).map((file) => file.text);
  const name = basename(out, ".js");
  if (APART.includes(name)) put(`dist/${name}.css`, entry, own.join("\n"));
  else if (!out.endsWith(".css")) styles.push(...own);
  if (again)
    text = (
      await minify(text, {
        ecma: 2020,
        toplevel: true,
        compress: again,
        mangle: mangle ?? true,
        format: { ascii_only: true },
      })
    ).code;
  if (out === "dist/player.css") {
    const dark = /:root\[data-theme=dark\](\{[^}]*\})/;
    if (!dark.test(text)) throw new Error(`${entry} says no colours for data-theme="dark"`);
    // A variable keeps its white space, which says nothing here.
    text = text
      .replace(/(--[\w-]+): /g, "$1:")
      .replace(dark, "$&@media(prefers-color-scheme:dark){:root[data-theme=auto]$1}");
  }
  put(out, entry, text);
}
process.exit(stale ? 1 : 0);
