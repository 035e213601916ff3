import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { need } from "../need.ts";
import { useDesk, useValue } from "../ui/hooks.ts";
import { copy, copyLink } from "../ui/keys.ts";
import { printReport } from "./report.ts";
import { asMarkdown, consoleText, save } from "./texts.ts";

export function Dialogs() {
  const dialog = useValue((_, desk) => desk.dialog);
  if (dialog === "keys") return <Keys />;
  return dialog === "take" ? <Take /> : null;
}

function Dialog({ title, children }: { title: string; children: ComponentChildren }) {
  const desk = useDesk();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
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

/** The list stands in the file's markup (player_build/keys.html.j2). */
function Keys() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = document.getElementById("pagereel-keys") as HTMLTemplateElement;
    element.current?.append(list.content.cloneNode(true));
  }, []);
  return (
    <Dialog title="Keyboard shortcuts">
      <div ref={element} />
    </Dialog>
  );
}

function Take() {
  const desk = useDesk();
  const { player } = desk;
  const name = player.index.title.replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "") || "replay";
  const json = (value: unknown): string => JSON.stringify(value, null, 1);
  const ways: ReadonlyArray<readonly [string, string, () => void]> = [
    ["Copy a link", "to this moment", () => copyLink(desk)],
    [
      "Copy as Markdown",
      "step, error, locator and link, for a ticket",
      () => copy(desk, "Markdown", asMarkdown(player)),
    ],
    [
      "Save a picture",
      "of the page as it shows now, PNG",
      () =>
        void need("take").pageAsPicture(player).then(
          (picture) => save(`${name}.png`, picture),
          () => desk.say("The page cannot be drawn here"),
        ),
    ],
    [
      "Save the page",
      "as it shows now, one HTML file without scripts",
      () => void need("take").pageAsHtml(player).then((html) => save(`${name}-page.html`, html, "text/html")),
    ],
    ["Save the steps", "as JSON", () => save(`${name}-steps.json`, json(player.story.steps))],
    ["Save the network", "as HAR", () => save(`${name}.har`, json(need("take").asHar(player)))],
    ["Save the console", "as text", () => save(`${name}-console.txt`, consoleText(player))],
    [
      "Print",
      "a report of the steps with pictures",
      () => {
        desk.set({ dialog: "" });
        void printReport(player);
      },
    ],
  ];
  return (
    <Dialog title="Take along">
      <ul class="ways">
        {ways.map(([what, how, go]) => (
          <li key={what}>
            <button type="button" onClick={go}>
              <b>{what}</b> <small>{how}</small>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
