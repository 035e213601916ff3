import { Excalidraw, convertToExcalidrawElements } from "@excalidraw/excalidraw";
import "@excalidraw/excalidraw/index.css";
import { createRoot } from "react-dom/client";

window.EXCALIDRAW_ASSET_PATH = "/npm/@excalidraw/excalidraw/dist/prod/";
const elements = convertToExcalidrawElements([
  { type: "rectangle", x: 200, y: 150, width: 180, height: 100, backgroundColor: "#ffc9c9", seed: 7, label: { text: "Kiln" } },
  { type: "ellipse", x: 520, y: 180, width: 160, height: 110, backgroundColor: "#a5d8ff", seed: 8 },
  { type: "arrow", x: 385, y: 200, width: 130, height: 30, seed: 9 },
]);
createRoot(document.getElementById("app")).render(
  <Excalidraw initialData={{ elements, scrollToContent: false }} excalidrawAPI={() => { setTimeout(() => { window.ready = true; }, 500); }} />,
);
