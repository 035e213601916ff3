// The preview of the page under the pointer on the timeline.

import { useLayoutEffect, useRef } from "preact/hooks";
import { Stage } from "../paint/stage.ts";
import { formatClockTime } from "../ui/format.ts";
import { usePlayer } from "../ui/hooks.ts";
import { getWindowSize } from "../ui/size.ts";

/** Creates a second stage in `host`, which can show the recording at another time than the player's. */
export function useSecondStage(host: { readonly current: HTMLElement | null }): { readonly current: Stage | null } {
  const player = usePlayer();
  const stage = useRef<Stage | null>(null);
  useLayoutEffect(() => {
    if (host.current) stage.current = new Stage(host.current, player.recording, player.resources);
    return () => {
      stage.current = null;
    };
  }, []);
  return stage;
}

const WIDTH = 240;

/**
 * A small picture of the page at the time `t` (ms). `wait`: ms before it is painted; `look`: paint only the visible
 * part of the page.
 */
export function PageThumbnail({
  t,
  width,
  height,
  wait,
  shown = true,
  look = false,
}: {
  t: number;
  width: number;
  height: number;
  wait: number;
  shown?: boolean;
  look?: boolean;
}) {
  const player = usePlayer();
  const host = useRef<HTMLDivElement>(null);
  const stage = useSecondStage(host);
  const size = getWindowSize(player, t);
  useLayoutEffect(() => {
    if (!shown || t > player.recording.loaded) return;
    const timer = setTimeout(() => stage.current?.paint(player.pageAt(t), t, look), wait);
    return () => clearTimeout(timer);
  }, [t, shown]);
  const scale = width / size.w;
  return (
    <div
      class="picture"
      hidden={!shown}
      style={{ width: `${width}px`, height: `${Math.min(height, size.h * scale)}px` }}
    >
      <div
        class="pages"
        ref={host}
        inert
        style={{ width: `${size.w}px`, height: `${size.h}px`, transform: `scale(${scale})` }}
      />
    </div>
  );
}

/** The picture of the page at the time under the pointer, with a label that describes what happened then. */
export function HoverPreview({ t, shown, shift, label }: { t: number; shown: boolean; shift: number; label: string }) {
  return (
    <div class="peek" style={{ transform: `translateX(${-50 - shift * 100}%)` }}>
      {/* When the pointer rests for a moment: on its way it would only cost. */}
      <PageThumbnail t={t} width={WIDTH} height={180} wait={40} shown={shown} />
      <span>
        <b>{formatClockTime(t)}</b> {label}
      </span>
    </div>
  );
}
