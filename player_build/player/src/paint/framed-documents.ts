// Frames that show recorded documents: no scripts, no name, nothing to load.

/** A doctype is the only way to a mode. `limited` is the builder's word for "limited quirks", which scripts see as CSS1Compat. */
const DOCTYPES: Readonly<Record<string, string>> = {
  BackCompat: "<html>",
  limited:
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
};

/** An element that shows a document of its own. */
export type FramingElement = HTMLIFrameElement | HTMLObjectElement | HTMLEmbedElement;

/**
 * Returns the document that a frame element shows. An `<embed>` has no `contentDocument`, so its document is looked
 * for among all windows.
 */
export function getFramedDocument(frame: FramingElement): Document | null {
  if ("contentDocument" in frame) return frame.contentDocument;
  const outer = frame.ownerDocument.defaultView;
  for (let index = 0; index < (outer?.length ?? 0); index++) {
    const inner = outer?.[index] as Window;
    if (inner.frameElement === frame) return inner.document;
  }
  return null;
}

/** The attribute of an `<object>` or `<embed>` that shows a document which the player paints. */
export const FRAMED_ATTRIBUTE = "data-pagereel-framed";

/**
 * Gives an `<object>` or `<embed>` an empty document to paint (`framed`), or takes it away. Nothing else is ever
 * loaded into the element. Call it before the element is inserted, because an object that has shown its own content
 * continues to do so.
 */
export function setObjectFramed(element: Element, framed: boolean): void {
  if (element.hasAttribute(FRAMED_ATTRIBUTE) === framed) return;
  // An embed whose address goes keeps a document of no origin, which nobody could clear or look into.
  if (!framed && element.localName === "embed") return;
  const name = element.localName === "object" ? "data" : "src";
  element.toggleAttribute(FRAMED_ATTRIBUTE, framed);
  if (framed) element.setAttribute(name, "about:blank");
  else element.removeAttribute(name);
}

/** Returns whether an `<object>` or `<embed>` showed something that may be a document, but no PDF. */
export function mayShowDocument(element: Element): boolean {
  return element.hasAttribute("data-pagereel-embedded") && !/pdf/i.test(element.getAttribute("type") ?? "");
}

/**
 * Gives a frame element an empty document in the layout mode `mode`, and returns the document; null if the element
 * has none.
 */
export function openFramedDocument(frame: FramingElement, mode: string): Document | null {
  if (frame.hasAttribute(FRAMED_ATTRIBUTE)) void frame.clientHeight; // Its document comes with the layout.
  const document = getFramedDocument(frame);
  if (!document) return null;
  // Writing replaces the initial about:blank for good (Firefox would load it once more otherwise).
  document.open();
  document.write(DOCTYPES[mode] ?? "<!DOCTYPE html>");
  document.close();
  const opened = getFramedDocument(frame);
  opened?.replaceChildren();
  return opened;
}

/** Replaces the document in a frame element by an empty one. */
export function clearFramedDocument(frame: FramingElement): void {
  const document = getFramedDocument(frame);
  if (!document) return;
  document.open();
  document.write("<html><head></head><body></body></html>");
  document.close();
  document.adoptedStyleSheets = [];
}
