// Puts what moves by itself where it was at a moment: animations, audio and video, drawings, pictures that move.

import type { AnimationPainter } from "../motion/animation-painter.ts";
import { loadScript } from "../script-loading.ts";
import { type PaintedDocument, paintResources } from "./appearance.ts";
import { seekSvgAnimations } from "./slots-and-drawings.ts";
import { tryToPaint } from "./problems.ts";

/** A painted document whose animations, videos and animated pictures are set to a time. */
export interface PlayedDocument extends PaintedDocument {
  readonly motion: AnimationPainter | undefined;
  /** The next try to put films where they belong that were not there yet. */
  again: ReturnType<typeof setTimeout> | undefined;
  /** Which of their frames pictures that move show. */
  shownFrames: number;
  paintSheets(): void;
}

/** Films that were put into the document when they had loaded, and from where. */
const CALM = new WeakMap<HTMLMediaElement, string>();

/**
 * Sets the animations, videos and animated pictures of a document to the time `t` (ms); tries again while a video is
 * not ready.
 *
 * @param changed whether something was painted or marked since the last call
 */
export function seekPaintedDocument(view: PlayedDocument, t: number, changed: boolean, tries = 100): void {
  clearTimeout(view.again);
  const real = (id: number): Node | undefined => view.real.get(id);
  tryToPaint("pictures", () => showFrames(view));
  view.motion?.paint(view.current, t, view.roots.values(), real, (node) => view.idsByReal.get(node), changed);
  for (const [id, element] of view.media) {
    const state = view.get(id)?.state.media;
    if (!state) continue;
    tryToPaint("media", () => {
      // On a busy machine a film is there long after the page shows: whoever opened this moment waits for its frame.
      if (loadScript("rare").paintMediaPosition?.(element, state, t) || !tries) return;
      clearTimeout(view.again);
      view.again = setTimeout(() => seekPaintedDocument(view, t, false, tries - 1), 300);
    });
  }
  tryToPaint("svg", () =>
    seekSvgAnimations(view.animators, t, real, (svg) => view.get(view.idsByReal.get(svg) ?? 0)?.state ?? {}),
  );
}

/** Shows the frames of pictures that move, in elements and in style sheets, if others than those that stand are due. */
function showFrames(view: PlayedDocument): void {
  const { version = 0 } = view.resources.films ?? {};
  if (version === view.shownFrames) return;
  view.shownFrames = version;
  view.eachNode(view.moving, (node) => paintResources(view, node));
  if (view.sheets.moves) view.paintSheets();
}

/** Replaces videos that have loaded by copies without Chromium's loading indicator: see copyLoadedVideo. */
export async function replaceLoadedVideos(view: PlayedDocument): Promise<void> {
  const calm = async ([id, film]: [number, HTMLMediaElement]): Promise<void> => {
    const source = film.currentSrc;
    if (CALM.get(film) === source) return;
    const twin = await loadScript("rare").copyLoadedVideo?.(film);
    const node = view.get(id);
    if (!twin || !node || view.real.get(id) !== film) return;
    CALM.set(twin, source);
    view.real.set(id, twin);
    view.idsByReal.set(twin, id);
    view.media.set(id, twin);
    twin.append(...film.childNodes);
    view.repaint(node);
    film.replaceWith(twin);
  };
  await Promise.all([...view.media].map(calm));
}
