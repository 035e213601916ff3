// The parts of a document's recording, and their order: that of their ops in a transaction.

import { LIMITS } from "./config.ts";
import type { RecordingScope } from "./scope.ts";
import { RunningAnimations } from "./state/animations.ts";
import { ValidationBubbleState } from "./state/validation-bubble.ts";
import { CanvasContents, type CanvasPicture } from "./state/canvas.ts";
import { SvgClocks } from "./state/svg-clocks.ts";
import { FormControlStates } from "./state/controls.ts";
import { VideoCaptions } from "./state/video-captions.ts";
import { SvgAttributes } from "./state/svg-attributes.ts";
import { EmbeddedContent } from "./state/embedded.ts";
import { ExactStyleNumbers } from "./state/exact-numbers.ts";
import { VideoStills } from "./state/video-stills.ts";
import { FocusAndSelection } from "./state/focus.ts";
import { ScriptedFonts } from "./state/fonts.ts";
import { TextHighlights } from "./state/highlights.ts";
import { LayoutSampler } from "./state/layout-sample.ts";
import { MediaPlayback } from "./state/media.ts";
import { type StatePart, combineStateParts } from "./state/part.ts";
import { PointerTargets } from "./state/pointer.ts";
import { RegisteredProperties } from "./state/registered-properties.ts";
import { ShadowRootList } from "./state/roots.ts";
import { ScrollOffsets } from "./state/scroll.ts";
import { ScriptedStyleSheets } from "./state/sheets.ts";
import { AssignedSlots } from "./state/slots.ts";
import { ChosenSources } from "./state/chosen-sources.ts";
import { PseudoClassStates } from "./state/pseudo-classes.ts";
import { TopLayer } from "./state/top-layer.ts";
import { WindowState } from "./state/window-state.ts";

export type StateParts = ReturnType<typeof createStateParts>;

/**
 * Creates the {@link StatePart}s of a document's recording. The parts that the result names have more methods than the interface:
 * listeners, checkpoints and the recorder call them.
 */
export function createStateParts(scope: RecordingScope) {
  const { document, window, mirror, masks, stream, pace, canQuery } = scope;
  const { now } = scope.natives;
  const idOf = (node: Node) => mirror.idOf(node);
  const follow = (node: Node) => scope.follow(node);
  const unsupported = (what: string) => (node: number, detail: string) => stream.unsupported(what, detail, node);
  const ask = (k: string) => (canQuery ? () => stream.push(k) : null);
  const picture = (picture: CanvasPicture) => stream.emit("canvas", { ...picture }, picture.base64.length);

  const roots = new ShadowRootList(document, mirror, stream, pace, now, canQuery, (root, host) =>
    scope.encode(root, host),
  );
  const inRoots = () => roots.known.values();
  const sheets = new ScriptedStyleSheets(document, mirror, roots.known, now);
  /** Rules that only the replay has, by who told them. */
  const added = ["", ""];
  const own = (by: 0 | 1) => (rules: string) => {
    added[by] = rules;
    sheets.own(added.join("\n").trim());
    pace.soon();
  };
  const controls = new FormControlStates(masks, now, () => {
    if (canQuery) stream.push("hosts");
    else stream.unsupportedOnce("typed", "what is half typed into a number or a date");
  });
  const drawn = new SvgAttributes(masks, idOf, now, () => pace.soon(LIMITS.settleSteady));
  const scroll = new ScrollOffsets(document, window, mirror, inRoots, () => scope.complete(), now);
  const focus = new FocusAndSelection(document, follow, masks);
  const answers = () => canQuery && mirror.elements <= LIMITS.askedElements;
  const bubble = new ValidationBubbleState(focus, follow, masks, now, answers, () => stream.push("bubble"));
  const searched = /#.*:~:/.test(window.performance.getEntriesByType("navigation")[0]?.name ?? "");
  if (searched) stream.unsupportedOnce("text fragment", "::target-text");
  const pointed = new PointerTargets(document, window, follow, searched);
  const topLayer = new TopLayer(document, follow);
  const media = new MediaPlayback(follow);
  const clocks = new SvgClocks(follow, now);
  const sources = new ChosenSources(
    follow,
    (bytes) => stream.push("blob", { ...bytes }, bytes.base64.length),
    (url, reason) => stream.push("gap", { reason, detail: `blob ${url}` }),
    canQuery ? (url, medium) => stream.push("wanted", { url, medium }) : null,
  );
  const canvases = new CanvasContents(window, now, stream.time, picture, unsupported("canvas"), ask("shoot"));
  const films = new VideoStills(follow, stream.time, picture, canvases.shots);
  const animations = new RunningAnimations(
    () => [document, ...inRoots()],
    follow,
    (id) => mirror.alive(id),
    now,
    (count) => stream.unsupportedOnce("animations", `${count} at once`),
    () => stream.unsupported("view transition", "the replay shows its end"),
  );
  const fonts = new ScriptedFonts(document, (detail) => stream.unsupported("font", detail), ask("fonts"), own(0));
  const embedded = new EmbeddedContent(document, now, (what, node, detail) => stream.unsupported(what, detail, node));
  const looks = new LayoutSampler(window, document, idOf, canvases, () => pointed.hovered, masks, now);
  const view = new WindowState(document, window, stream, now);

  const exact = new ExactStyleNumbers(follow);
  const list: StatePart[] = [
    roots,
    controls,
    scroll,
    focus,
    bubble,
    pointed,
    topLayer,
    media,
    clocks,
    new AssignedSlots(idOf),
    exact,
    sources,
    canvases,
    films,
    animations,
    fonts,
    new VideoCaptions(masks),
    new TextHighlights(idOf, masks, now),
    new PseudoClassStates(document, follow, inRoots),
    ...(canQuery ? [new RegisteredProperties(document, () => stream.unsupportedOnce("paint", "paint()"), own(1))] : []),
    embedded,
    drawn,
    sheets,
    view,
  ];

  return {
    all: combineStateParts(list),
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
