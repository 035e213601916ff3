// The frame that the recorded page is shown in, with its address and title.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useUiValue } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { ActionOverlay } from "./overlay.tsx";
import { PageTabs } from "./tabs.tsx";

/**
 * The recorded page, scaled to fit, within a drawn browser window that shows tabs and address. With `away` something
 * else is shown in its place.
 */
export function BrowserWindow({
  host,
  bare,
  label,
  away,
}: {
  host: HTMLElement;
  bare: boolean;
  label?: string;
  away?: boolean;
}) {
  const place = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<readonly number[]>([]);
  const size = useUiValue((of) => of.stage.log?.sizeAt(of.time));
  const url = useUiValue((of) => of.stage.log?.urlAt(of.time) ?? "");
  const still = useUiValue((of) => of.stage.still);

  useLayoutEffect(() => {
    place.current?.prepend(host);
  }, [host]);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    const measure = (): void => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const { clientLeft: left, clientTop: top } = element;
      const now = [width - 2 * left, height - 2 * top, x + left, y + top];
      setRoom((old) => (`${old}` === `${now}` ? old : now));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const width = size?.w ?? 1280;
  const height = size?.h ?? 720;
  // A box that begins and ends between two pixels of the screen blurs what lies at its edges, and all lines in it unlike each other.
  const [w = 0, h = 0, left = 0, top = 0] = room;
  const whole = (px: number, round = Math.round): number => round(px * devicePixelRatio) / devicePixelRatio;
  const laid = !bare && w > 0;
  const scale = laid ? Math.min(1, whole(w, Math.floor) / width, whole(h - 0.5, Math.floor) / height) : 1;
  const box = [whole(width * scale), whole(height * scale)] as const;
  const margin = laid ? `${whole(top) - top}px 0 0 ${whole(left + (w - box[0]) / 2) - left}px` : "";
  return (
    <section
      class="browser"
      aria-label={label ?? "Recorded page"}
      style={{ "--page-width": `${width}`, "--page-height": `${height}`, display: away ? "none" : "" }}
    >
      <div class="chrome">
        <PageTabs />
        <div class="address" title={url}>
          {url.startsWith("https:") && <Icon name="lock" />}
          <span>{url}</span>
          {still && <small title={still}>still picture</small>}
          {scale < 1 && <small title="The page is shown smaller than it was">{Math.round(scale * 100)} %</small>}
        </div>
      </div>
      <div class="area" ref={area}>
        <div class="fit" style={{ width: `${box[0]}px`, height: `${box[1]}px`, margin }}>
          <div
            class="scaled"
            ref={place}
            style={{ width: `${width}px`, height: `${height}px`, transform: scale === 1 ? "none" : `scale(${scale})` }}
          >
            {!bare && !away && <ActionOverlay scale={scale} />}
          </div>
        </div>
      </div>
    </section>
  );
}
