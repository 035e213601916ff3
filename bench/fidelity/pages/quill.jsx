// Quill: another editor of contenteditable, with icons in SVG.
import Quill from "quill";
import "quill/dist/quill.snow.css";

const quill = new Quill("#app", { theme: "snow", modules: { toolbar: [[{ header: [1, 2, false] }], ["bold", "italic", "link", "image"], [{ list: "ordered" }, { list: "bullet" }]] } });
window.marks = {
  text: () => { quill.setText("One line\nAnother line\nA third\n"); },
  formatted: () => { quill.formatText(0, 3, "bold", true); quill.formatLine(9, 1, "list", "bullet"); quill.formatLine(0, 1, "header", 1); },
  selected: () => { quill.setSelection(4, 8); },
  picture: () => { quill.insertEmbed(9, "image", "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='60' height='40'%3E%3Crect width='60' height='40' fill='teal'/%3E%3C/svg%3E"); },
};
