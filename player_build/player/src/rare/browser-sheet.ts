// What the player says of the look of what few pages have; of the others: player_build/helper.css.j2.

/**
 * The style sheet for rare parts of a page that browsers draw by themselves: text that an input method is composing,
 * video controls, open lists, fullscreen elements, pictures and videos opened as a document, the views of JSON and
 * XML, objects and PDFs.
 */
export const BROWSER_STYLE_SHEET = String.raw`@layer pagereel {
[data-pagereel-composing], [data-pagereel-composed] { &::selection, ::selection { color: currentcolor !important; background: transparent !important; text-shadow: none !important;
  text-decoration: underline 1px currentcolor !important; text-underline-offset: calc(.21em - 1px) !important; text-decoration-skip-ink: none } }
[data-pagereel-composed] { &::selection, ::selection { color: black !important; background: #fd5 !important } }
video:not([controls], [data-pagereel-fullscreen])::-webkit-media-controls { display: none !important }
select[data-pagereel-base][data-pagereel-hover]:enabled { background-color: color-mix(in oklab, currentColor 10%, transparent) }
select[data-pagereel-base][data-pagereel-active]:enabled { background-color: color-mix(in oklab, currentColor 20%, transparent) }
select[data-pagereel-picker] option[data-pagereel-hover]:enabled { background-color: color-mix(in oklab, currentColor 10%, transparent) }
select[data-pagereel-picker] option[data-pagereel-active]:enabled { background-color: color-mix(in oklab, currentColor 20%, transparent) }
select[data-pagereel-picker] { anchor-name: --pagereel-picker }
select[data-pagereel-picker]::picker(select) { display: block; position: fixed !important; position-anchor: --pagereel-picker; z-index: 2147483647 !important }
[data-pagereel-fullscreen]:not(:root) { position: fixed !important; inset: 0 !important; margin: 0 !important; box-sizing: border-box !important; min-width: 0 !important; min-height: 0 !important;
  width: 100% !important; height: 100% !important; max-width: none !important; max-height: none !important; transform: none !important; z-index: 2147483647 !important; object-fit: contain }
:where([data-pagereel-popover]) { border: medium none; padding: 0; background: none; color: inherit }
:where([data-pagereel-popover]:not(video, img, canvas, iframe)) { overflow: visible }
iframe[data-pagereel-fullscreen] { border: none !important; padding: 0 !important }
:where([data-pagereel-fullscreen])::backdrop { background: black }
html[style] > body:has(> img[style*="user-select: none"][style*="margin: auto"]:only-child) { display: flex; flex-direction: column; align-items: flex-start; min-width: min-content }
head:has(> meta[name=viewport]:only-child) + body:has(> video:is([name=media], [data-pagereel-was-name=media])[controls]:only-child) { background: black;
  > video { position: absolute; inset: 0; margin: auto; max-width: 100%; max-height: 100% } }
body:has(> pre + .json-formatter-container:empty:last-child) { margin: 0 }
body > pre:has(+ .json-formatter-container:empty:last-child) { padding-top: 20px; overflow-wrap: break-word; white-space: pre-wrap }
body > pre + .json-formatter-container:empty:last-child { position: fixed; inset: 0 0 auto; height: 20px;
  &::before { content: "Pretty-print \2610"; display: flex; align-items: center; height: 19px; font: 13.33px monospace; background: light-dark(#f0f0f0, #3c3c3c); border-bottom: 1px solid #bbb } }
html:has(> head > #xml-viewer-style) { > body { margin: 0 } .html-tag { color: light-dark(#881280, #5db0d7) } .html-attribute-name { color: light-dark(#994500, #9bbbdc) }
  .html-attribute-value { color: light-dark(#1a1aa6, #f29766) } .comment { color: light-dark(#236e25, #898989) } }
[data-pagereel-pdf], [data-pagereel-embedded]:not([data-pagereel-framed], [data-pagereel-picture]) { --pagereel-box: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Crect width='100%25' height='100%25' fill='%2388888818'/%3E%3Ctext x='6' y='14' font-size='10' font-family='sans-serif' fill='%23888'%3Enot shown%3C/text%3E%3C/svg%3E") !important; content: var(--pagereel-box) !important; background: var(--pagereel-box) !important }
object:empty[data-pagereel-failed] { width: 0 !important; height: 0 !important }
[data-pagereel-picture]:not([data-pagereel-framed], [data-pagereel-size]) { content: var(--pagereel-box) !important }
[data-pagereel-picture][data-pagereel-size]:not([data-pagereel-framed]) { background-image: var(--pagereel-box) !important; background-size: 100% 100% !important; background-origin: content-box !important; background-repeat: no-repeat !important }
[data-pagereel-pdf], [data-pagereel-embedded][type*=pdf i] { --pagereel-box: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Crect width='100%25' height='100%25' fill='%2388888818'/%3E%3Ctext x='6' y='14' font-size='10' font-family='sans-serif' fill='%23888'%3Ea PDF: not shown%3C/text%3E%3C/svg%3E") !important }
}`;
