// Rigid bodies in space, moving. three.js draws them; a body is an instance of its shape.

const floats = (text) => new Float32Array(bytesOf(text).buffer);
const shorts = (text) => new Int16Array(bytesOf(text).buffer);

const groupInks = ['red', 'blue', 'orange', 'green', 'purple', 'sky'];  // of groups that move, in turn
const sceneFields = [['group', 'group', ''], ['speed', 'speed', 'speed'], ['kinetic', 'kinetic energy', 'energy']];
// From the middle of the scene; z points upwards.
const viewpoints = { oblique: [0.5, -1.5, 0.7], front: [1, 0, 0.05], side: [0, -1, 0.05], top: [0, -0.001, 1] };
const decades = 6;  // of kinetic energy, from the brightest body down to the darkest
const frameTime = 40;  // ms
const mostEdgePoints = 400000;  // of lines that are moved one by one

function openScene(run) {
  const { scene } = run;
  const [place, attitude] = [floats(scene.place), shorts(scene.attitude)];
  const opened = { run, data: scene, t: doubles(scene.t), count: scene.names.length, place, attitude,
    speed: floats(scene.speed), kinetic: floats(scene.kinetic), counts: indices(scene.joint_counts),
    jointPlaces: floats(scene.joint_places), jointForces: floats(scene.joint_forces) };
  opened.groups = [...scene.groups.keys()].filter((g) => scene.group.some((group, i) => group === g && !scene.fixed[i]));  // that move
  opened.firstJoint = [0];
  for (const number of opened.counts) opened.firstJoint.push(opened.firstJoint.at(-1) + number);
  return opened;
}

const isThere = (film, frame, body) => film.data.birth[body] === null || film.t[frame] >= film.data.birth[body] * (1 - 1e-12);

/** Each face by itself, cut into triangles, so that it is flat in the light. */
function geometryOf(shape) {
  const [points, faces] = [floats(shape.points), indices(shape.faces)];
  const corners = [];
  for (let at = 0; at < faces.length; at += faces[at] + 1)
    for (let k = 2; k < faces[at]; ++k)
      for (const i of [faces[at + 1], faces[at + k], faces[at + k + 1]]) corners.push(...points.subarray(3 * i, 3 * i + 3));
  const geometry = new Three.BufferGeometry();
  geometry.setAttribute('position', new Three.Float32BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** The matrix that puts a body where it is in a frame; of one that is not there yet it has no size. */
function poseOf(film, frame, body, matrix) {
  const at = frame * film.count + body;
  const q = film.attitude.subarray(4 * at, 4 * at + 4);
  const size = isThere(film, frame, body) ? 1 : 0;
  return matrix.compose(new Three.Vector3(...film.place.subarray(3 * at, 3 * at + 3)),
    new Three.Quaternion(...q).normalize(), new Three.Vector3(size, size, size));
}

/** An instanced mesh for each shape, with the numbers of its bodies. */
function meshesOf(film, geometries) {
  return geometries.map((geometry, shape) => {
    const bodies = [...film.data.shape.keys()].filter((i) => film.data.shape[i] === shape);
    const mesh = new Three.InstancedMesh(geometry, new Three.MeshStandardMaterial({ roughness: 0.85, side: Three.DoubleSide }), bodies.length);
    mesh.userData.bodies = bodies;
    mesh.frustumCulled = false;
    mesh.castShadow = bodies.some((i) => !film.data.fixed[i]);
    mesh.receiveShadow = true;
    return mesh;
  });
}

/** The edges of all bodies as one list of lines; too many of them are left out. */
function edgesOf(film, geometries) {
  const own = geometries.map((geometry) => new Three.EdgesGeometry(geometry, 25).getAttribute('position').array);
  const size = film.data.shape.reduce((sum, shape) => sum + own[shape].length, 0);
  const lines = new Three.LineSegments(new Three.BufferGeometry(), new Three.LineBasicMaterial({ transparent: true, opacity: 0.55 }));
  lines.geometry.setAttribute('position', new Three.BufferAttribute(new Float32Array(size < mostEdgePoints ? size : 0), 3));
  lines.frustumCulled = false;
  lines.userData.own = size < mostEdgePoints ? own : own.map(() => new Float32Array(0));
  return lines;
}

/** The box of the bodies that move where they start, widened by where nine in ten of them end. */
function boxOfScene(film) {
  const moving = [...film.data.fixed.keys()].filter((i) => !film.data.fixed[i]);
  const seen = moving.length ? moving : [...film.data.fixed.keys()];
  const last = (film.t.length - 1) * film.count;
  const box = new Three.Box3();
  const low = [], high = [];
  for (let axis = 0; axis < 3; ++axis) {
    const first = seen.map((i) => film.place[3 * i + axis]);
    const ends = seen.map((i) => film.place[3 * (last + i) + axis]).sort((a, b) => a - b);
    low.push(Math.min(...first, ends[Math.floor(0.05 * (ends.length - 1))]));
    high.push(Math.max(...first, ends[Math.ceil(0.95 * (ends.length - 1))]));
  }
  return box.set(new Three.Vector3(...low), new Three.Vector3(...high)).expandByScalar(Math.max(...seen.map((i) => film.reach[film.data.shape[i]])));
}

/** Everything that is drawn of a run. */
function stageOf(film) {
  const geometries = film.data.shapes.map(geometryOf);
  film.reach = geometries.map((geometry) => { geometry.computeBoundingSphere(); return geometry.boundingSphere.radius; });
  const box = boxOfScene(film);
  const ball = box.getBoundingSphere(new Three.Sphere());
  const stage = { film, scene: new Three.Scene(), ball, meshes: meshesOf(film, geometries), edges: edgesOf(film, geometries) };
  stage.forces = new Three.LineSegments(new Three.BufferGeometry(), new Three.LineBasicMaterial({ depthTest: false, transparent: true }));
  stage.forces.frustumCulled = false;
  const sun = new Three.DirectionalLight(0xffffff, 2.2);
  sun.position.copy(ball.center).add(new Three.Vector3(0.7, -0.5, 1.4).multiplyScalar(ball.radius * 2));
  sun.target.position.copy(ball.center);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.normalBias = 0.003 * ball.radius;
  Object.assign(sun.shadow.camera, { left: -1.5 * ball.radius, right: 1.5 * ball.radius, top: 1.5 * ball.radius, bottom: -1.5 * ball.radius, near: 0.1 * ball.radius, far: 6 * ball.radius });
  stage.scene.add(new Three.HemisphereLight(0xffffff, 0x777777, 1.6), sun, sun.target, ...stage.meshes, stage.edges, stage.forces);
  return stage;
}

/** Of the bodies that move: the largest value of the run or of the instant. */
function largestOf(film, view) {
  const values = film[view.field];
  let largest = 0;
  const [from, to] = view.span === 'run' ? [0, film.t.length] : [view.frame, view.frame + 1];
  for (let i = from * film.count; i < to * film.count; ++i) if (values[i] > largest) largest = values[i];
  return largest || 1;
}

/** The place of a value between the darkest and the brightest colour. */
function shareOf(view, value, largest) {
  if (view.field === 'speed') return value / largest;
  return value > 0 ? Math.max(0, 1 + Math.log10(value / largest) / decades) : 0;
}

/** A body is a little lighter or darker than its neighbours, so that joints are seen. */
const shade = (body) => 0.06 * (((body * 2654435761) % 4294967296) / 2147483648 - 1);

function colourOf(film, view, body, largest, ramp, colour) {
  if (film.data.fixed[body]) return colour.set(isDark() ? '#3a4148' : '#d9d5cb');
  if (view.field === 'group') return colour.set(groupColour(film, film.data.group[body])).offsetHSL(0, 0, shade(body));
  const share = shareOf(view, film[view.field][view.frame * film.count + body], largest);
  return colour.set(ramp[Math.round(255 * Math.min(1, share))]);
}

const groupColour = (film, group) => inks()[groupInks[film.groups.indexOf(group) % groupInks.length]];

function placeBodies(stage, view) {
  const { film } = stage;
  const matrix = new Three.Matrix4();
  const colour = new Three.Color();
  const largest = view.field === 'group' ? 1 : largestOf(film, view);
  const ramp = palette(sequential);
  for (const mesh of stage.meshes) {
    mesh.userData.bodies.forEach((body, i) => {
      mesh.setMatrixAt(i, poseOf(film, view.frame, body, matrix));
      mesh.setColorAt(i, colourOf(film, view, body, largest, ramp, colour));
    });
    mesh.instanceMatrix.needsUpdate = mesh.instanceColor.needsUpdate = true;
    mesh.boundingSphere = null;  // that of the last frame
  }
  placeEdges(stage, view, matrix);
}

function placeEdges({ film, edges }, view, matrix) {
  const position = edges.geometry.getAttribute('position');
  const point = new Three.Vector3();
  let at = 0;
  film.data.shape.forEach((shape, body) => {
    const own = edges.userData.own[shape];
    poseOf(film, view.frame, body, matrix);
    for (let k = 0; k < own.length; k += 3) {
      point.set(own[k], own[k + 1], own[k + 2]).applyMatrix4(matrix).toArray(position.array, at);
      at += 3;
    }
  });
  position.needsUpdate = true;
}

/** Of each joint a line through its centre of pressure; the largest force of the frame is a tenth of the scene long. */
function placeForces({ film, forces, ball }, view) {
  const [from, to] = view.forces ? [film.firstJoint[view.frame], film.firstJoint[view.frame + 1]] : [0, 0];
  const points = [];
  let largest = 0;
  const force = (joint) => new Three.Vector3(...film.jointForces.subarray(3 * joint, 3 * joint + 3));
  for (let joint = from; joint < to; ++joint) largest = Math.max(largest, force(joint).length());
  for (let joint = from; joint < to; ++joint) {
    const place = new Three.Vector3(...film.jointPlaces.subarray(3 * joint, 3 * joint + 3));
    const half = force(joint).multiplyScalar((0.1 * ball.radius) / largest);
    points.push(place.clone().sub(half), place.add(half));
  }
  forces.geometry.dispose();
  forces.geometry = new Three.BufferGeometry().setFromPoints(points);
}

function pointCamera(stage, camera, orbit, from) {
  const direction = new Three.Vector3(...viewpoints[from]).normalize();
  const distance = (0.85 * stage.ball.radius) / Math.sin((camera.fov / 2) * (Math.PI / 180));
  orbit.target.copy(stage.ball.center);
  camera.position.copy(stage.ball.center).addScaledVector(direction, distance);
  Object.assign(camera, { near: 0.01 * distance, far: 20 * distance });
  camera.updateProjectionMatrix();
  orbit.update();
}

/** The body under the pointer, in words. */
function bodyAt(stage, view, camera, canvas, event) {
  const box = canvas.getBoundingClientRect();
  const ray = new Three.Raycaster();
  ray.setFromCamera(new Three.Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height), camera);
  const [hit] = ray.intersectObjects(stage.meshes, false);
  if (!hit) return '';
  const { film } = stage;
  const body = hit.object.userData.bodies[hit.instanceId];
  const at = view.frame * film.count + body;
  const place = [...film.place.subarray(3 * at, 3 * at + 3)].map((x) => figure(x, 4)).join(', ');
  const moves = film.data.fixed[body] ? 'fixed' : `${figure(film.speed[at], 4)}${afterNumber('speed')}, ${figure(film.kinetic[at], 4)}${afterNumber('energy')}`;
  return `${film.data.names[body]} of ${film.data.groups[film.data.group[body]]}, at (${place}): ${moves}`;
}

function sceneText(film, view) {
  let [fastest, energy] = [0, 0];
  const at = view.frame * film.count;
  for (let i = 0; i < film.count; ++i) {
    if (!isThere(film, view.frame, i)) continue;
    energy += film.kinetic[at + i];
    if (film.speed[at + i] > film.speed[at + fastest]) fastest = i;
  }
  return `kinetic energy ${figure(energy, 4)}${afterNumber('energy')}; fastest is ${film.data.names[fastest]} with ${figure(film.speed[at + fastest], 4)}${afterNumber('speed')}`;
}

function sceneNote(film) {
  const { frames } = film.data;
  return [
    `${plural(film.count, 'body', 'bodies')}. ${film.t.length < frames ? `${count(film.t.length)} of ${plural(frames, 'frame')}.` : `All ${plural(frames, 'frame')}.`}`,
    'Drag to turn, drag with the right button to shift, turn the wheel to come nearer. Bodies of a group differ a little in lightness.',
    film.jointForces.length ? 'Joint forces are lines through the centres of pressure, the largest of each instant.' : '',
  ].filter(Boolean).join(' ');
}

/** Swatches of groups, or the bar of a field with its ends. */
function sceneLegend(film, view) {
  const swatchOf = (colour, text) => make('span', { class: 'swatch' }, make('i', { style: `background:${colour}` }), text);
  if (view.field === 'group') return film.groups.map((group) => swatchOf(groupColour(film, group), film.data.groups[group]));
  const [, name, quantity] = sceneFields.find(([key]) => key === view.field);
  const largest = largestOf(film, view);
  const low = view.field === 'speed' ? '0' : `10^−${decades} of that`;
  return [make('span', { class: 'swatch' }, low, make('i', { class: 'bar', style: `background:linear-gradient(to right, ${sequential.join(',')})` }),
    `${name} ${figure(largest, 3)}${afterNumber(quantity)}`)];
}

function sceneRows(film, view) {
  const rows = [['t', 'body', 'name', 'group', 'x', 'y', 'z', 'q_x', 'q_y', 'q_z', 'q_w', 'speed', 'kinetic']];
  for (let i = 0; i < film.count; ++i) {
    const at = view.frame * film.count + i;
    rows.push([film.t[view.frame], i, film.data.names[i], film.data.groups[film.data.group[i]], ...film.place.subarray(3 * at, 3 * at + 3),
      ...[...film.attitude.subarray(4 * at, 4 * at + 4)].map((q) => Number((q / 32767).toFixed(5))), film.speed[at], film.kinetic[at]]);
  }
  return rows;
}

/** Play, time, colours, viewpoint, run: and what they do to the view. */
function sceneControls(staged, view, film, change, look, redraw) {
  const title = make('span');
  const time = slider('Time', 'scene-time', film().t.length - 1, view.frame, (frame) => { view.frame = frame; update(); });
  function update() {
    const now = `${figure(film().t[view.frame])}${afterNumber('time')}`;
    time.input.max = film().t.length - 1;
    time.input.value = view.frame;
    time.output.textContent = title.textContent = `t = ${now}`;
    time.input.setAttribute('aria-valuetext', now);
    redraw();
  }
  const play = playButton('scene-play', frameTime, view, film, update);
  const set = (name) => (value) => { view[name] = value; update(); };
  const [run] = selectOf('scene-run', 'Run', staged.map((r, i) => [i, r.label]), (i) => { change(staged[i]); update(); });
  const [field] = selectOf('scene-field', 'Colours', sceneFields.map(([key, name]) => [key, name]), set('field'));
  const [span] = selectOf('scene-span', 'Colours span', [['run', 'the whole run'], ['instant', 'this instant']], set('span'));
  const [from] = selectOf('scene-from', 'Seen from', Object.keys(viewpoints).map((name) => [name, name]), look);
  const step = (by) => { view.frame = Math.max(0, Math.min(film().t.length - 1, view.frame + by)); update(); };
  const onkey = onFilmKey(step, play);
  return { title, update, onkey, elements: [play, time.label, ...(staged.length > 1 ? [run] : []), field, span, from,
    ...(film().jointForces.length ? [checkbox('Joint forces', view.forces, set('forces'))] : [])] };
}

/** The canvas with its renderer, its camera and what turns it; null where the browser has no WebGL. */
function openCanvas() {
  if (!document.createElement('canvas').getContext('webgl2')) return null;
  const canvas = make('canvas', { tabindex: '0', role: 'img', id: 'scene-canvas' });
  const renderer = new Three.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
  renderer.shadowMap.enabled = true;
  const camera = new Three.PerspectiveCamera(35, 1, 0.1, 1000);
  camera.up.set(0, 0, 1);
  const orbit = new Three.OrbitControls(camera, canvas);
  return { canvas, renderer, camera, orbit };
}

function showScene() {
  const staged = runs.filter((run) => run.scene);
  if (!staged.length) return;
  reveal('bodies');
  const opened = openCanvas();
  if (opened) return showBodies(staged, opened);
  byId('bodies-plot').append(make('p', { class: 'note', id: 'no-webgl' },
    'This browser has no WebGL, or it is switched off, so the bodies cannot be drawn here. Frames for ParaView are in the folder of the run: slipwave view.'));
}

function showBodies(staged, { canvas, renderer, camera, orbit }) {
  const stages = new Map();
  const stageFor = (run) => stages.get(run) ?? stages.set(run, stageOf(openScene(run))).get(run);
  let stage = stageFor(staged[0]);
  const view = { field: 'group', frame: 0, span: 'run', forces: false };
  const [reading, pointer, legend] = [make('p', { class: 'reading' }), make('p', { class: 'reading pointer' }), make('div', { class: 'legend' })];
  const render = () => renderer.render(stage.scene, camera);
  const redraw = () => {
    stage.scene.background = new Three.Color(inks().paper);
    stage.edges.material.color.set(inks().ink);
    stage.forces.material.color.set(inks().red);
    placeBodies(stage, view);
    placeForces(stage, view);
    render();
    reading.textContent = sceneText(stage.film, view);
    legend.replaceChildren(...sceneLegend(stage.film, view));
    canvas.setAttribute('aria-label', `Bodies at t = ${figure(stage.film.t[view.frame])}${afterNumber('time')}. ${reading.textContent}`);
  };
  const look = (from) => { pointCamera(stage, camera, orbit, from); render(); };
  const controls = sceneControls(staged, view, () => stage.film, (run) => {
    stage = stageFor(run);
    view.frame = Math.min(view.frame, stage.film.t.length - 1);
    byId('bodies-note').textContent = sceneNote(stage.film);
  }, look, redraw);
  const save = (format) => (format === 'csv' ? download('bodies.csv', csv(sceneRows(stage.film, view)), 'text/csv')
    : canvas.toBlob((blob) => download('bodies.png', blob, 'image/png')));
  canvas.addEventListener('keydown', controls.onkey);
  canvas.addEventListener('pointermove', (event) => { pointer.textContent = bodyAt(stage, view, camera, canvas, event) || '\u00a0'; });
  byId('bodies-note').textContent = sceneNote(stage.film);
  byId('bodies-controls').append(...controls.elements);
  byId('bodies-plot').append(make('figure', {}, make('figcaption', {}, make('h3', {}, controls.title),
    make('div', { class: 'tools' }, downloads('bodies', 'bodies', save, ['png', 'csv']))), legend, canvas, reading, pointer));
  redraws.push(redraw);
  pointCamera(stage, camera, orbit, 'oblique');
  orbit.addEventListener('change', render);
  let width = 0;
  new ResizeObserver(([{ contentRect }]) => {  // also called once now, which is the first drawing
    if (contentRect.width === width) return;
    width = contentRect.width;
    fitCanvas(renderer, camera, canvas);
    controls.update();
  }).observe(byId('bodies-plot'));
}

/** As wide as the page lets it, and not so high that a screen does not hold it. */
function fitCanvas(renderer, camera, canvas) {
  const width = canvas.parentElement.clientWidth - 2 * parseFloat(getComputedStyle(canvas.parentElement).paddingLeft);
  const height = Math.round(Math.min(620, Math.max(280, 0.56 * width)));
  renderer.setPixelRatio(Math.min(devicePixelRatio || 1, 2));
  renderer.setSize(width, height);
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
}
