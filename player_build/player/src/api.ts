// `window.pagereel`: the player for programs (docs: "The player, for programs").

import type { Mark, Step } from "./history/story.ts";
import type { Player, SeekTarget } from "./player.ts";

/** A page (tab) of the recording, as `window.pagereel.pages` lists it. */
export interface PageInfo {
  readonly page: number;
  readonly url: string;
  readonly title: string;
  /** Whose it is, where recordings of several agents are joined. */
  readonly agent?: string;
}

/**
 * Returns the object `window.pagereel`. It exists before the file is read: until then its values are empty, and its
 * methods wait. A waiting method fails if the file cannot be read.
 *
 * @param player returns the player, or undefined before there is one
 * @param made resolves with the player when it has been created
 * @param ready resolves when the first moment is shown
 */
export function createPlayerApi(player: () => Player | undefined, made: Promise<Player>, ready: Promise<void>): object {
  const opened = (): Promise<Player> => Promise.race([made, ready.then(() => made)]);
  const command = (what: (player: Player) => void): void => {
    const opening = player();
    if (opening) what(opening);
    else void opened().then(what, () => {}); // `ready` says why not.
  };
  return Object.freeze({
    /** Resolves when the first moment shows and steps and marks are known; rejects when the file cannot be read. */
    ready,
    get duration(): number {
      return player()?.duration ?? 0;
    },
    get time(): number {
      return player()?.time ?? 0;
    },
    seek: async (target: SeekTarget) => {
      const opening = await opened();
      await opening.runLoaded();
      return opening.seek(target);
    },
    play: () => command((opening) => opening.play()),
    pause: () => command((opening) => opening.pause()),
    get playing(): boolean {
      return player()?.playing ?? false;
    },
    get marks(): Mark[] {
      return player()?.story.marks.map(({ name, time }) => ({ name, time })) ?? [];
    },
    get steps(): Array<Omit<Step, "items">> {
      return player()?.story.steps.map(({ items: _, ...step }) => ({ ...step })) ?? [];
    },
    get pages(): PageInfo[] {
      const opening = player();
      return opening ? listOpenPages(opening) : [];
    },
    get page(): number {
      return player()?.page ?? 0;
    },
    get frame(): HTMLIFrameElement | null {
      return player()?.stage.frame ?? null;
    },
    get info(): object {
      const opening = player();
      if (!opening) return {};
      const { info, title, player: version } = opening.index;
      return { ...info, title, player: version, troubles: [...opening.troubles] };
    },
    /** The tests, of a file that holds a suite. */
    get suite(): object | undefined {
      return player()?.suite;
    },
    /** Shows the page (tab) with this number; 0: the one in use at the time. Rejects for a number that no page has. */
    show: async (page: number) => {
      const opening = await opened();
      if (page !== 0 && !opening.recording.pages.has(page)) throw new RangeError(`There is no page ${page}.`);
      opening.choosePage(page);
      return opening.seek(opening.time);
    },
  });
}

/** Returns the pages (tabs) that were open at the player's current time. */
export function listOpenPages(player: Player): PageInfo[] {
  const pages: PageInfo[] = [];
  for (const page of player.recording.pages.keys()) {
    const log = player.recording.documentAt(page, player.time);
    const agent = player.index.info.whose?.[page];
    if (log) pages.push({ page, url: log.urlAt(player.time), title: player.titleOf(log), ...(agent ? { agent } : {}) });
  }
  return pages;
}
