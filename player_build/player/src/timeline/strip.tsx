// Small pictures of the whole run, in a row.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { loadScript } from "../script-loading.ts";
import { formatClockTime } from "../ui/format.ts";
import { useUi } from "../ui/hooks.ts";
import type { TimelineScale } from "./scale.ts";

/** Room of one picture with its margin (px). */
const EACH = 132;
const WIDTH = EACH - 6;
const HEIGHT = 84;

/** A row of small pictures of the page above the timeline, each at its time. */
export function PictureStrip({ range, scale }: { range: readonly [number, number]; scale: TimelineScale }) {
  const { player } = useUi();
  const host = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setWidth(host.current?.clientWidth ?? 0));
    observer.observe(host.current as HTMLElement);
    return () => observer.disconnect();
  }, []);
  const { PageThumbnail } = loadScript("tools");
  const many = Math.max(1, Math.floor(width / EACH));
  return (
    <div class="strip" ref={host} role="group" aria-label="Pictures of the run" style={{ height: `${HEIGHT}px` }}>
      {width > 0 &&
        PageThumbnail &&
        Array.from({ length: many }, (_, index) => {
          const t = Math.round(scale.at((index + 0.5) / many, range));
          return (
            <button
              key={index}
              type="button"
              aria-label={`Go to ${formatClockTime(t)}`}
              title={formatClockTime(t)}
              style={{ left: `${((index + 0.5) / many) * 100}%` }}
              onClick={() => void player.seek(t)}
            >
              {/* One after the other, so that the keys and the pointer come in between. */}
              <PageThumbnail t={t} width={WIDTH} height={HEIGHT} wait={20 + index * 30} look />
            </button>
          );
        })}
    </div>
  );
}
