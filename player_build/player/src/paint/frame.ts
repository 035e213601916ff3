// Frames that show recorded documents: no scripts, no name, nothing to load.

/** A doctype is the only way to a mode. `limited` is the builder's word for "limited quirks", which scripts see as CSS1Compat. */
const DOCTYPES: Readonly<Record<string, string>> = {
  BackCompat: "<html>",
  limited:
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
};

/** Gives the frame an empty document of the wanted mode and returns it. */
export function openDocument(frame: HTMLIFrameElement, mode: string): Document | null {
  const document = frame.contentDocument;
  if (!document) return null;
  // Writing replaces the initial about:blank for good (Firefox would load it once more otherwise).
  document.open();
  document.write(DOCTYPES[mode] ?? "<!DOCTYPE html>");
  document.close();
  const opened = frame.contentDocument;
  opened?.replaceChildren();
  return opened;
}

/** Makes the frame as empty as it was before anything showed in it. */
export function clearFrame(frame: HTMLIFrameElement): void {
  const document = frame.contentDocument;
  if (!document) return;
  document.open();
  document.write("<html><head></head><body></body></html>");
  document.close();
  document.adoptedStyleSheets = [];
}
