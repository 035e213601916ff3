// The page as it shows now, to be kept: as markup that stands alone, and as a picture, which a canvas makes of that markup.

import type { Resources } from "../decode/resources.ts";
import type { DocumentView } from "../paint/view.ts";
import type { Player } from "../player.ts";
import { HTML_NAMESPACE, SVG_NAMESPACE } from "../state/node.ts";
import { trieGet } from "../state/trie.ts";

const LEFT_OUT = /^(?:script|iframe|frame|object|embed|style|link)$/;

/** What an element is laid out by. */
const PLACE = [
  "display",
  "position",
  "inset",
  "float",
  "margin",
  "border",
  "box-sizing",
  "width",
  "height",
  "transform",
];
const LOOK = (
  "padding min-width max-width min-height max-height font color background opacity overflow flex align-items align-self justify-content gap " +
  "grid-template text-align text-decoration text-transform letter-spacing white-space border-radius box-shadow clip-path fill stroke vertical-align visibility"
).split(" ");

/** Gives the copy what the style sheets came to where it stands. */
function pin(element: Element, twin: HTMLElement, names: readonly string[]): void {
  const computed = element.ownerDocument.defaultView?.getComputedStyle(element);
  for (const name of names) twin.style.setProperty(name, computed?.getPropertyValue(name) ?? "", "important");
}

/** Writes the present value of a form control into the attributes or text of its copy, `twin`. */
export function writeControlValue(control: Element, twin: Element): void {
  const { localName: tag, type, value, checked, selected } = control as HTMLInputElement & HTMLOptionElement;
  if (tag === "textarea") twin.textContent = value;
  else if (tag === "option") twin.toggleAttribute("selected", selected);
  else if (tag === "input") {
    if (type !== "file") twin.setAttribute("value", value);
    twin.toggleAttribute("checked", checked);
  }
}

/** Sees each element with its copy; what it gives stands in the copy's place. */
type Visit = (element: Element, twin: HTMLElement) => Element | undefined;

/**
 * A copy of a document without scripts and frames: with what its controls hold, shadow trees in the place of their hosts' children, and all style
 * sheets as one.
 */
function copyOf(view: DocumentView, visit: Visit = () => undefined): HTMLElement {
  const { document: shown } = view;
  const sheets = [textOf(shown)];
  const copy = (node: Node): Node | undefined => {
    const twin = node.cloneNode() as HTMLElement;
    if (node.nodeType !== Node.ELEMENT_NODE) return node.nodeType === Node.COMMENT_NODE ? undefined : twin;
    const element = node as HTMLInputElement & HTMLOptionElement & HTMLSlotElement;
    const instead = visit(element, twin);
    if (instead || LEFT_OUT.test(element.localName)) return instead;
    // In its own tree the page's rules did not reach it: what they could change stands in the element.
    if (element.getRootNode() !== shown) pin(element, twin, [...PLACE, ...LOOK]);
    writeControlValue(element, twin);
    if (element.localName === "textarea") return twin;
    const inner = trieGet(view.current.nodes, view.idOf(element) ?? 0)?.inner;
    const root = inner ? (view.node(inner) as ShadowRoot | undefined) : undefined;
    let below: Iterable<Node> = element.childNodes;
    if (root?.host) {
      below = root.childNodes;
      twin.dataset.pagereelShadow = `${sheets.length}`;
      const text = textOf(root)
        .replace(/:host\(/g, ":scope:is(")
        .replace(/:host\b/g, ":scope")
        .replace(/::slotted\(/g, "slot > :is(");
      sheets.push(`@scope ([data-pagereel-shadow="${sheets.length}"]) {${text}}`);
    } else if (element.assignedNodes?.().length) below = element.assignedNodes();
    for (const child of below) {
      const made = copy(child);
      if (made) twin.append(made);
    }
    return twin;
  };
  const root = copy(shown.documentElement) as HTMLElement;
  const style = shown.createElement("style");
  style.textContent = sheets.join("\n");
  (root.querySelector("head") ?? root).append(style);
  return root;
}

/** The style sheets of a document or shadow root. */
function textOf(root: Document | ShadowRoot): string {
  return root.adoptedStyleSheets
    .map(({ media, cssRules }) => {
      const text = [...cssRules].map((rule) => rule.cssText).join("\n");
      return media.mediaText ? `@media ${media.mediaText}{${text}}` : text;
    })
    .join("\n");
}

const BLOB = /blob:[^"'&)\s]+/g;

/** Returns `text` with each `blob:` address of a resource replaced by a `data:` URL with its bytes. */
export async function inlineBlobUrls(text: string, resources: Resources): Promise<string> {
  const addresses = new Map<string, string>();
  for (const [address] of text.matchAll(BLOB)) {
    const blob = resources.blobAt(address);
    if (blob && !addresses.has(address)) addresses.set(address, await dataUrl(blob));
  }
  return text.replace(BLOB, (address) => addresses.get(address) ?? "data:,");
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Returns the shown page as one HTML file without scripts; "" if no page is shown. */
export async function exportPageAsHtml({ stage, resources }: Player): Promise<string> {
  const [shown] = stage.documents();
  if (!shown?.document.documentElement) return "";
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:">`;
  const html = copyOf(shown.view).outerHTML.replace(/(<head[^>]*>)/, `$1<meta charset="utf-8">${policy}`);
  return inlineBlobUrls(`<!DOCTYPE html>\n${html}`, resources);
}

/**
 * Returns the shown page as a PNG, in the recorded window's size and pixel density. Fails where the browser cannot
 * draw markup.
 */
export async function exportPageAsPicture({ stage, resources, time }: Player): Promise<Blob> {
  const views = new Map([...stage.documents()].map(({ document, view }) => [document, view]));
  const [[shown] = []] = views;
  if (!shown?.documentElement || !stage.log) throw new Error("No page shows.");
  const { w, h, dpr } = stage.log.sizeAt(time);
  const image = new Image();
  image.src = await drawingOf(shown, w, h, views, resources);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = w * dpr;
  canvas.height = h * dpr;
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  // WebKit draws what is within the drawing's pictures only when it draws it again.
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
  }
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject())));
}

/** A document as it shows in a window of `w` to `h` px, as the data: address of a drawing: no other does every engine let a canvas read. */
async function drawingOf(
  shown: Document,
  w: number,
  h: number,
  views: ReadonlyMap<Document, DocumentView>,
  resources: Resources,
): Promise<string> {
  const { documentElement: root, scrollingElement, body } = shown;
  const { scrollX, scrollY } = shown.defaultView as Window;
  const style = (element: Element): CSSStyleDeclaration => (shown.defaultView as Window).getComputedStyle(element);
  const frames: Array<Promise<void>> = [];
  const copy = copyOf(views.get(shown) as DocumentView, (element, twin) => {
    for (const { name } of [...twin.attributes])
      if (!/^[a-z][\w.-]*$|^x\w+:\w+$/i.test(name)) twin.removeAttribute(name); // XML knows none such.
    // What moves stands as it was.
    for (const { effect } of element.getAnimations())
      for (const frame of (effect as KeyframeEffect).pseudoElement ? [] : (effect as KeyframeEffect).getKeyframes())
        for (const name of Object.keys(frame)) {
          const property = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
          twin.style.setProperty(property, style(element).getPropertyValue(property), "important");
        }
    const { contentDocument } = element as HTMLIFrameElement;
    const image = document.createElementNS(HTML_NAMESPACE, "img") as HTMLImageElement;
    const instead = contentDocument?.documentElement && views.has(contentDocument) ? image : undefined;
    const top = element.matches(":is(:modal, :popover-open)");
    if (instead || top) pin(element, instead ?? twin, PLACE);
    if (top) {
      const behind = (shown.defaultView as Window).getComputedStyle(element, "::backdrop").backgroundColor;
      twin.dataset.pagereelTop = "";
      twin.style.cssText += `;z-index:2147483647!important;box-shadow:0 0 0 200vmax ${behind}!important`;
    }
    const around = element.parentElement;
    if (
      around &&
      around !== scrollingElement &&
      (around.scrollLeft || around.scrollTop) &&
      style(element).position !== "sticky"
    )
      (instead ?? twin).style.translate = `${-around.scrollLeft}px ${-around.scrollTop}px`;
    if (instead && contentDocument)
      frames.push(
        drawingOf(contentDocument, element.clientWidth, element.clientHeight, views, resources).then((drawing) => {
          image.src = drawing;
        }),
      );
    return instead;
  });
  await Promise.all(frames);
  const own = style(root);
  const ground = [own, body && style(body)].find(
    (of) => of && (of.backgroundColor !== "rgba(0, 0, 0, 0)" || of.backgroundImage !== "none"),
  );
  const sheet = copy.querySelector("style:last-of-type") as HTMLStyleElement;
  // What a window does for a page; and a drawing has no links and no top layer.
  sheet.textContent = `:where(a[href]){color:LinkText;text-decoration:underline}${sheet.textContent?.replaceAll(":any-link", "[href]").replace(/:modal|:popover-open/g, "[data-pagereel-top]")}
*,::before,::after{animation:none!important}:root,html{font-size:${own.fontSize}!important;overflow:visible!important}html{margin:${-scrollY}px 0 0 ${-scrollX}px!important}${own.overflow === "visible" ? "body{overflow:visible!important}" : ""}`;
  const svg = document.createElementNS(SVG_NAMESPACE, "svg");
  for (const { name, value } of copy.attributes) svg.setAttribute(name, value);
  svg.setAttribute("width", `${w}`);
  svg.setAttribute("height", `${h}`);
  svg.setAttribute("style", `color-scheme:${own.colorScheme};background:${ground?.background ?? "#fff"}`);
  const place = document.createElementNS(SVG_NAMESPACE, "foreignObject");
  place.setAttribute("width", "100%");
  place.setAttribute("height", "100%");
  place.append(copy);
  svg.append(place);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML does not have.
  const xml = new XMLSerializer().serializeToString(svg).replace(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, "");
  return `data:image/svg+xml,${encodeURIComponent(await inlineBlobUrls(xml, resources))}`;
}
