// What comes of a recording while it is made, put into the player as it comes.
//
// 1. `new Feed(index)` before there is a player: `resources` are those that come.
// 2. `begin(player, redraw)` asks for the parts, and resolves when the first is in its place: the pages as they are now.
// 3. Each later part goes on from there. The newest moment is shown while the reader follows; else it waits on the timeline.
// 4. The last part says that the recording has ended: what is there is an ordinary replay from then on.

import "./style.css";
import type { PlayerEvent } from "../decode/events.ts";
import type { FileIndex, RecordingInfo, ResourceEntry } from "../decode/pieces.ts";
import { Resources } from "../decode/resources.ts";
import type { Player } from "../player.ts";
import type { UiState } from "../ui/state.ts";

/** What the server sends: `player_build/live_build.py`. Times in ms on the recording's clock. */
interface Part {
  readonly t: number;
  /** Since when which tab is the one to look at. */
  readonly tab?: readonly [number, number];
  readonly page: readonly PlayerEvent[];
  readonly run: readonly PlayerEvent[];
  readonly begin?: boolean;
  readonly title?: string;
  readonly info?: Partial<RecordingInfo>;
  readonly end?: boolean;
  readonly idle?: FileIndex["idle"];
}

type Open<T> = { -readonly [K in keyof T]: T[K] };
/** The state of a live feed: connected (`live`), connecting (`waiting`), or ended by an error (`gone`). */
export type FeedState = "live" | "waiting" | "gone";

/** The feed of the page, for the mark. */
let only: Feed | undefined;

/** Returns the live feed of this page; undefined if it shows no live recording. */
export const getCurrentFeed = (): Feed | undefined => only;

/** The live feed: receives the parts of a recording under way from the server, and adds them to the player. */
export class Feed {
  readonly resources: Resources;
  state: FeedState = "waiting";
  /** The interface's, once it is drawn. */
  ui: UiState | undefined;
  /** When this viewer came, ms. */
  from = 0;
  readonly #index: Open<FileIndex>;
  readonly #packs = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly #page: PlayerEvent[] = [];
  readonly #run: PlayerEvent[] = [];
  #player: Player | undefined;
  #redraw = (): void => {};

  constructor(index: FileIndex) {
    only = this;
    this.#index = index;
    const entries = index.resources as ResourceEntry[];
    this.resources = new Resources(entries, async (name) => {
      const bytes = this.#packs.get(name) ?? new Uint8Array();
      this.#packs.delete(name);
      return bytes;
    });
    this.resources.prefetch = async () => {}; // They are read when something names them; those of others never come.
  }

  /** Asks for the parts. Resolves when the pages as they are now are there. */
  begin(player: Player, redraw: () => void): Promise<void> {
    this.#player = player;
    this.#redraw = redraw;
    const { recording, story } = player;
    const [page, run] = [this.#page, this.#run];
    player.events = async function* () {
      yield* page;
      yield* run;
    };
    const source = new EventSource(this.#index.live as string);
    const told = <T>(event: Event): T => JSON.parse((event as MessageEvent<string>).data) as T;
    return new Promise((resolve) => {
      source.addEventListener("resource", (event) => {
        const [number, mime, base64] = told<[number, string, string]>(event);
        if (this.#index.resources[number]) return;
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        (this.#index.resources as ResourceEntry[])[number] = [number, 0, bytes.length, mime];
        this.#packs.set(`pack-${number}`, bytes);
      });
      source.addEventListener("part", (event) => {
        const part = told<Part>(event);
        const first = !recording.pages.size && !story.steps.length && !this.from;
        this.#take(part, first);
        if (part.end) source.close();
        resolve();
      });
      source.addEventListener("gone", () => {
        source.close();
        this.#now("gone");
        resolve();
      });
      source.onopen = () => this.#now("live");
      source.onerror = () => {
        this.#now(source.readyState === EventSource.CLOSED ? "gone" : "waiting");
        if (source.readyState === EventSource.CLOSED) resolve();
      };
    });
  }

  #now(state: FeedState): void {
    this.state = state;
    this.#player?.changed();
  }

  #take(part: Part, first: boolean): void {
    const player = this.#player as Player;
    const index = this.#index;
    const { story } = player;
    const before = index.duration;
    if (first) {
      this.from = index.opens = part.t;
      index.title = part.title || index.title;
      document.title = index.title;
    } else if (part.begin) player.tell("The connection was gone for a while: what happened meanwhile is not here.");
    if (part.info) Object.assign(index.info, part.info);
    // Who comes again is told anew what is under way.
    const run = part.run.filter(
      ({ k, id }) =>
        !part.begin ||
        !(k === "step" ? story.step(id as number) : story.network.some(({ request }) => request.id === id)),
    );
    player.recording.add(part.page);
    story.add(run);
    this.#page.push(...part.page);
    this.#run.push(...run);
    index.duration = Math.max(before, part.t);
    const tabs = index.tabs as Array<readonly [number, number]>;
    if (part.tab && part.tab[1] !== tabs.at(-1)?.[1]) tabs.push(part.tab);
    for (const step of story.steps) if (!step.closed) step.duration = Math.max(0, index.duration - step.time);
    this.#stretch(before);
    if (player.following || first) player.newest(!part.end);
    if (part.end) this.#end(part, player);
    this.#redraw();
    player.changed();
  }

  /** The timeline shows what has come, unless the reader chose a part of it. */
  #stretch(before: number): void {
    const { ui, from } = this;
    if (!ui) return;
    const [begin, end] = ui.range;
    const edge = Math.max(this.#index.duration, from + 1);
    if (end >= Math.max(before, 1) - 0.5) ui.range = [begin === 0 ? from : begin, edge];
  }

  #end(part: Part, player: Player): void {
    const index = this.#index;
    index.idle = part.idle ?? [];
    delete (index as { live?: string }).live;
    player.following = false;
    this.#now("gone");
    this.ui?.say("The recording has ended. This is its replay now.");
  }
}
