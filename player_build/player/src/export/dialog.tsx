// The dialog in which a reader exports: links, Markdown, the page, requests.

import { ModalDialog } from "../ui/dialog.tsx";
import { useUi } from "../ui/hooks.ts";
import { ClipForm } from "./clip.tsx";
import { copyLink, copyMarkdown } from "./copy.ts";
import { buildHar } from "./har.ts";
import { exportPageAsHtml, exportPageAsPicture } from "./page.ts";
import { printReport } from "./report.ts";
import { formatConsoleAsText, downloadFile } from "./text-exports.ts";

/** The dialog that lists what can be exported: links, Markdown, the page, the network and the report. */
export function ExportDialog() {
  const ui = useUi();
  const { player } = ui;
  const name = player.index.title.replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "") || "replay";
  const json = (value: unknown): string => JSON.stringify(value, null, 1);
  const ways: ReadonlyArray<readonly [string, string, () => void]> = [
    ["Copy a link", "to this moment", () => copyLink(ui)],
    ["Copy as Markdown", "step, error, locator and link, for a ticket", () => copyMarkdown(ui)],
    [
      "Save a picture",
      "of the page as it shows now, PNG",
      () =>
        void exportPageAsPicture(player).then(
          (picture) => downloadFile(`${name}.png`, picture),
          () => ui.say("The page cannot be drawn here"),
        ),
    ],
    [
      "Save the page",
      "as it shows now, one HTML file without scripts",
      () => void exportPageAsHtml(player).then((html) => downloadFile(`${name}-page.html`, html, "text/html")),
    ],
    ["Save the steps", "as JSON", () => downloadFile(`${name}-steps.json`, json(player.story.steps))],
    ["Save the network", "as HAR", () => downloadFile(`${name}.har`, json(buildHar(player)))],
    ["Save the console", "as text", () => downloadFile(`${name}-console.txt`, formatConsoleAsText(player))],
    [
      "Print",
      "a report of the steps with pictures",
      () => {
        ui.set({ dialog: "" });
        void printReport(player);
      },
    ],
  ];
  return (
    <ModalDialog title="Export">
      {player.stage.still && <p>{player.stage.still}</p>}
      <ul class="ways">
        {ways.map(([what, how, go]) => (
          <li key={what}>
            <button type="button" onClick={go}>
              <b>{what}</b> <small>{how}</small>
            </button>
          </li>
        ))}
        <li>
          <ClipForm />
        </li>
      </ul>
    </ModalDialog>
  );
}
