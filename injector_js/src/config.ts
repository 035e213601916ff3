// What the recorder hands to the script that it injects: see docs/format.md and recorder/.

import type { ReadTextPositions } from "./places/text-positions.ts";
import type { LoadedFont } from "./state/fonts.ts";
import type { ViewportPosition } from "./state/viewport-pictures.ts";

/** The configuration that the recorder gives the injector. */
export interface InjectorConfig {
  /** How batches leave the page: a raw CDP binding in an isolated world, or a function that Playwright exposed. */
  readonly transport: "cdp" | "binding";
  /** Name of the function to call with one string a batch. */
  readonly binding: string;
  /** Name of the global property, in the script's own world, under which the recorder finds the {@link RecorderHandle}. */
  readonly handle: string;
  /** CSS selectors of elements whose text and values are never read. */
  readonly mask: readonly string[];
}

/** The methods of the injected script that the recorder calls in the page. None of them throws. */
export interface RecorderHandle {
  readonly document: Document;
  /** Begins anew where the window shows another document than it did. */
  again(): boolean;
  flush(): number;
  /** Whether a picture of the viewport must be given, by {@link shot}; or that {@link bubble} must be told first, and this be called again. `fonts`: those that the document has loaded by now. */
  checkpoint(fonts?: readonly LoadedFont[]): Promise<boolean | "bubble">;
  snapshot(why: "heal" | "late"): void;
  idOf(node: Node): number;
  lines(): string;
  /** JSON for the recorder: where what can be read stands in the viewport; "" where that cannot be told, undefined until `look` was given once. */
  places(look?: ReadTextPositions): string | undefined;
  /** Elements that the recorder may look into, for {@link root}: custom ones, once each, and fields; null where there are none. */
  hosts(): Element[] | null;
  /** The document, when it is small enough to be described as a whole. */
  small(): Document | null;
  /** Reads the bytes of a blob: URL that the recorder has not seen the page load. */
  read(url: string): void;
  /** The fonts that the document has loaded, as was asked for. */
  fonts(loaded: readonly LoadedFont[]): void;
  /** What is sampled is sampled so many times less often: the recorder cannot keep up. 1: as usual. */
  pace(times: number): void;
  /** The picture of the page's viewport that was asked for, or "", and where this frame stands in it; null where that cannot be told. */
  shot(base64: string, place: ViewportPosition | null): Promise<void>;
  /** Where the content of a frame's element stands; null where it does not stand as it is. Without an element: where the page itself stands. */
  place(frame?: HTMLElement): ViewportPosition | null;
  /** What it found in one: a closed root, or what a field shows, text of the browser's and parts that a person fills in by turns. */
  root(host: Element, found: ShadowRoot | string[]): void;
  /** Whether the browser shows a message of its own beside a field, as was asked for. */
  bubble(stands: boolean): void;
  stop(): void;
}

/** The delays (in ms) and the size limits of the injector. */
export const LIMITS = {
  /** From the first mutation to its transaction: about a frame, so that what a person could see is kept. */
  settle: 16,
  /** A frame: whoever asks sees a page scrolled for so long before its event comes. */
  frame: 17,
  /**
   * The same on a page that keeps changing by itself: a spinner, a clock, a ticker. When changes have followed each other for `steady` ms
   * without a `pause`, and nobody acted meanwhile, they are taken this often. With `send` it stays below 100 ms.
   */
  settleSteady: 48,
  steady: 2_000,
  pause: 120,
  /** Between two slices of one transaction. */
  between: 2,
  /** From the first message of a batch to its sending. */
  send: 48,
  /** A batch above this many characters of text is sent at once. */
  batchSize: 60_000,
  /** Looks, one a frame's time, at whether a frame's empty first document is still the one that it shows. */
  blankLooks: 300,
  /** The same before anything is told of it. */
  blankWait: 5,
  /** Between looks at state that no event tells: control values, style sheets, the address. */
  poll: 250,
  /** The same while nothing happens: to be woken takes a page's thread a quarter of a ms. */
  seldom: 1_000,
  /** A poll that comes so much later than it should was held up: the page's thread, or the machine, stood still. */
  late: 100,
  /** Without changes for this long, and something changed since the last one: a checkpoint. */
  idle: 600,
  /** Between two idle checkpoints at least; grows with what a checkpoint costs. */
  apart: 3_000,
  /** Between two pointer samples. */
  pointer: 50,
  /** Work in one task before it yields. */
  slice: 12,
  /** Nodes between two looks at the clock. */
  steps: 128,
  /** Characters of a text that are sent: one more than a line of a reel holds (reel/limits.py), so that who writes it cuts it and says so. */
  text: (32 << 20) + 1,
  /** Depth of one encoded tree: what is deeper follows in a tree of its own, so that no reader recurses far. */
  depth: 96,
  /** Controls that are all looked at whenever something must be told. */
  polled: 400,
  /** The next look of a kind waits for so many times what the last one took: see state/throttle.ts. */
  share: 100,
  /** Elements of a document that the recorder may have the browser describe as a whole, in search of closed shadow roots. */
  described: 5_000,
  /** The same where it has the browser say what it shows beside a field: 50 µs each. */
  askedElements: 2_000,
} as const;

/**
 * The media queries that depend on the person or the device and not on the page's size. The injector records those that match; most match
 * on few devices. The player and the redaction accept no other media queries.
 */
export const RECORDED_MEDIA_QUERIES = [
  "print",
  "(prefers-contrast: more)",
  "(prefers-contrast: less)",
  "(prefers-contrast: custom)",
  "(prefers-reduced-transparency: reduce)",
  "(forced-colors: active)",
  "(inverted-colors: inverted)",
  "(hover: none)",
  "(any-hover: none)",
  "(pointer: coarse)",
  "(pointer: none)",
  "(any-pointer: coarse)",
  "(any-pointer: none)",
  "(scripting: none)",
] as const;

/** A media query that matches if any of {@link RECORDED_MEDIA_QUERIES} does. Usually none does, so that one test is enough. */
export const ANY_MEDIA_QUERY = RECORDED_MEDIA_QUERIES.join();

/** Finds a number with six digits or an exponent in a style's text: the browser may have rounded it to six digits. */
export const ROUNDED_NUMBER = /\d(?:\.?\d){5}|\de\+/;

/** The text that is recorded in place of a masked value. It always has the same length, so that it does not reveal the value's. */
export const MASK_TEXT = "\u2022\u2022\u2022\u2022\u2022";
