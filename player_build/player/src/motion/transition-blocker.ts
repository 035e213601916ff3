// Transitions of the page's own, stopped: between two moments of a recording none runs.

const ALL = "*, ::before, ::after, :host, ::slotted(*)";
const PARTS =
  "details-content picker(select) placeholder file-selector-button marker backdrop scroll-marker scroll-button(*) -webkit-slider-thumb -webkit-slider-runnable-track -webkit-progress-bar -webkit-progress-value -webkit-meter-bar -webkit-meter-optimum-value -moz-range-thumb -moz-range-track -moz-progress-bar";

/**
 * Returns a function that is given each style text, and adds the rules that stop transitions of pseudo-elements
 * mentioned in it.
 *
 * A rule is added only when a style needs it, because for each rule the browser computes the pseudo-element's style
 * of every element: `::scroll-button` alone took two of three seconds for a page of 60,000 elements. Each
 * pseudo-element has its own rule, because a browser that does not know one drops the whole selector list. Scripts
 * cannot pause these animations, since they cannot see them.
 */
export function createTransitionBlocker(layer: Pick<CSSGroupingRule, "insertRule">): (css: string) => void {
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
