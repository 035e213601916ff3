// three.js: WebGL without preserveDrawingBuffer, drawn only when told.
import * as THREE from "three";

const renderer = new THREE.WebGLRenderer({ antialias: false });
renderer.setSize(500, 400);
document.getElementById("app").append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x223344);
const camera = new THREE.PerspectiveCamera(60, 500 / 400, 0.1, 100);
camera.position.z = 4;
const knot = new THREE.Mesh(new THREE.TorusKnotGeometry(1, 0.3, 80, 12), new THREE.MeshNormalMaterial());
scene.add(knot);
const draw = () => renderer.render(scene, camera);
const frame = () => new Promise((done) => requestAnimationFrame(() => { draw(); setTimeout(done, 500); }));
window.marks = {
  drawn: frame,
  turned: () => { knot.rotation.set(0.7, 1.1, 0.2); return frame(); },
  box: () => { scene.remove(knot); scene.add(new THREE.Mesh(new THREE.BoxGeometry(2, 1, 1), new THREE.MeshNormalMaterial())); scene.rotation.set(0.5, 0.6, 0); return frame(); },
  sized: () => { renderer.setSize(700, 300); camera.aspect = 7 / 3; camera.updateProjectionMatrix(); return frame(); },
};
