import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useDesk } from "./hooks.ts";

export function Dialog({ title, children }: { title: string; children: ComponentChildren }) {
  const desk = useDesk();
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog ref={element} class="dialog" aria-label={title} onClose={() => desk.set({ dialog: "" })}>
      <h2>{title}</h2>
      {children}
      <button type="button" class="plain" onClick={() => element.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
