// A modal dialog.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useUi } from "./hooks.ts";

/** A modal dialog with a title and a button that closes it. */
export function ModalDialog({ title, children }: { title: string; children: ComponentChildren }) {
  const ui = useUi();
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog ref={element} class="dialog" aria-label={title} onClose={() => ui.set({ dialog: "" })}>
      <h2>{title}</h2>
      {children}
      <button type="button" class="plain" onClick={() => element.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
