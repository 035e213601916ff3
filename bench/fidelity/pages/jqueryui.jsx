// jQuery UI of the old school: inline styles, effects, sprites in style sheets.
import $ from "jquery";
window.jQuery = window.$ = $;
const ready = import("jquery-ui/dist/jquery-ui.js");
import "jquery-ui/dist/themes/base/jquery-ui.css";

$("#app").html("<div id=acc><h3>One</h3><div>First</div><h3>Two</h3><div>Second</div></div><input id=date><div id=sl></div><div id=dlg title=Dialog>Text</div><ul id=menu><li><div>Ash</div></li><li><div>Chalk</div></li></ul><div id=prog></div>");
const rest = (ms = 500) => new Promise((done) => setTimeout(done, ms));
window.marks = {
  widgets: async () => { await ready; $("#acc").accordion(); $("#sl").slider({ value: 30 }); $("#menu").menu().width(120); $("#prog").progressbar({ value: 40 }); $("#dlg").dialog({ autoOpen: false, modal: true }); $("#date").datepicker({ defaultDate: "11/21/2026" }); await rest(); },
  opened: async () => { $("#acc").accordion("option", "active", 1); await rest(800); },
  dialog: async () => { $("#dlg").dialog("open"); await rest(); },
  effects: async () => { $("#dlg").dialog("close"); $("#menu").slideUp(200); $("#prog").progressbar("value", 90).animate({ width: 400 }, 200); await rest(800); },
};
