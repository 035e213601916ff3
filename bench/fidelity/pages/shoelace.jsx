// Shoelace: form-associated elements, popups, dialogs, animations.
import "@shoelace-style/shoelace/dist/themes/light.css";
import "@shoelace-style/shoelace/dist/shoelace.js";

document.getElementById("app").innerHTML = `
<sl-button variant="primary" id="b">Button</sl-button> <sl-badge pulse>3</sl-badge> <sl-switch id="sw">Switch</sl-switch> <sl-checkbox id="c">Check</sl-checkbox>
<sl-input id="i" label="Name" help-text="Yours" clearable></sl-input><sl-select id="s" label="Pick" multiple><sl-option value="a">Ash</sl-option><sl-option value="b">Birch</sl-option><sl-option value="c">Cedar</sl-option></sl-select>
<sl-range id="r" label="Heat" value="20"></sl-range><sl-rating id="ra" value="2"></sl-rating><sl-progress-bar id="p" value="40"></sl-progress-bar>
<sl-tab-group id="t"><sl-tab slot="nav" panel="one">One</sl-tab><sl-tab slot="nav" panel="two">Two</sl-tab><sl-tab-panel name="one">First panel</sl-tab-panel><sl-tab-panel name="two">Second panel</sl-tab-panel></sl-tab-group>
<sl-details id="d" summary="More">Hidden until now</sl-details><sl-tree><sl-tree-item expanded>Root<sl-tree-item>Leaf</sl-tree-item></sl-tree-item></sl-tree>
<sl-dialog id="dia" label="Dialog">In a dialog</sl-dialog><sl-color-picker inline id="col" value="#4a90e2"></sl-color-picker>`;
const $ = (id) => document.getElementById(id);
const after = (ms) => new Promise((done) => setTimeout(done, ms));
window.marks = {
  states: async () => { $("sw").checked = true; $("c").indeterminate = true; $("i").value = "Ada"; $("r").value = 70; $("ra").value = 4; $("p").value = 90; await after(400); },
  select: async () => { $("s").value = ["a", "c"]; await $("s").show(); await after(300); },
  tab: async () => { await $("s").hide(); $("t").show("two"); await $("d").show(); await after(300); },
  dialog: async () => { await $("dia").show(); await after(300); },
  closed: async () => { await $("dia").hide(); $("b").variant = "danger"; $("b").loading = true; $("b").loading = false; await after(300); },
};
