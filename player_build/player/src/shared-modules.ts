// What the scripts by need share with the core: the renderer, the player's and the interface's state, and what both would otherwise have twice.
// scripts/build.mjs gives a script by need this module in the place of each one that is named here; what it asks of them must stand here.

export { render } from "preact";
export { Fragment, jsx, jsxs } from "preact/jsx-runtime";
export { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { Clock } from "./clock/clock.ts";
export { decodePercentEncoding, parseUrlFragment } from "./url-fragment.ts";
export { findLastItemUntil } from "./history/time-search.ts";
export { getActionTitle, foldRepeatedCalls, getFoldedEndTime, formatFoldedTitle } from "./history/repeated-calls.ts";
export { getRequestEndTime } from "./history/story.ts";
export { loadScript } from "./script-loading.ts";
export { Player } from "./player.ts";
export { freeLongTexts } from "./decode/pieces.ts";
export { Resources } from "./decode/resources.ts";
export { BrowserWindow } from "./ui/browser-window.tsx";
export { UiState } from "./ui/state.ts";
export { computePaintedAttributes, setAttributes } from "./paint/attributes.ts";
export { paintControl } from "./paint/controls.ts";
export { createNode } from "./paint/nodes.ts";
export { freezeMediaFeatures } from "./paint/media-preferences.ts";
export { getOwnedSheet } from "./paint/sheets.ts";
export { EMPTIED_ELEMENTS, removeCssUrls } from "./paint/allow-lists.ts";
export { Stage } from "./paint/stage.ts";
export { tryToPaint } from "./paint/problems.ts";
export { computeAnimationTime } from "./state/animation-state.ts";
export { HTML_NAMESPACE, SVG_NAMESPACE } from "./state/node.ts";
export { trieGet } from "./state/trie.ts";
export {
  describeFidelity,
  formatClockTime,
  formatCount,
  formatWithThousands,
  describeImport,
  describeFidelityLayers,
  toReadableText,
  formatDuration,
} from "./ui/format.ts";
export { UiContext, useUi, usePlayer, useUiValue } from "./ui/hooks.ts";
export { Icon } from "./ui/icons.tsx";
export { PageTabs } from "./ui/tabs.tsx";
export { findFirstFailureTime, goToStep, PLAYBACK_SPEEDS, getStepMoments } from "./ui/navigation.ts";
