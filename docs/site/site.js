// What the theme leaves out for those who use a keyboard or a screen reader.
const mend = () => {
  for (const nav of document.querySelectorAll(".md-code__nav")) nav.setAttribute("role", "presentation");
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap")) {
    if (box.scrollWidth > box.clientWidth) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", "Table, wider than the page");
    }
  }
};
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
addEventListener("resize", mend);
mend();
