// Films that have loaded, without the wheel that Chromium's controls turn.

import { ADDED_ATTRIBUTES, RECORDED_VALUE_PREFIX } from "../paint/player-attributes.ts";
import { waitForMedia } from "./canvases-and-media.ts";

/**
 * Creates a copy of a loaded video to replace it, so that Chromium's controls show no loading indicator. Chromium
 * shows the indicator for seconds after a video has loaded, unless the video had loaded before its controls were
 * created.
 *
 * @returns undefined for a video without such controls, or one that shows another source meanwhile
 */
export async function copyLoadedVideo(film: HTMLMediaElement): Promise<HTMLMediaElement | undefined> {
  const source = film.currentSrc;
  if (!film.controls || film.localName !== "video" || !film.readyState || film.matches(":popover-open"))
    return undefined;
  const twin = film.cloneNode(false) as HTMLMediaElement;
  for (const { name } of [...twin.attributes])
    if (name.startsWith("data-pagereel") && !name.startsWith(RECORDED_VALUE_PREFIX) && name !== ADDED_ATTRIBUTES)
      twin.removeAttribute(name);
  twin.src = source;
  await waitForMedia(twin);
  if (film.currentSrc !== source || !twin.readyState) return undefined;
  if (!film.hasAttribute("src")) twin.removeAttribute("src");
  return twin;
}
