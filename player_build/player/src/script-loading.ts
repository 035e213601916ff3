// The player's scripts that are run only when something asks for them. They come with the core and are put into the page inert (boot/main.ts); the
// policy knows the hash of each.

import type * as comparison from "./comparison/index.ts";
import type * as live from "./live/index.ts";
import type * as motion from "./motion/index.ts";
import type * as panels from "./panels/index.ts";
import type * as rare from "./rare/index.ts";
import type * as screens from "./screens/index.ts";
import type * as suite from "./suite/index.ts";
import type * as exporting from "./export/index.ts";
import type * as conversation from "./conversation/index.ts";
import type * as timeline from "./timeline/index.ts";
import type * as tools from "./tools/index.ts";
import type * as why from "./why/index.ts";

interface Scripts {
  /** Two recordings beside each other: in files that hold two, and in no others. */
  comparison: typeof comparison;
  /** What comes of a recording that is being made: in the page that shows one, and in no file. */
  live: typeof live;
  /** Animations: in files of recordings in which something may move. */
  motion: typeof motion;
  /** The tabs beside the page. */
  panels: typeof panels;
  /** Canvases, films, the top layer and more that few pages have: in files of recordings that have any of it. */
  rare: typeof rare;
  /** The conversation of a run without any page: in files of such runs. */
  conversation: typeof conversation;
  /** What an agent saw of a whole screen: in files of runs that tell of it. */
  screens: typeof screens;
  /** The recordings of many tests, with their list: in files of `pagereel bundle`, and in no others. */
  suite: typeof suite;
  timeline: typeof timeline;
  /** The keyboard and its help, search, the picture over the timeline, the comparison. */
  tools: typeof tools;
  /** Links, Markdown, the page as a picture or file, the network as HAR, the printed report. */
  export: typeof exporting;
  /** The chain from what went wrong first to how the run failed: in files of runs that tell of it. */
  why: typeof why;
}

type Run<N extends keyof Scripts> = Partial<Scripts[N]>;

const run: { [N in keyof Scripts]?: Run<N> } = {};
let kit: object = {};

/** Sets the modules (shared-modules.ts) that the core shares with the scripts that are run on demand. */
export function setSharedModules(shared: object): void {
  kit = shared;
}

/**
 * Returns the exports of a script that is run on demand; nothing if the file has no script of this name. The first
 * call runs the script.
 */
export function loadScript<N extends keyof Scripts>(name: N): Run<N> {
  let script: Run<N> | undefined = run[name];
  if (!script) {
    const element = Object.assign(document.createElement("script"), { kit });
    const text = document.getElementById(`pagereel-${name}`)?.textContent;
    if (text) {
      element.textContent = text;
      document.head.append(element);
    }
    script = element as object as Run<N>;
    (run as Record<string, unknown>)[name] = script;
  }
  return script;
}
