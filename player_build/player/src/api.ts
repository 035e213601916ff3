// `window.pagereel`: the player for programs (docs: "The player, for programs").

import type { Mark, Step } from "./history/story.ts";
import type { Player, Target } from "./player.ts";
import { digest } from "./state/digest.ts";

export interface PageInfo {
  readonly page: number;
  readonly url: string;
  readonly title: string;
}

export function makeApi(player: Player, ready: Promise<void>): object {
  return Object.freeze({
    /** Resolves when the first moment shows and steps and marks are known. */
    ready,
    get duration(): number {
      return player.duration;
    },
    get time(): number {
      return player.time;
    },
    seek: (target: Target) => player.seek(target),
    play: () => player.play(),
    pause: () => player.pause(),
    get playing(): boolean {
      return player.clock.playing;
    },
    get marks(): Mark[] {
      return player.story.marks.map(({ name, time }) => ({ name, time }));
    },
    get steps(): Array<Omit<Step, "items">> {
      return player.story.steps.map(({ items: _, ...step }) => ({ ...step }));
    },
    get pages(): PageInfo[] {
      return pagesAt(player);
    },
    get page(): number {
      return player.page;
    },
    get frame(): HTMLIFrameElement | null {
      return player.stage.frame;
    },
    get info(): object {
      return { ...player.index.info, title: player.index.title, player: player.index.player };
    },
    /** Shows the page (tab) with this number; 0: the one in use at the time. */
    show: (page: number) => {
      player.choosePage(page);
      return player.seek(player.time);
    },
    /** The recorder's checkpoints: what the state of a document must be at a time. */
    get checkpoints(): object[] {
      return [...player.recording.documents.values()].flatMap((log) =>
        log.checkpoints.map(({ t, digest, nodes, equal }) => ({
          d: log.d,
          page: log.page,
          time: t,
          digest,
          nodes,
          equal,
        })),
      );
    },
    /** The digest of each document on the stage as the player's model has it, for comparing with checkpoints. */
    digests: () => [...player.stage.documents()].map(({ log }) => ({ d: log.d, ...digest(log.stateAt(player.time)) })),
  });
}

/** The tabs that were open at the player's time. */
export function pagesAt(player: Player): PageInfo[] {
  const pages: PageInfo[] = [];
  for (const page of player.recording.pages.keys()) {
    const log = player.recording.documentAt(page, player.time);
    if (log) pages.push({ page, url: log.urlAt(player.time), title: player.titleOf(log) });
  }
  return pages;
}
