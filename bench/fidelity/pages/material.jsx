// Material Web: ripples, form-associated elements, menus and dialogs in the top layer.
import "@material/web/all.js";

document.getElementById("app").innerHTML = `
<md-filled-button id="b">Fire</md-filled-button> <md-outlined-button>Glaze</md-outlined-button> <md-checkbox id="c"></md-checkbox> <md-radio name="r" id="r1"></md-radio> <md-switch id="s"></md-switch>
<p><md-outlined-text-field id="t" label="Name"></md-outlined-text-field> <md-filled-select id="sel" label="Pick"><md-select-option value="a"><div slot="headline">Ash</div></md-select-option><md-select-option value="b"><div slot="headline">Birch</div></md-select-option></md-filled-select></p>
<md-slider id="sl" value="20"></md-slider><md-linear-progress id="p" value="0.3"></md-linear-progress>
<md-tabs id="tabs"><md-primary-tab>One</md-primary-tab><md-primary-tab>Two</md-primary-tab></md-tabs>
<md-chip-set><md-filter-chip id="chip" label="Chip"></md-filter-chip></md-chip-set><md-list><md-list-item>Item<div slot="supporting-text">more</div></md-list-item></md-list>
<md-dialog id="d"><div slot="headline">Really?</div><form slot="content" method="dialog">It is hot.</form></md-dialog>`;
const $ = (id) => document.getElementById(id);
const after = (ms) => new Promise((done) => setTimeout(done, ms));
window.marks = {
  states: async () => { $("c").checked = true; $("r1").checked = true; $("s").selected = true; $("t").value = "Ada"; $("sl").value = 80; $("p").value = 0.9; $("chip").selected = true; await after(700); },
  select: async () => { $("sel").value = "b"; $("tabs").activeTabIndex = 1; await after(700); },
  dialog: async () => { await $("d").show(); await after(800); },
  closed: async () => { await $("d").close(); $("t").error = true; $("t").errorText = "No"; await after(700); },
};
