import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useValue } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { Overlay } from "./overlay.tsx";
import { Tabs } from "./tabs.tsx";

/** The recorded page in a quiet frame: tabs, address, and the page scaled to fit. `away`: something else shows in its place. */
export function Browser({
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
  const [room, setRoom] = useState<readonly [number, number]>([0, 0]);
  const size = useValue((of) => of.stage.log?.sizeAt(of.time));
  const url = useValue((of) => of.stage.log?.urlAt(of.time) ?? "");

  useLayoutEffect(() => {
    place.current?.prepend(host);
  }, [host]);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    const measure = (): void => {
      const { width, height } = element.getBoundingClientRect();
      const [w, h] = [width - 2 * element.clientLeft, height - 2 * element.clientTop];
      setRoom((old) => (old[0] === w && old[1] === h ? old : [w, h]));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const width = size?.w ?? 1280;
  const height = size?.h ?? 720;
  const scale = bare || !room[0] ? 1 : Math.min(1, room[0] / width, room[1] / height);
  return (
    <section
      class="browser"
      aria-label={label ?? "Recorded page"}
      style={{ "--page-width": `${width}`, "--page-height": `${height}`, display: away ? "none" : "" }}
    >
      <div class="chrome">
        <Tabs />
        <div class="address" title={url}>
          {url.startsWith("https:") && <Icon name="lock" />}
          <span>{url}</span>
          {scale < 1 && <small title="The page is shown smaller than it was">{Math.round(scale * 100)} %</small>}
        </div>
      </div>
      <div class="area" ref={area}>
        <div class="fit" style={{ width: `${width * scale}px`, height: `${height * scale}px` }}>
          <div
            class="scaled"
            ref={place}
            style={{ width: `${width}px`, height: `${height}px`, transform: scale === 1 ? "none" : `scale(${scale})` }}
          >
            {!bare && !away && <Overlay scale={scale} />}
          </div>
        </div>
      </div>
    </section>
  );
}
