// The failure chain in the printed report.

import type { FailureChain } from "../decode/pieces.ts";

/** Puts the chain on top of the printed report. */
export function addWhy(report: HTMLElement, why: FailureChain): void {
  const section = document.createElement("div");
  const add = (parent: HTMLElement, tag: string, text: string, name = ""): HTMLElement => {
    const element = Object.assign(document.createElement(tag), { textContent: text, className: name });
    parent.append(element);
    return element;
  };
  add(section, "h2", why.failed ? "Why it failed" : "What went wrong on the way", why.failed ? "failed" : "");
  const list = add(section, "ol", "");
  for (const [said] of why.chain) add(list, "li", said);
  if (why.where) add(section, "p", why.where.join(" \u00b7 "), "soft");
  report.append(section);
}
