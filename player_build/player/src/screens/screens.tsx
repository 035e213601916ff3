// The screens that an agent saw, with its pointer and what it did on them.

import "./style.css";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PlayerEvent } from "../decode/events.ts";
import { findLastItemUntil } from "../history/time-search.ts";
import type { Player } from "../player.ts";
import { formatClockTime } from "../ui/format.ts";
import { usePlayer, useUiValue } from "../ui/hooks.ts";
import { Icon } from "../ui/icons.tsx";
import { PageTabs } from "../ui/tabs.tsx";
import { type ScreenCanvas, ScreenComposer, getScreenPictureId } from "./screen-composer.ts";
import { formatScreenAction } from "./action-text.ts";

/** How long a click shows, ms on the recording's clock. */
const RIPPLE = 600;
const PRESSES = /^(?:\w+ )*(?:click|press|tap|drag|mouse (?:down|up))\b/;

/** Why a screen, or most of it, is not shown. */
const WHY: Readonly<Record<string, string>> = {
  policy: "This screen is not shown: the policy of this file blocks what it does not know",
  cap: "This screen was not kept: the recording had no more room",
};
const SOME = "The policy of this file shows only what it was told that may be seen";

/** The recorded screen as the agent saw it, with its pointer and action, and the picture after the action. */
export function RecordedScreens({ bare }: { bare: boolean }) {
  const player = usePlayer();
  const screens = player.story.screens;
  const composer = useMemo(() => new ScreenComposer(screens, (sheet) => load(player, sheet)), [screens.length]);
  const event = useUiValue((of) => findLastItemUntil(screens, of.time, time) ?? screens[0]);
  const [whole, setWhole] = useState(true);
  const [room, setRoom] = useState<readonly [number, number]>([0, 0]);
  const area = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = area.current as HTMLDivElement;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setRoom([entry.contentRect.width, entry.contentRect.height]);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const [w, h] = [Number(event?.w ?? 1280), Number(event?.h ?? 800)];
  const scale = bare || !whole || !room[0] ? 1 : Math.min(1, room[0] / w, room[1] / h);
  const title = windowAt(screens, event);
  const action = formatScreenAction(event?.action);
  const why = WHY[String(event?.why)];
  return (
    <section
      class="browser screens"
      aria-label="Recorded screen"
      style={{ "--page-width": `${w}`, "--page-height": `${h}` }}
    >
      <div class="chrome">
        <PageTabs />
        <div class="address" title={title}>
          <span>{title || "Screen"}</span>
          <button
            type="button"
            class="plain"
            aria-pressed={!whole}
            title="At its own size, or as much of it as fits"
            onClick={() => setWhole(!whole)}
          >
            {whole ? `${Math.round(scale * 100)} %` : "Fit"}
          </button>
        </div>
      </div>
      <div class={`area ${whole ? "" : "scrolls"}`} ref={area} tabIndex={whole ? undefined : 0}>
        <div class={`fit ${why ? "blocked" : ""}`} style={{ width: `${w * scale}px`, height: `${h * scale}px` }}>
          {event && <Picture event={event} composer={composer} scale={scale} label={action || title || "Screen"} />}
          {event && <Pointer event={event} screens={screens} scale={scale} />}
          {why && !event?.parts && <p class="why">{why}</p>}
        </div>
      </div>
      {!bare && <Doing event={event} action={action} note={why && event?.parts ? SOME : ""} composer={composer} />}
    </section>
  );
}

interface PictureProps {
  event: PlayerEvent;
  composer: ScreenComposer;
  scale: number;
  label: string;
}

/** A screen's picture. Seeking ends when it is painted. */
function Picture({ event, composer, scale, label }: PictureProps) {
  const player = usePlayer();
  const element = useRef<HTMLCanvasElement>(null);
  const id = getScreenPictureId(event);
  const wanted = useRef(0);
  const [w, h] = [Number(event.w), Number(event.h)];
  useLayoutEffect(() => {
    const turn = ++wanted.current;
    player.painted = composer.of(id).then((made) => {
      if (turn === wanted.current && element.current) copy(made, element.current);
    });
  }, [id, composer, w, h]);
  return (
    <canvas
      ref={element}
      role="img"
      aria-label={label}
      width={w}
      height={h}
      style={{ width: `${w * scale}px`, height: `${h * scale}px` }}
    />
  );
}

function Pointer({ event, screens, scale }: { event: PlayerEvent; screens: readonly PlayerEvent[]; scale: number }) {
  const age = useUiValue((of) => Math.min(1, Math.max(0, Math.round(((of.time - event.t) / RIPPLE) * 20) / 20)));
  const pressed = event.cursor && PRESSES.test(formatScreenAction(event.action));
  const place = cursorAt(screens, event);
  if (!place) return null;
  const [x, y] = [place[0] * scale, place[1] * scale];
  return (
    <svg aria-hidden="true" class="at">
      {pressed && age < 1 && (
        <circle class="click" cx={x} cy={y} r={6 + 18 * age} stroke-width={2.5} opacity={1 - age} />
      )}
      <path
        class="pointer"
        transform={`translate(${x} ${y})`}
        d="M0 0v17l4.200-3.900 2.700 6.200 2.900-1.200-2.700-6.100h5.900z"
      />
    </svg>
  );
}

interface DoingProps {
  event: PlayerEvent | undefined;
  action: string;
  note: string | undefined;
  composer: ScreenComposer;
}

/** What was done, and the next picture: a press on it goes there. */
function Doing({ event, action, note, composer }: DoingProps) {
  const player = usePlayer();
  const { screens } = player.story;
  const at = event ? screens.indexOf(event) : -1;
  const shown = event && getScreenPictureId(event);
  const next = at < 0 ? undefined : screens.slice(at + 1).find((each) => getScreenPictureId(each) !== shown);
  const before = at < 0 ? undefined : screens.slice(0, at).findLast((each) => each.action || each.parts);
  return (
    <div class="doing">
      <button
        type="button"
        class="plain"
        aria-label="The screen before"
        disabled={!before}
        onClick={() => before && void player.seek(before.t)}
      >
        <Icon name="previous" />
      </button>
      <p>
        {action && <code>{action}</code>} {note && <small>{note}</small>}
      </p>
      {next && (
        <button type="button" class="next" title="Go to the next picture" onClick={() => void player.seek(next.t)}>
          {(next.parts || !next.why) && <Small event={next} composer={composer} />}
          <span>next, {formatClockTime(next.t)}</span>
        </button>
      )}
    </div>
  );
}

/** A picture no larger than a thumb. */
function Small({ event, composer }: { event: PlayerEvent; composer: ScreenComposer }) {
  const element = useRef<HTMLCanvasElement>(null);
  const id = getScreenPictureId(event);
  const height = 54;
  const width = Math.max(1, Math.min(160, Math.round((Number(event.w) / Number(event.h)) * height)));
  useLayoutEffect(() => {
    let there = true;
    void composer.of(id).then((made) => {
      if (there && element.current) copy(made, element.current);
    });
    return () => {
      there = false;
    };
  }, [id, composer]);
  return <canvas ref={element} width={width * 2} height={height * 2} style={{ width: `${width}px` }} />;
}

function copy(made: ScreenCanvas | undefined, to: HTMLCanvasElement): void {
  const pen = to.getContext("2d");
  if (!pen) return;
  pen.clearRect(0, 0, to.width, to.height);
  pen.imageSmoothingQuality = "high";
  if (made) pen.drawImage(made, 0, 0, to.width, to.height);
}

/** A sheet, decoded. */
async function load({ resources }: Player, placeholder: string): Promise<CanvasImageSource | undefined> {
  for (let round = 0; round < 5; round++) {
    const url = resources.fill(placeholder);
    if (url === undefined) {
      await resources.settled();
      continue;
    }
    if (!url.startsWith("blob:")) return undefined;
    const image = new Image();
    image.src = url;
    return image.decode().then(
      () => image,
      () => undefined,
    );
  }
  return undefined;
}

/** The pointer's last place that is known, on a screen of the same size. */
function cursorAt(screens: readonly PlayerEvent[], event: PlayerEvent): readonly [number, number] | undefined {
  for (let at = screens.indexOf(event); at >= 0; at--) {
    const each = screens[at] as PlayerEvent;
    if (each.w !== event.w || each.h !== event.h || (each.why && !each.cursor)) return undefined;
    if (Array.isArray(each.cursor)) return each.cursor as unknown as readonly [number, number];
  }
  return undefined;
}

/** The title of the window in use, as it was told last. */
function windowAt(screens: readonly PlayerEvent[], event: PlayerEvent | undefined): string {
  for (let at = event ? screens.indexOf(event) : -1; at >= 0; at--) {
    const title = screens[at]?.window;
    if (typeof title === "string") return title;
  }
  return "";
}

function time(event: PlayerEvent): number {
  return event.t;
}
