// The deformed body as a film: one drawing list for the canvas and for the SVG file.

const bodyFields = [
  ['displacement', 'displacement', 'length'], ['displacement_x', 'displacement along x', 'length'],
  ['displacement_y', 'displacement along y', 'length'], ['speed', 'velocity, magnitude', 'speed'],
  ['von_mises', 'von Mises stress', 'stress'], ['pressure', 'pressure, −(σ_xx + σ_yy)/2', 'stress'],
];
const signedFields = ['displacement_x', 'displacement_y', 'pressure'];
const warps = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6];

function openMovie(run) {
  const { movie } = run;
  const fields = Object.fromEntries(movie.fields.map((field) => [field.name, levelsOf(field)]));
  const [u, v] = [fields.displacement_x, fields.displacement_y];
  fields.displacement = Float32Array.from(u, (value, i) => Math.hypot(value, v[i]));
  const opened = { run, x: doubles(movie.x), y: doubles(movie.y), t: doubles(movie.t), corners: indices(movie.triangles), fields, movie };
  opened.edges = outline(opened.corners);
  opened.rigid = doubles(movie.warp.rigid);
  opened.warp = movie.warp.factor;
  return opened;
}

/** Edges that one triangle has. */
function outline(corners) {
  const edges = new Map();
  for (let e = 0; e < corners.length; e += 3)
    for (let k = 0; k < 3; ++k) {
      const [a, b] = [corners[e + k], corners[e + ((k + 1) % 3)]];
      const key = a < b ? a * 4194304 + b : b * 4194304 + a;
      edges.set(key, edges.has(key) ? null : [a, b]);
    }
  return [...edges.values()].filter(Boolean);
}

/** Where the nodes are drawn in a frame, in lengths of the body: moved as they are, deformed so many times as much. */
function placesIn(film, view, frame) {
  const n = film.x.length;
  const [a, b, turn] = film.rigid.subarray(3 * frame, 3 * frame + 3);
  const [cx, cy] = film.movie.warp.centre;
  const [followA, followB] = view.follow ? [a, b] : [0, 0];
  const places = new Float64Array(2 * n);
  for (let i = 0; i < n; ++i) {
    const u = a - turn * (film.y[i] - cy);
    const v = b + turn * (film.x[i] - cx);
    places[2 * i] = film.x[i] + u - followA + view.warp * (film.fields.displacement_x[frame * n + i] - u);
    places[2 * i + 1] = film.y[i] + v - followB + view.warp * (film.fields.displacement_y[frame * n + i] - v);
  }
  return places;
}

/** The box that all frames and the undeformed body fit in, so that the camera stands still. */
function boxOf(film, view) {
  const box = [Infinity, -Infinity, Infinity, -Infinity];
  for (let frame = -1; frame < film.t.length; ++frame) {
    const places = frame < 0 ? null : placesIn(film, view, frame);
    for (let i = 0; i < film.x.length; ++i) {
      const [x, y] = places ? [places[2 * i], places[2 * i + 1]] : [film.x[i], film.y[i]];  // what is not a number changes nothing
      if (x < box[0]) box[0] = x;
      if (x > box[1]) box[1] = x;
      if (y < box[2]) box[2] = y;
      if (y > box[3]) box[3] = y;
    }
  }
  return box;
}

function valuesIn(film, view, frame) {
  const n = film.x.length;
  return film.fields[view.field].subarray(frame * n, (frame + 1) * n);
}

/** Smallest and largest of the whole run or of the instant; about zero where the sign matters. */
function spanOf(film, view) {
  const values = view.span === 'run' ? film.fields[view.field] : valuesIn(film, view, view.frame);
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) { if (value < low) low = value; if (value > high) high = value; }
  if (signedFields.includes(view.field)) { high = Math.max(Math.abs(low), Math.abs(high)); low = -high; }
  return high > low ? [low, high] : [low, low + (Math.abs(low) || 1)];
}

const paletteOf = (view, dark) => palette(signedFields.includes(view.field) ? diverging(dark) : sequential);

/** Triangles by colour: 256 lists of three points each. */
function trianglesByColour(film, view, places, [low, high]) {
  const lists = Array.from({ length: 256 }, () => []);
  const values = valuesIn(film, view, view.frame);
  const scale = 255 / (3 * (high - low));
  for (let e = 0; e < film.corners.length; e += 3) {
    const [a, b, c] = [film.corners[e], film.corners[e + 1], film.corners[e + 2]];
    const level = Math.round((values[a] + values[b] + values[c] - 3 * low) * scale);
    lists[Math.max(0, Math.min(255, level))].push(a, b, c);
  }
  return lists;
}

/** 1, 2 or 5 times a power of ten, about a fifth of a length. */
function tickStep(length) {
  const raw = length / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= raw);
}

function ticksIn(low, high) {
  const step = tickStep(high - low);
  const ticks = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; ++k) ticks.push(Number((k * step).toPrecision(10)));
  return ticks;
}

/** Where things go in a picture so wide and high. */
function frameOf(film, view, width, height) {
  const box = boxOf(film, view);
  const area = { left: 56, top: 14, right: width - 104, bottom: height - 46 };
  const scale = Math.min((area.right - area.left) / (box[1] - box[0]), (area.bottom - area.top) / (box[3] - box[2])) * 0.97;
  const middle = [(area.left + area.right) / 2, (area.top + area.bottom) / 2];
  const centre = [(box[0] + box[1]) / 2, (box[2] + box[3]) / 2];
  return { area, scale, width, height,
    px: (x) => middle[0] + scale * (x - centre[0]), py: (y) => middle[1] - scale * (y - centre[1]),
    x: (px) => centre[0] + (px - middle[0]) / scale, y: (py) => centre[1] - (py - middle[1]) / scale };
}

/** Everything in the picture, as shapes: {path, fill, stroke, width, dash} and {text, at, anchor}. */
function pictureOf(film, view, width, height, dark) {
  const inkSet = inks(dark);
  const where = frameOf(film, view, width, height);
  const places = placesIn(film, view, view.frame);
  const span = spanOf(film, view);
  const colours = paletteOf(view, dark);
  const point = (i) => [where.px(places[2 * i]), where.py(places[2 * i + 1])];
  const shapes = [];
  trianglesByColour(film, view, places, span).forEach((list, level) => {
    if (!list.length) return;
    const paths = [];
    for (let k = 0; k < list.length; k += 3) paths.push([point(list[k]), point(list[k + 1]), point(list[k + 2])]);
    shapes.push({ paths, closed: true, fill: colours[level], stroke: view.lines ? (dark ? 'rgba(0,0,0,.45)' : 'rgba(255,255,255,.45)') : colours[level], width: 0.6 });
  });
  shapes.push({ paths: film.edges.map(([a, b]) => [point(a), point(b)]), stroke: inkSet.ink, width: 1 });
  shapes.push({ paths: film.edges.map(([a, b]) => [[where.px(film.x[a]), where.py(film.y[a])], [where.px(film.x[b]), where.py(film.y[b])]]),
    stroke: inkSet.muted, width: 1, dash: [4, 4] });
  return [...shapes, ...axesOf(where, inkSet), ...barOf(where, span, colours, view, inkSet)];
}

function axesOf(where, inkSet) {
  const { left, right, top, bottom } = where.area;
  const shapes = [{ paths: [[[left, top], [left, bottom], [right, bottom]]], stroke: inkSet.muted, width: 1 }];
  for (const x of ticksIn(where.x(left), where.x(right)))
    shapes.push({ paths: [[[where.px(x), bottom], [where.px(x), bottom + 4]]], stroke: inkSet.muted, width: 1 },
      { text: figure(x), at: [where.px(x), bottom + 17], anchor: 'center', colour: inkSet.ink });
  for (const y of ticksIn(where.y(bottom), where.y(top)))
    shapes.push({ paths: [[[left, where.py(y)], [left - 4, where.py(y)]]], stroke: inkSet.muted, width: 1 },
      { text: figure(y), at: [left - 8, where.py(y) + 4], anchor: 'right', colour: inkSet.ink });
  return [...shapes, { text: `x${inUnit('length')}`, at: [(left + right) / 2, bottom + 37], anchor: 'center', colour: inkSet.ink },
    { text: `y${inUnit('length')}`, at: [8, top + 4], anchor: 'left', colour: inkSet.ink }];
}

function barOf(where, [low, high], colours, view, inkSet) {
  const [left, width, top, bottom] = [where.width - 84, 12, 40, where.height - 46];
  const py = (value) => bottom - ((value - low) / (high - low)) * (bottom - top);
  const shapes = colours.map((fill, i) => {
    const [a, b] = [bottom - (i / 256) * (bottom - top), bottom - ((i + 1) / 256) * (bottom - top) - 0.5];
    return { paths: [[[left, a], [left + width, a], [left + width, b], [left, b]]], closed: true, fill };
  });
  for (const value of ticksIn(low, high))
    shapes.push({ paths: [[[left + width, py(value)], [left + width + 4, py(value)]]], stroke: inkSet.muted, width: 1 },
      { text: figure(value, 4), at: [left + width + 7, py(value) + 4], anchor: 'left', colour: inkSet.ink });
  const [, , quantity] = bodyFields.find(([name]) => name === view.field);
  return [...shapes, { text: unit(quantity), at: [left, 26], anchor: 'left', colour: inkSet.ink }];
}

function paint(context, shapes) {
  for (const shape of shapes) {
    if (shape.text !== undefined) {
      context.fillStyle = shape.colour;
      context.textAlign = shape.anchor;
      context.fillText(shape.text, ...shape.at);
      continue;
    }
    context.beginPath();
    for (const path of shape.paths) {
      context.moveTo(...path[0]);
      for (let k = 1; k < path.length; ++k) context.lineTo(...path[k]);
      if (shape.closed) context.closePath();
    }
    if (shape.fill) { context.fillStyle = shape.fill; context.fill(); }
    if (!shape.stroke) continue;
    context.strokeStyle = shape.stroke;
    context.lineWidth = shape.width;
    context.setLineDash(shape.dash ?? []);
    context.stroke();
  }
}

function svgOf(shapes, width, height, paper) {
  const number = (value) => value.toFixed(1);
  const d = ({ paths, closed }) => paths.map((path) => `M${path.map((p) => p.map(number).join(' ')).join('L')}${closed ? 'Z' : ''}`).join('');
  const anchors = { left: 'start', center: 'middle', right: 'end' };
  const body = shapes.map((shape) => (shape.text !== undefined
    ? `<text x="${number(shape.at[0])}" y="${number(shape.at[1])}" text-anchor="${anchors[shape.anchor]}" fill="${shape.colour}">${escapeMarkup(shape.text)}</text>`
    : `<path d="${d(shape)}" fill="${shape.fill ?? 'none'}" stroke="${shape.stroke ?? 'none'}" stroke-width="${shape.width ?? 0}"${shape.dash ? ` stroke-dasharray="${shape.dash.join(' ')}"` : ''}/>`));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13"><rect width="100%" height="100%" fill="${paper}"/>${body.join('')}</svg>\n`;
}

function paintOn(canvas, shapes, width, height, pixels, paper) {
  canvas.width = Math.round(width * pixels);
  canvas.height = Math.round(height * pixels);
  const context = canvas.getContext('2d');
  context.scale(pixels, pixels);
  context.fillStyle = paper;
  context.fillRect(0, 0, width, height);
  context.font = '13px system-ui, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif';
  context.lineJoin = 'round';
  paint(context, shapes);
}

/** As high as the body needs at this width, within reason. */
function heightFor(film, view, width) {
  const [x0, x1, y0, y1] = boxOf(film, view);
  const needed = ((width - 160) * (y1 - y0)) / (x1 - x0) + 74;
  return Math.round(Math.min(560, Math.max(230, needed)));
}

function saveBody(film, view, format) {
  if (format === 'csv') return download('body.csv', csv(bodyRows(film, view)), 'text/csv');
  const [width, height] = [900, heightFor(film, view, 900)];
  const shapes = pictureOf(film, view, width, height, false);
  if (format === 'svg') return download('body.svg', svgOf(shapes, width, height, '#ffffff'), 'image/svg+xml');
  const canvas = make('canvas');
  paintOn(canvas, shapes, width, height, 2, '#ffffff');
  return canvas.toBlob((blob) => download('body.png', blob, 'image/png'));
}

function bodyRows(film, view) {
  const n = film.x.length;
  const names = Object.keys(film.fields);
  return [['t', 'x', 'y', ...names], ...Array.from(film.x, (x, i) =>
    [film.t[view.frame], x, film.y[i], ...names.map((name) => film.fields[name][view.frame * n + i])])];
}

function bodyNote(film) {
  const { movie } = film;
  const less = film.x.length < movie.nodes;
  return [
    less ? `Drawn coarser than computed: ${count(film.x.length)} of ${plural(movie.nodes, 'node')}.` : `The whole mesh: ${plural(movie.nodes, 'node')}, ${plural(movie.triangle_count, 'triangle')}.`,
    film.t.length < movie.frames ? `${count(film.t.length)} of ${plural(movie.frames, 'frame')}.` : `All ${plural(movie.frames, 'frame')}.`,
    'Stresses are averaged at the nodes. Dashed: the body undeformed. Values are rounded to 1/65535 of their range.',
  ].join(' ');
}

/** The node under the pointer, in words. */
function nodeAt(film, view, where, px, py) {
  const places = placesIn(film, view, view.frame);
  let best = { distance: 12, i: -1 };
  for (let i = 0; i < film.x.length; ++i) {
    const distance = Math.hypot(where.px(places[2 * i]) - px, where.py(places[2 * i + 1]) - py);
    if (distance < best.distance) best = { distance, i };
  }
  if (best.i < 0) return '';
  const [, name, quantity] = bodyFields.find(([key]) => key === view.field);
  return `node at (${figure(film.x[best.i], 4)}, ${figure(film.y[best.i], 4)}): ${name} ${figure(valuesIn(film, view, view.frame)[best.i], 4)}${afterNumber(quantity)}`;
}

function stateText(film, view) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of valuesIn(film, view, view.frame)) { low = Math.min(low, value); high = Math.max(high, value); }
  const [, name, quantity] = bodyFields.find(([key]) => key === view.field);
  const [a, b] = film.rigid.subarray(3 * view.frame);
  return `${name} from ${figure(low, 4)} to ${figure(high, 4)}${afterNumber(quantity)}; the body has moved by (${figure(a, 3)}, ${figure(b, 3)})${afterNumber('length')} in the mean`;
}

function showBody() {
  const filmed = runs.filter((run) => run.movie);
  if (!filmed.length) return;
  reveal('body');
  const films = new Map();
  const filmOf = (run) => films.get(run) ?? films.set(run, openMovie(run)).get(run);
  let film = filmOf(filmed[0]);
  const view = { field: 'displacement', frame: Math.round(0.3 * (film.t.length - 1)), warp: film.warp, follow: true, lines: film.x.length === film.movie.nodes, span: 'instant' };
  const canvas = make('canvas', { tabindex: '0', role: 'img', id: 'body-canvas' });
  const reading = make('p', { class: 'reading' });
  const pointer = make('p', { class: 'reading pointer' });
  const size = () => {
    const width = printing ? 640 : canvas.clientWidth;
    return [width, heightFor(film, view, width)];
  };
  const redraw = () => {
    const [width, height] = size();
    canvas.style.height = `${height}px`;
    paintOn(canvas, pictureOf(film, view, width, height, isDark()), width, height, printing ? 2 : Math.min(devicePixelRatio || 1, 2), inks().paper);
    reading.textContent = stateText(film, view);
    canvas.setAttribute('aria-label', `Deformed body at t = ${figure(film.t[view.frame])}${afterNumber('time')}, deformation times ${view.warp}. ${reading.textContent}`);
  };
  const controls = bodyControls(filmed, view, () => film, (run) => {
    film = filmOf(run);
    view.frame = Math.min(view.frame, film.t.length - 1);
    byId('body-note').textContent = bodyNote(film);
  }, redraw);
  canvas.addEventListener('keydown', controls.onkey);
  canvas.addEventListener('pointermove', (event) => {
    const box = canvas.getBoundingClientRect();
    pointer.textContent = nodeAt(film, view, frameOf(film, view, ...size()), event.clientX - box.left, event.clientY - box.top) || '\u00a0';
  });
  byId('body-note').textContent = bodyNote(film);
  byId('body-controls').append(...controls.elements);
  byId('body-plot').append(make('figure', {}, make('figcaption', {}, make('h3', {}, controls.title),
    make('div', { class: 'tools' }, downloads('body', 'deformed body', (format) => saveBody(film, view, format)))), canvas, reading, pointer));
  redraws.push(redraw);
  let width = 0;
  new ResizeObserver(([{ contentRect }]) => {  // also called once now, which is the first drawing
    if (contentRect.width === width) return;
    width = contentRect.width;
    controls.update();
  }).observe(byId('body-plot'));
}

function slider(label, id, max, value, oninput) {
  const input = make('input', { type: 'range', id, min: 0, max, step: 1, value, oninput: () => oninput(Number(input.value)) });
  const output = make('output', { for: id });
  return { input, output, label: make('label', { class: 'slide' }, make('span', {}, label), input, output) };
}

/** Play, time, warp, field, span, run: and what they do to the view. */
function bodyControls(filmed, view, film, change, redraw) {
  const title = make('span');
  const steps = warps.filter((warp) => warp <= 50 * film().warp);
  const time = slider('Time', 'time', film().t.length - 1, view.frame, (frame) => { view.frame = frame; update(); });
  const warp = slider('Warp', 'warp', steps.length - 1, steps.indexOf(view.warp), (k) => { view.warp = steps[k]; update(); });
  function update() {
    const now = `${figure(film().t[view.frame])}${afterNumber('time')}`;
    time.input.max = film().t.length - 1;
    time.input.value = view.frame;
    time.output.textContent = `t = ${now}`;
    time.input.setAttribute('aria-valuetext', now);
    warp.output.textContent = `× ${count(view.warp)}`;
    warp.input.setAttribute('aria-valuetext', `times ${view.warp}`);
    title.textContent = `t = ${now}, deformation × ${count(view.warp)}`;
    redraw();
  }
  const play = playButton('play', 80, view, film, update);
  const set = (name) => (value) => { view[name] = value; update(); };
  const [run] = selectOf('body-run', 'Run', filmed.map((r, i) => [i, r.label]), (i) => { change(filmed[i]); update(); });
  const [field] = selectOf('body-field', 'Field', bodyFields.map(([key, name]) => [key, name]), set('field'));
  const [span] = selectOf('body-span', 'Colours span', [['instant', 'this instant'], ['run', 'the whole run']], set('span'));
  const step = (by) => { view.frame = Math.max(0, Math.min(film().t.length - 1, view.frame + by)); update(); };
  const onkey = onFilmKey(step, play);
  return { title, update, onkey, elements: [play, time.label, warp.label, ...(filmed.length > 1 ? [run] : []), field, span,
    checkbox('Follow the body', view.follow, set('follow')), checkbox('Mesh lines', view.lines, set('lines'))] };
}

/** The keys of a film. */
const onFilmKey = (step, play) => (event) => {
  const act = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), ' ': () => play.click(), Home: () => step(-1e9), End: () => step(1e9) }[event.key];
  if (act) { event.preventDefault(); act(); }
};

function playButton(id, pace, view, film, update) {
  let timer = 0;
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = 'Play'; play.setAttribute('aria-pressed', 'false'); };
  const start = () => {
    play.textContent = 'Pause';
    play.setAttribute('aria-pressed', 'true');
    timer = setInterval(() => { view.frame = (view.frame + 1) % film().t.length; update(); }, pace);
  };
  const play = make('button', { type: 'button', id, class: 'play', 'aria-pressed': 'false', onclick: () => (timer ? stop() : start()) }, 'Play');
  return play;
}
