// Films that have loaded, without the wheel that Chromium's controls turn.

import { ADDED_ATTRIBUTES, RECORDED_PREFIX } from "../paint/marks.ts";
import { mediaReady } from "./pixels.ts";

/**
 * Makes a twin of a film that has loaded, to take its place. Chromium's controls turn a wheel for seconds after a film has loaded, unless it had
 * loaded before they were made, which they are when the film is put into a document.
 *
 * @returns nothing for a film without such controls, or one that shows another source meanwhile
 */
export async function twinWithoutControls(film: HTMLMediaElement): Promise<HTMLMediaElement | undefined> {
  const source = film.currentSrc;
  if (!film.controls || film.localName !== "video" || !film.readyState || film.matches(":popover-open"))
    return undefined;
  const twin = film.cloneNode(false) as HTMLMediaElement;
  for (const { name } of [...twin.attributes])
    if (name.startsWith("data-pagereel") && !name.startsWith(RECORDED_PREFIX) && name !== ADDED_ATTRIBUTES)
      twin.removeAttribute(name);
  twin.src = source;
  await mediaReady(twin);
  if (film.currentSrc !== source || !twin.readyState) return undefined;
  if (!film.hasAttribute("src")) twin.removeAttribute("src");
  return twin;
}
