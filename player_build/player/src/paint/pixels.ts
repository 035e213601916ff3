// Pixels that are not DOM: canvases as pictures, the position of audio and video.

import type { Resources } from "../decode/resources.ts";
import type { MediaState, NodeState } from "../state/node.ts";

const drawn = new WeakMap<HTMLCanvasElement, string>();

/** Draws what the canvas showed. False: its picture is being read. */
export function paintCanvas(canvas: HTMLCanvasElement, state: NodeState["canvas"], resources: Resources): boolean {
  if (!(canvas instanceof (canvas.ownerDocument.defaultView as Window & typeof globalThis).HTMLCanvasElement))
    return true;
  if (!state) {
    if (drawn.delete(canvas)) canvas.getContext("2d")?.clearRect(0, 0, canvas.width, canvas.height);
    return true;
  }
  const [resource, width, height] = state;
  if (drawn.get(canvas) === resource) return true;
  const number = /^pagereel:(\d+)$/.exec(resource)?.[1];
  if (number === undefined) return true;
  const blob = resources.blob(Number(number));
  if (!blob) return false;
  drawn.set(canvas, resource);
  pending.add(
    createImageBitmap(blob).then((bitmap) => {
      if (drawn.get(canvas) !== resource) return;
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
      const context = canvas.getContext("2d");
      context?.clearRect(0, 0, width, height);
      context?.drawImage(bitmap, 0, 0, width, height);
    }),
  );
  return true;
}

const pending = {
  all: new Set<Promise<void>>(),
  add(work: Promise<void>): void {
    const done = work.catch(() => {}).finally(() => this.all.delete(done));
    this.all.add(done);
  },
};

/** Resolves when every canvas shows its picture. */
export async function canvasesDrawn(): Promise<void> {
  await Promise.all(pending.all);
}

export function paintMedia(media: HTMLMediaElement, state: MediaState | undefined): void {
  if (typeof media.pause !== "function") return;
  media.muted = true;
  if (!state) return;
  media.volume = Math.min(1, Math.max(0, state.volume));
  if (Math.abs(media.currentTime - state.time) > 0.05) media.currentTime = state.time;
}
