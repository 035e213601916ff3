// What media queries and colour schemes told the recorded page, said again to every reader's browser, whatever its own answers are.

import type { MediaPreferences } from "../history/document-log.ts";
import { loadScript } from "../script-loading.ts";

const ALWAYS = "(min-width: 0)";
const NEVER = "(max-width: 0)";

/** What a feature says where nothing was recorded of it; any other says `no-preference`. */
const USUAL: Readonly<Record<string, string>> = {
  "forced-colors": "none",
  "inverted-colors": "none",
  scripting: "enabled",
  hover: "hover",
  pointer: "fine",
};
const FEATURE =
  /\(\s*(prefers-[a-z-]+|forced-colors|inverted-colors|scripting|(?:any-)?(?:hover|pointer))\s*(?::\s*([a-z-]+)\s*)?\)/gi;
const DENSITY =
  /\(\s*(?:-webkit-)?(min-|max-)?(?:device-pixel-ratio|resolution)\s*:\s*([\d.]+)(dppx|x|dpi|dpcm)?\s*\)/gi;
/** Device pixels in a CSS pixel of what is printed: 300 dpi in Chromium. */
const PRINTED = 300 / 96;
/** Types of media, in the condition of a rule or of `if()`. */
const CONDITION = /(?:@media\b|\bmedia\()[^{};]*/gi;

/** Returns whether the recorded browser replaced the page's colours by its own (`forced-colors: active`). */
export const hasForcedColors = ({ features }: MediaPreferences): boolean => !!features["forced-colors"];

/**
 * Returns a style sheet, a `style` attribute or (`query`) a media query in which media features have the values of
 * the recorded browser, so that it applies for each reader as it did in the recording.
 */
export function freezeMediaFeatures(css: string, preferences: MediaPreferences, query = false): string {
  const { scheme, features, print, dpr } = preferences;
  const types = (condition: string): string =>
    condition.replace(/\b(?:print|screen)\b/gi, (type) => (type.toLowerCase() === "print" ? "screen" : "print"));
  const told = css
    .replace(FEATURE, (_, name: string, value?: string) => {
      const feature = name.toLowerCase();
      const is = features[feature] ?? USUAL[feature.replace("any-", "")] ?? "no-preference";
      return (value ? value.toLowerCase() === is : !/^no/.test(is)) ? ALWAYS : NEVER;
    })
    .replace(DENSITY, (_, bound: string | undefined, value: string, unit: string | undefined) => {
      const asked = Number(value) / (unit === "dpi" ? 96 : unit === "dpcm" ? 96 / 2.54 : 1);
      const off = (print ? PRINTED : dpr) - asked;
      return (bound === "min-" ? off > -0.01 : bound === "max-" ? off < 0.01 : Math.abs(off) < 0.01) ? ALWAYS : NEVER;
    })
    .replace(/(color-scheme\s*:\s*)(?:light\s+dark|dark\s+light)\b/gi, `$1${scheme}`);
  const forced = (hasForcedColors(preferences) && loadScript("rare").adaptToForcedColors?.(told)) || told;
  return print ? (query ? types(forced) : forced.replace(CONDITION, types)) : forced;
}

/** Returns the colour schemes in the attributes of a `<meta name="color-scheme">`; "" for any other `<meta>`. */
export function getMetaColorSchemes({ name, content }: Readonly<Record<string, string>>): string {
  return name?.toLowerCase() === "color-scheme" && /^[\s\w-]+$/.test(content ?? "") ? (content as string) : "";
}
