// Bootstrap: modals, collapses, tooltips, dropdowns with transitions.
import { Collapse, Dropdown, Modal, Offcanvas, Tooltip } from "bootstrap";
import "bootstrap/dist/css/bootstrap.min.css";

document.getElementById("app").innerHTML = `<div class="container py-3"><nav class="navbar bg-body-tertiary"><span class="navbar-brand">Kiln</span></nav>
<div class="dropdown"><button id="dd" class="btn btn-secondary dropdown-toggle" data-bs-toggle="dropdown">Menu</button><ul class="dropdown-menu"><li><a class="dropdown-item" href="#">Ash</a></li><li><a class="dropdown-item active" href="#">Chalk</a></li></ul></div>
<button id="tip" class="btn btn-primary my-3" title="A tooltip">Tip</button><div class="form-check form-switch"><input class="form-check-input" type="checkbox" id="sw"></div><input class="form-control is-invalid" value="wrong"><div class="invalid-feedback">No.</div>
<div class="collapse" id="col"><div class="card card-body">Collapsed text</div></div><div class="progress"><div class="progress-bar progress-bar-striped" style="width:40%"></div></div>
<div class="modal fade" id="m"><div class="modal-dialog"><div class="modal-content"><div class="modal-body">In a modal</div></div></div></div><div class="offcanvas offcanvas-start" id="off"><div class="offcanvas-body">Aside</div></div></div>`;
const $ = (id) => document.getElementById(id);
const rest = () => new Promise((done) => setTimeout(done, 700));
window.marks = {
  dropdown: async () => { new Dropdown($("dd")).show(); await rest(); },
  tooltip: async () => { Dropdown.getInstance($("dd")).hide(); new Tooltip($("tip")).show(); $("sw").checked = true; await rest(); },
  collapse: async () => { new Collapse($("col")).show(); await rest(); },
  modal: async () => { new Modal($("m")).show(); await rest(); },
  offcanvas: async () => { Modal.getInstance($("m")).hide(); await rest(); new Offcanvas($("off")).show(); await rest(); },
};
