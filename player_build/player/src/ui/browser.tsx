import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { pagesAt } from "../api.ts";
import { usePlayer, useValue } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { Overlay } from "./overlay.tsx";

/** The recorded page in a quiet frame: tabs, address, and the page scaled to fit. */
export function Browser({ host, bare, label }: { host: HTMLElement; bare: boolean; label?: string }) {
  const player = usePlayer();
  const place = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<readonly [number, number]>([0, 0]);
  const size = useValue((of) => of.stage.log?.sizeAt(of.time));
  const url = useValue((of) => of.stage.log?.urlAt(of.time) ?? "");
  const tabs = useValue((of) => JSON.stringify(pagesAt(of)));
  const page = useValue((of) => of.page);

  useLayoutEffect(() => {
    place.current?.prepend(host);
  }, [host]);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setRoom([entry.contentRect.width, entry.contentRect.height]);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const width = size?.w ?? 1280;
  const height = size?.h ?? 720;
  const scale = bare || !room[0] ? 1 : Math.min(1, room[0] / width, room[1] / height);
  const open = JSON.parse(tabs) as ReturnType<typeof pagesAt>;
  return (
    <section
      class="browser"
      aria-label={label ?? "Recorded page"}
      style={{ "--page-width": `${width}`, "--page-height": `${height}` }}
    >
      <div class="chrome">
        <div class="tabs" role="group" aria-label="Tabs">
          {open.map((tab) => (
            <button
              key={tab.page}
              type="button"
              class="tab"
              aria-pressed={tab.page === page}
              title={tab.url}
              onClick={() => player.choosePage(tab.page === page && player.chosenPage ? 0 : tab.page)}
            >
              {tab.agent && <small>{tab.agent}: </small>}
              {tab.title || tab.url || "New tab"}
            </button>
          ))}
        </div>
        <div class="address" title={url}>
          <Icon name="lock" />
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
            {!bare && <Overlay scale={scale} />}
          </div>
        </div>
      </div>
    </section>
  );
}
