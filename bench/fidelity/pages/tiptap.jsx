// TipTap on ProseMirror: contenteditable that is redrawn by its model.
import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";

const editor = new Editor({ element: document.getElementById("app"), extensions: [StarterKit], content: "<h1>Kiln book</h1><p>Some <strong>bold</strong> and <em>slanted</em> text.</p><ul><li><p>one</p></li><li><p>two</p></li></ul><pre><code>let a = 1;</code></pre>" });
window.marks = {
  typed: () => editor.chain().focus("end").insertContent("<p>typed at the end</p>").run(),
  bold: () => editor.chain().selectAll().toggleBold().run(),
  list: () => editor.chain().setTextSelection(3).toggleOrderedList().run(),
  undone: () => { editor.commands.undo(); editor.commands.undo(); },
  replaced: () => editor.commands.setContent("<blockquote><p>all new</p></blockquote><hr><p>end</p>"),
};
