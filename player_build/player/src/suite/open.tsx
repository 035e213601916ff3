// Opens a file of many recordings, and one test's replay at a time.

import { render } from "preact";
import type { FileIndex } from "../decode/pieces.ts";
import type { PieceReader } from "../decode/file-pieces.ts";
import type { Player } from "../player.ts";
import type { App } from "../ui/app.tsx";
import { SuiteApp } from "./app.tsx";
import { Suite } from "./suite.ts";
import type { SuiteIndex } from "./tests.ts";

/** What `window.pagereel` finds while no test is open. */
const NOTHING = {
  duration: 0,
  time: 0,
  playing: false,
  page: 0,
  story: { marks: [], steps: [] },
  recording: { pages: new Map() },
  stage: { frame: null },
  troubles: new Set(),
  play: () => {},
  pause: () => {},
  choosePage: () => {},
  runLoaded: async () => {},
  seek: async () => {
    throw new RangeError("No test is open.");
  },
};

/** Opens a suite's file: draws the list of tests into `root`, or the test that the address names. */
export async function openSuite(
  root: HTMLElement,
  index: FileIndex,
  opened: (player: Player) => void,
  read: PieceReader,
  Replay: typeof App,
): Promise<void> {
  const suite = new Suite(index as SuiteIndex, read);
  const api = Object.freeze({
    tests: suite.tests.map(({ id, name, file, outcome, duration, retries, cause }) => ({
      id,
      name,
      file,
      outcome,
      duration,
      retries,
      cause,
    })),
    open: (id: string) => suite.open(id),
    search: (text: string) => suite.search(text),
  });
  const player = new Proxy({} as Player, {
    get(_, name) {
      if (name === "suite") return api;
      const of: object = suite.opened?.player ?? { ...NOTHING, index };
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === "function" ? value.bind(of) : value;
    },
  });
  opened(player);
  root.replaceChildren();
  render(<SuiteApp suite={suite} Replay={Replay} />, root);
  await suite.route().catch(() => {}); // The list says what is not there.
  void suite.words.prepare().catch(() => {}); // A search says what is damaged.
  window.addEventListener("hashchange", () => void suite.route().catch(() => {}));
}
