// Colours that the browser forces: those that Chromium emulates. It keeps how opaque backgrounds are, which `force` says as `--pagereel-back`.

/**
 * The style sheet that imitates the browser's forced colours. The escape in `background-\63 olor` keeps
 * withForcedColors from changing that rule.
 */
export const FORCED_COLORS_SHEET = String.raw`@property --pagereel-back { syntax: "<color>"; inherits: false; initial-value: transparent }
@layer pagereel {
:root { color-scheme: light dark !important; forced-color-adjust: auto }
svg { forced-color-adjust: none }
:where(:root, button, input:not([type=checkbox i], [type=radio i], [type=range i], [type=image i]), select, textarea, dialog, [popover]) { --pagereel-back: white }
:not([data-pagereel-unforced]) {
  &:not(progress, meter), &::before, &::after, &::marker, &::placeholder, &::file-selector-button { color: inherit !important; border-color: currentcolor !important; outline-color: currentcolor !important;
    background-\63 olor: light-dark(rgb(from var(--pagereel-back) 255 255 255 / alpha), rgb(from var(--pagereel-back) 0 0 0 / alpha)) !important; text-decoration-color: currentcolor !important;
    text-emphasis-color: currentcolor !important; column-rule-color: currentcolor !important; box-shadow: none !important; text-shadow: none !important; accent-color: light-dark(#37006e, #1aebff) !important; scrollbar-color: auto !important }
  &:root, &:is(button, input, select, textarea) { color: light-dark(black, white) !important }
  &:is(:any-link, details > summary:first-of-type) { color: light-dark(#00009f, yellow) !important }
  &:is(fieldset) { border-color: light-dark(white, black) !important }
  &:is(mark) { color: black !important; background-\63 olor: yellow !important }
  &:is(:disabled:not(fieldset)) { color: light-dark(#600000, #3ff23f) !important }
}
}`;

/** What is said of backgrounds, with brackets three deep. */
const INNER = "\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)";
const BACKGROUND = new RegExp(`(?<![\\w-])(background(?:-color|-image)?\\s*:)((?:[^;{}()]|${INNER})*)`, "gi");
const GRADIENT = new RegExp(`[\\w-]*gradient${INNER}`, "gi");

/**
 * Returns a style text without gradients, in which each background colour is also stored in a custom property, so
 * that its opacity is known.
 */
export function adaptToForcedColors(css: string): string {
  return css.replace(BACKGROUND, (_, name: string, value: string) => {
    const solid = value.replace(GRADIENT, "none");
    return `${name}${solid}${/image/i.test(name) ? "" : `;--pagereel-back:${solid}`}`;
  });
}
