// The colours of what is selected, where a page says one of them.

/** The colours of a selection of which the other one is said. */
const UNSAID = { color: "currentcolor", "background-color": "transparent" };

/**
 * A frame without focus would show what is selected in grey, so the helper says both colours of a selection, and they are inherited. A page that
 * says one of them switches the browser's own of both off. So what a rule leaves out is said for the same elements in the helper's layer, where any
 * other rule of the page's beats it; and by a variable without a fitting value it is inherited where a rule of the page's says it further up.
 */
function pairsOf(rules: CSSRuleList): string {
  let text = "";
  for (const rule of rules) {
    const { cssRules, selectorText, style } = rule as CSSStyleRule;
    const inner = cssRules?.length ? pairsOf(cssRules) : "";
    // What stands in a layer of the page's is said outside of it: layers within a layer would come after those before it.
    if (inner) text += /^@layer/.test(rule.cssText) ? inner : `${rule.cssText.split("{", 1)}{${inner}}`;
    if (!selectorText || !/::selection/i.test(selectorText)) continue;
    // A shorthand with `var()` has no values yet, but the names of its properties.
    const said = [...style].filter((name) => name in UNSAID);
    if (said.length === 0) continue;
    for (const part of selectorText.split(/,(?![^(]*\))/)) {
      const [of, selected] = part.split(/::selection/i);
      if (selected !== "") continue;
      for (const [name, other] of Object.entries(UNSAID))
        text += said.includes(name)
          ? `${/[\w)\]*&]$/.test(of as string) ? of : `${of}*`}{--pagereel-${name}:none}`
          : `${part}{${name}:var(--pagereel-${name},${other})}`;
    }
  }
  return text;
}

/**
 * Adds to a sheet the missing colour of each `::selection` rule that sets only the text colour or only the
 * background.
 */
export function completeSelectionColors(sheet: CSSStyleSheet): void {
  sheet.insertRule(`@layer pagereel {${pairsOf(sheet.cssRules)}}`, sheet.cssRules.length);
}
