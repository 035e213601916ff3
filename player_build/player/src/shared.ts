// What the scripts by need share with the core: the renderer, the player's and the interface's state, and what both would otherwise have twice.
// scripts/build.mjs gives a script by need this module in the place of each one that is named here; what it asks of them must stand here.

export { render } from "preact";
export { Fragment, jsx, jsxs } from "preact/jsx-runtime";
export { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { Clock } from "./clock/clock.ts";
export { decode, parseFragment } from "./fragment.ts";
export { lastUpTo } from "./history/search.ts";
export { actionText, folded, foldEnd, foldText } from "./history/repeats.ts";
export { endOfRequest } from "./history/story.ts";
export { loadScript } from "./scripts.ts";
export { Player } from "./player.ts";
export { forgetTexts } from "./decode/pieces.ts";
export { Resources } from "./decode/resources.ts";
export { Browser } from "./ui/browser.tsx";
export { UiState } from "./ui/state.ts";
export { paintedAttributes, setAttributes } from "./paint/attributes.ts";
export { paintControl } from "./paint/controls.ts";
export { createNode } from "./paint/nodes.ts";
export { asRecorded } from "./paint/preferences.ts";
export { sheetOf } from "./paint/sheets.ts";
export { EMPTIED_ELEMENTS, withoutUrls } from "./paint/wall.ts";
export { Stage } from "./paint/stage.ts";
export { attempt } from "./paint/problems.ts";
export { phase } from "./state/motion.ts";
export { HTML, SVG } from "./state/node.ts";
export { trieGet } from "./state/trie.ts";
export {
  checkedText,
  clockTime,
  countText,
  withThousands,
  importedText,
  layersText,
  readable,
  durationText,
} from "./ui/format.ts";
export { UiContext, useUi, usePlayer, useValue } from "./ui/hooks.ts";
export { Icon } from "./ui/icons.tsx";
export { Tabs } from "./ui/tabs.tsx";
export { firstFailure, goToStep, SPEEDS, stepMoments } from "./ui/navigation.ts";
