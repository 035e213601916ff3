// Frames that show recorded documents: no scripts, no name, nothing to load.

/** A doctype is the only way to a mode. `limited` is the builder's word for "limited quirks", which scripts see as CSS1Compat. */
const DOCTYPES: Readonly<Record<string, string>> = {
  BackCompat: "<html>",
  limited:
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
};

/** What shows a document of its own. */
export type FramingElement = HTMLIFrameElement | HTMLObjectElement | HTMLEmbedElement;

/** The document that shows in a frame: an `<embed>` gives its own to nobody. */
export function documentIn(frame: FramingElement): Document | null {
  if ("contentDocument" in frame) return frame.contentDocument;
  const outer = frame.ownerDocument.defaultView;
  for (let index = 0; index < (outer?.length ?? 0); index++) {
    const inner = outer?.[index] as Window;
    if (inner.frameElement === frame) return inner.document;
  }
  return null;
}

/** Stands on an `<object>` or `<embed>` that shows a document that the player paints. */
export const FRAMED_ATTRIBUTE = "data-pagereel-framed";

/**
 * Makes an `<object>` or `<embed>` one that has an empty document, or none any more. Nothing else is ever loaded into it. Before it is in the document:
 * an object that has shown its own content keeps to it.
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

/** Whether an `<object>` or `<embed>` showed something that may be a document: no PDF. */
export function mayShowDocument(element: Element): boolean {
  return element.hasAttribute("data-pagereel-embedded") && !/pdf/i.test(element.getAttribute("type") ?? "");
}

/** Gives the frame an empty document of the wanted mode and returns it. */
export function openDocument(frame: FramingElement, mode: string): Document | null {
  if (frame.hasAttribute(FRAMED_ATTRIBUTE)) void frame.clientHeight; // Its document comes with the layout.
  const document = documentIn(frame);
  if (!document) return null;
  // Writing replaces the initial about:blank for good (Firefox would load it once more otherwise).
  document.open();
  document.write(DOCTYPES[mode] ?? "<!DOCTYPE html>");
  document.close();
  const opened = documentIn(frame);
  opened?.replaceChildren();
  return opened;
}

/** Makes the frame as empty as it was before anything showed in it. */
export function clearFrame(frame: FramingElement): void {
  const document = documentIn(frame);
  if (!document) return;
  document.open();
  document.write("<html><head></head><body></body></html>");
  document.close();
  document.adoptedStyleSheets = [];
}
