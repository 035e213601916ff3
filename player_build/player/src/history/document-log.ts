// One document's life as a function of time.
//
// Every so much work the state is kept as a keyframe. Because versions share what they have in common, a keyframe costs only what
// changed since the one before; and because it is a whole state, no jump in any direction applies more than one stretch of ops.

import type { Json, PlayerEvent } from "../decode/events.ts";
import { DocumentEditor } from "../state/document.ts";
import { type DocumentVersion, EMPTY_VERSION } from "../state/document-version.ts";
import { isLargePage, PagePreview } from "../state/page-preview.ts";
import { countItemsUntil, findLastItemUntil } from "./time-search.ts";

/** Touched nodes and ops between two keyframes: about a millisecond of work. */
const STRETCH = 600;

/** The position of the pointer at a time: ms, and CSS px of the viewport. */
export interface PointerSample {
  readonly t: number;
  readonly x: number;
  readonly y: number;
}

/** A press or release of a pointer's button, with its position in CSS px and the node under it. */
export interface PointerPress {
  readonly t: number;
  readonly type: string;
  readonly node: number;
  readonly x: number;
  readonly y: number;
}

/** A press or release of a key, with the modifier keys held and the focused node. */
export interface KeyPress {
  readonly t: number;
  readonly type: string;
  readonly node: number;
  readonly key: string | null;
  readonly mods: string;
}

/** How many ops a first look is made of at most: of a page that changed much it would take as long as the whole. */
const LOOKED = 1000;

/**
 * The values of media features in the recorded browser, such as `prefers-color-scheme`, which depend on its user and
 * its device.
 */
export interface MediaPreferences {
  readonly scheme: "light" | "dark";
  /** Features of media queries and their values, in lower case; what is not named is as usual. */
  readonly features: Readonly<Record<string, string>>;
  readonly print: boolean;
  readonly dpr: number;
  /** All of it in one word. */
  readonly key: string;
}

/** What a recording may tell that held: the injector's RECORDED_MEDIA_QUERIES. */
const QUERIES =
  /^(?:print|\((?:prefers-contrast: (?:more|less|custom)|prefers-reduced-transparency: reduce|forced-colors: active|inverted-colors: inverted|(?:any-)?hover: none|(?:any-)?pointer: (?:coarse|none)|scripting: none)\))$/;

function preferencesOf(scheme: unknown, motion: unknown, media: readonly unknown[], dpr: number): MediaPreferences {
  const held = media.filter((query): query is string => typeof query === "string" && QUERIES.test(query));
  const words = held.map((query) => /^\((.+): (.+)\)$/.exec(query)?.slice(1) ?? []);
  const dark = scheme === "dark" ? "dark" : "light";
  const still = motion === "reduce" ? "reduce" : "no-preference";
  return {
    scheme: dark,
    features: { "prefers-color-scheme": dark, "prefers-reduced-motion": still, ...Object.fromEntries(words) },
    print: held.includes("print"),
    dpr,
    key: [dark, still, dpr, ...held].join(),
  };
}

/** The media preferences for a recording that does not state them. */
export const DEFAULT_MEDIA_PREFERENCES = preferencesOf("light", "", [], 1);

/** The size of a viewport from the time `t` (ms) on, in CSS px, with its pixel ratio and media preferences. */
export interface ViewportSize {
  readonly t: number;
  readonly w: number;
  readonly h: number;
  readonly dpr: number;
  readonly preferences: MediaPreferences;
}

interface Keyframe {
  readonly index: number;
  readonly version: DocumentVersion;
}

/** The recorded events of one document, and the document's state at any time. */
export class DocumentLog {
  readonly d: number;
  readonly page: number;
  readonly top: boolean;
  readonly mode: string;
  readonly title: string;
  /** When it began, ms. */
  readonly start: number;
  readonly pointer: PointerSample[] = [];
  readonly presses: PointerPress[] = [];
  readonly keys: KeyPress[] = [];
  readonly sizes: ViewportSize[] = [];
  readonly urls: Array<{ t: number; url: string }> = [];
  readonly #times: number[] = [];
  readonly #messages: Array<readonly Json[]> = [];
  readonly #keyframes: Keyframe[] = [{ index: 0, version: EMPTY_VERSION }];
  /** Goes from keyframe to keyframe, once. */
  readonly #frontier = new DocumentEditor();
  #reached = 0;
  #work = 0;
  /** Goes wherever it is asked. */
  readonly #cursor = new DocumentEditor();
  #at = 0;

  constructor(event: PlayerEvent) {
    this.d = event.d ?? 0;
    this.page = number(event.page);
    this.top = event.top === true;
    this.mode = String(event.mode ?? "CSS1Compat");
    this.title = String(event.title ?? "");
    this.start = event.t;
    this.urls.push({ t: event.t, url: String(event.url ?? "") });
    const viewport = (event.viewport ?? {}) as Record<string, unknown>;
    this.#resize(event.t, viewport, event as Record<string, unknown>);
  }

  /** Takes the document's next message. */
  add(event: PlayerEvent): void {
    const { k, t } = event;
    const field = event as Record<string, unknown>;
    if (k === "snapshot" || k === "mutation") {
      this.#times.push(t);
      this.#messages.push(Array.isArray(field.ops) ? (field.ops as Json[]) : []);
    } else if (k === "pointer" && Array.isArray(field.points)) {
      for (const point of field.points as unknown[])
        if (Array.isArray(point)) this.#point({ t: t + number(point[0]), x: number(point[1]), y: number(point[2]) });
    } else if (k === "mouse") {
      const press = { t, type: String(field.type), node: number(field.node), x: number(field.x), y: number(field.y) };
      this.presses.push(press);
      this.#point({ t, x: press.x, y: press.y });
    } else if (k === "key") {
      const key = typeof field.key === "string" ? field.key : null;
      this.keys.push({ t, type: String(field.type), node: number(field.node), key, mods: String(field.mods ?? "") });
    } else if (k === "viewport") {
      this.#resize(t, field, field);
    } else if (k === "location") {
      this.urls.push({ t, url: String(field.url ?? "") });
    }
  }

  #resize(t: number, size: Record<string, unknown>, told: Record<string, unknown>): void {
    const before = this.sizes.at(-1)?.preferences ?? DEFAULT_MEDIA_PREFERENCES;
    this.#told = { ...this.#told, ...told };
    const { scheme, motion, media } = this.#told;
    const dpr = number(size.dpr, 1);
    const now = preferencesOf(scheme, motion, Array.isArray(media) ? media : [], dpr);
    const preferences = now.key === before.key ? before : now;
    this.sizes.push({ t, w: number(size.w, 1280), h: number(size.h, 720), dpr, preferences });
  }

  /** What was told of preferences last: an event names those that it knows. */
  #told: Readonly<Record<string, unknown>> = {};

  #point(sample: PointerSample): void {
    const last = this.pointer.at(-1);
    // Samples of a batch may reach past the next message.
    if (!last || last.t <= sample.t) this.pointer.push(sample);
    else
      this.pointer.splice(
        countItemsUntil(this.pointer, sample.t, (item) => item.t),
        0,
        sample,
      );
  }

  /** How many messages have happened at `t`. */
  countAt(t: number): number {
    return countItemsUntil(this.#times, t, (time) => time);
  }

  /** The moments at which something changed, sorted. */
  get moments(): readonly number[] {
    return this.#times;
  }

  /** With `look`, of a page that is large and was not asked for before, what is in sight, mostly. */
  stateAt(t: number, look = false): DocumentVersion {
    const count = this.countAt(t);
    if (!look) return this.stateAfter(count);
    if (this.#look?.count !== count)
      this.#look = { count, version: this.#reached > 0 ? undefined : this.#lookAfter(count) };
    return this.#look.version ?? this.stateAfter(count);
  }

  #look: { readonly count: number; readonly version: DocumentVersion | undefined } | undefined;

  #lookAfter(count: number): DocumentVersion | undefined {
    const look = new PagePreview();
    const editor = new DocumentEditor(EMPTY_VERSION, look);
    let left = LOOKED;
    if (count > left || !this.#messages.slice(0, count).some(isLargePage)) return undefined;
    for (let at = 0; at < count; at++) {
      const ops = this.#messages[at] as readonly Json[];
      left -= ops.length;
      editor.apply(ops, this.#times[at] as number);
      if (left < 0 || look.lost) return undefined;
    }
    return look.cut.size ? { ...editor.freeze(), isLook: true } : undefined;
  }

  /** The state after the first `count` messages. */
  stateAfter(count: number): DocumentVersion {
    while (this.#reached < count) this.#extend();
    const keyframe = this.#keyframes[countItemsUntil(this.#keyframes, count, (item) => item.index) - 1] as Keyframe;
    if (this.#at > count || this.#at < keyframe.index) {
      this.#cursor.reset(keyframe.version);
      this.#at = keyframe.index;
    }
    while (this.#at < count) {
      this.#cursor.apply(this.#messages[this.#at] as readonly Json[], this.#times[this.#at] as number);
      this.#at += 1;
    }
    return this.#cursor.freeze();
  }

  /** Builds keyframes ahead until `deadline` (as performance.now()). False: there is more to do. */
  prepare(deadline: number): boolean {
    while (this.#reached < this.#messages.length) {
      this.#extend();
      if (performance.now() > deadline) return this.#reached === this.#messages.length;
    }
    return true;
  }

  #extend(): void {
    this.#work += this.#frontier.apply(
      this.#messages[this.#reached] as readonly Json[],
      this.#times[this.#reached] as number,
    );
    this.#reached += 1;
    if (this.#work < STRETCH) return;
    this.#work = 0;
    this.#keyframes.push({ index: this.#reached, version: this.#frontier.freeze() });
  }

  sizeAt(t: number): ViewportSize {
    return findLastItemUntil(this.sizes, t, (item) => item.t) ?? (this.sizes[0] as ViewportSize);
  }

  urlAt(t: number): string {
    return (findLastItemUntil(this.urls, t, (item) => item.t) ?? this.urls[0])?.url ?? "";
  }

  pointerAt(t: number): PointerSample | undefined {
    return findLastItemUntil(this.pointer, t, (item) => item.t);
  }

  /** Where the pointer was between two times. */
  trail(from: number, to: number): readonly PointerSample[] {
    const time = (item: PointerSample): number => item.t;
    return this.pointer.slice(countItemsUntil(this.pointer, from, time), countItemsUntil(this.pointer, to, time));
  }

  /** The keys pressed between two times that have a name. */
  keysDown(from: number, to: number): readonly KeyPress[] {
    const time = (item: KeyPress): number => item.t;
    return this.keys
      .slice(countItemsUntil(this.keys, from, time), countItemsUntil(this.keys, to, time))
      .filter((key) => key.type === "down" && key.key);
  }

  /** What the document was told, in the order of time: the ops of each message, and when it came. */
  *messages(): Generator<readonly [ops: readonly Json[], t: number]> {
    for (const [index, ops] of this.#messages.entries()) yield [ops, this.#times[index] as number];
  }

  /** The node that a button is held down on, or 0. */
  pressedAt(t: number): number {
    const press = findLastItemUntil(this.presses, t, (item) => item.t);
    return press?.type === "down" ? press.node : 0;
  }

  /** Whether the last thing used was the keyboard. */
  keyboardAt(t: number): boolean {
    const key = findLastItemUntil(this.keys, t, (item) => item.t);
    const press = findLastItemUntil(this.presses, t, (item) => item.t);
    return key !== undefined && (press === undefined || key.t > press.t);
  }
}

function number(value: unknown, otherwise = 0): number {
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}
