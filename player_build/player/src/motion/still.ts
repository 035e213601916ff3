// Transitions of the page's own, stopped: between two moments of a recording none runs.

const ALL = "*, ::before, ::after, :host, ::slotted(*)";
const PARTS =
  "details-content picker(select) placeholder file-selector-button marker backdrop scroll-marker scroll-button(*) -webkit-slider-thumb -webkit-slider-runnable-track -webkit-progress-bar -webkit-progress-value -webkit-meter-bar -webkit-meter-optimum-value -moz-range-thumb -moz-range-track -moz-progress-bar";

/**
 * Gives what stops the transitions that a style brings, each when a style first says that something of such a part goes over into something else: a
 * browser asks for each element what its parts look like, and `scroll-button` alone took two of three seconds of a page of 60,000. A rule each: a
 * browser that lacks one leaves out the whole list. No script sees the animations of what has an element of the browser's behind it.
 */
export function animationPauser(layer: Pick<CSSGroupingRule, "insertRule">): (css: string) => void {
  const asleep = new Map([["", ALL]]);
  for (const part of PARTS.split(" ")) asleep.set(part.replace(/\(.*/, ""), `::${part}`);
  return (css) => {
    if (!/transition/i.test(css)) return;
    for (const [name, selector] of asleep) {
      if (!css.toLowerCase().includes(name)) continue;
      asleep.delete(name);
      try {
        layer.insertRule(`${selector} { transition: none !important }`);
      } catch {
        // A browser that has no such part.
      }
    }
  };
}
