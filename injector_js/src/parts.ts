// The parts of a document's recording, and their order: that of their ops in a transaction.

import { LIMITS } from "./config.ts";
import type { Scope } from "./scope.ts";
import { Animations } from "./state/animations.ts";
import { Bubble } from "./state/bubble.ts";
import { Canvases, type Picture } from "./state/canvas.ts";
import { Clocks } from "./state/clocks.ts";
import { Controls } from "./state/controls.ts";
import { Cues } from "./state/cues.ts";
import { SvgAttributes } from "./state/svg.ts";
import { Embedded } from "./state/embedded.ts";
import { ExactNumbers } from "./state/exact.ts";
import { Films } from "./state/film.ts";
import { Focus } from "./state/focus.ts";
import { Fonts } from "./state/fonts.ts";
import { Highlights } from "./state/highlights.ts";
import { PageSampler } from "./state/sample.ts";
import { Media } from "./state/media.ts";
import { type Part, combine } from "./state/part.ts";
import { PointerTargets } from "./state/pointer.ts";
import { Registries } from "./state/registries.ts";
import { Roots } from "./state/roots.ts";
import { Scroll } from "./state/scroll.ts";
import { Sheets } from "./state/sheets.ts";
import { Slots } from "./state/slots.ts";
import { Sources } from "./state/sources.ts";
import { States } from "./state/states.ts";
import { TopLayer } from "./state/toplayer.ts";
import { View } from "./state/view.ts";

export type Parts = ReturnType<typeof partsOf>;

/** Makes the parts. Those that are known by name are called for more than a {@link Part} can do: by listeners, at checkpoints, by the recorder. */
export function partsOf(scope: Scope) {
  const { document, window, mirror, masks, stream, pace, canQuery } = scope;
  const { now } = scope.natives;
  const idOf = (node: Node) => mirror.idOf(node);
  const follow = (node: Node) => scope.follow(node);
  const unsupported = (what: string) => (node: number, detail: string) => stream.unsupported(what, detail, node);
  const ask = (k: string) => (canQuery ? () => stream.push(k) : null);
  const picture = (picture: Picture) => stream.emit("canvas", { ...picture }, picture.base64.length);

  const roots = new Roots(document, mirror, stream, pace, now, canQuery, (root, host) => scope.encode(root, host));
  const inRoots = () => roots.known.values();
  const sheets = new Sheets(document, mirror, roots.known, now);
  /** Rules that only the replay has, by who told them. */
  const added = ["", ""];
  const own = (by: 0 | 1) => (rules: string) => {
    added[by] = rules;
    sheets.own(added.join("\n").trim());
    pace.soon();
  };
  const controls = new Controls(masks, now, () => {
    if (canQuery) stream.push("hosts");
    else stream.unsupportedOnce("typed", "what is half typed into a number or a date");
  });
  const drawn = new SvgAttributes(masks, idOf, now, () => pace.soon(LIMITS.settleSteady));
  const scroll = new Scroll(document, window, mirror, inRoots, () => scope.complete(), now);
  const focus = new Focus(document, follow, masks);
  const answers = () => canQuery && mirror.elements <= LIMITS.askedElements;
  const bubble = new Bubble(focus, follow, masks, now, answers, () => stream.push("bubble"));
  const searched = /#.*:~:/.test(window.performance.getEntriesByType("navigation")[0]?.name ?? "");
  if (searched) stream.unsupportedOnce("text fragment", "::target-text");
  const pointed = new PointerTargets(document, window, follow, searched);
  const topLayer = new TopLayer(document, follow);
  const media = new Media(follow);
  const clocks = new Clocks(follow, now);
  const sources = new Sources(
    follow,
    (bytes) => stream.push("blob", { ...bytes }, bytes.base64.length),
    (url, reason) => stream.push("gap", { reason, detail: `blob ${url}` }),
    canQuery ? (url, medium) => stream.push("wanted", { url, medium }) : null,
  );
  const canvases = new Canvases(window, now, stream.time, picture, unsupported("canvas"), ask("shoot"));
  const films = new Films(follow, stream.time, picture, canvases.shots);
  const animations = new Animations(
    () => [document, ...inRoots()],
    follow,
    (id) => mirror.alive(id),
    now,
    (count) => stream.unsupportedOnce("animations", `${count} at once`),
    () => stream.unsupported("view transition", "the replay shows its end"),
  );
  const fonts = new Fonts(document, (detail) => stream.unsupported("font", detail), ask("fonts"), own(0));
  const embedded = new Embedded(document, now, (what, node, detail) => stream.unsupported(what, detail, node));
  const looks = new PageSampler(window, document, idOf, canvases, () => pointed.hovered, masks, now);
  const view = new View(document, window, stream, now);

  const exact = new ExactNumbers(follow);
  const list: Part[] = [
    roots,
    controls,
    scroll,
    focus,
    bubble,
    pointed,
    topLayer,
    media,
    clocks,
    new Slots(idOf),
    exact,
    sources,
    canvases,
    films,
    animations,
    fonts,
    new Cues(masks),
    new Highlights(idOf, masks, now),
    new States(document, follow, inRoots),
    ...(canQuery ? [new Registries(document, () => stream.unsupportedOnce("paint", "paint()"), own(1))] : []),
    embedded,
    drawn,
    sheets,
    view,
  ];

  return {
    all: combine(list),
    animations,
    bubble,
    canvases,
    clocks,
    controls,
    drawn,
    embedded,
    exact,
    films,
    focus,
    fonts,
    looks,
    media,
    pointed,
    roots,
    scroll,
    sheets,
    sources,
    topLayer,
    view,
  };
}
