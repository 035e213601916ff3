// Frames that show recorded documents: no scripts, no name, nothing to load.

/** Gives the frame an empty document of the wanted mode and returns it. */
export function openDocument(frame: HTMLIFrameElement, mode: string): Document | null {
  const document = frame.contentDocument;
  if (!document) return null;
  // Writing replaces the initial about:blank for good (Firefox would load it once more otherwise), and a doctype is the only way to the mode.
  document.open();
  document.write(mode === "BackCompat" ? "<html>" : "<!DOCTYPE html>");
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
