// The space-time diagram of a contact line, with waves and reference slopes.

const { statuses } = data.palette;

// Of waves: colour, dash. The names are those of the tracker's table.
const waveLooks = {
  'slip front': ['red', 'solid'], 'slip pulse': ['purple', 'dash'], 'separation pulse': ['green', 'dot'],
  'separation front': ['green', 'solid'],
  'Schallamach-type': ['ink', 'longdash'], 'surface pulse': ['muted', 'dashdot'],
};

/** Pieces of lines that are not connected lie beside each other: each is a diagram of its own. */
function diagramsOf(run) {
  return run.interface.lines.filter((line) => line.rows > 0).flatMap((line) => {
    const pieces = doubles(line.piece);
    const numbers = [...new Set(pieces)];
    return numbers.map((piece) => ({ run, line, name: numbers.length > 1 ? `${line.name}, piece ${piece + 1}` : line.name,
      matrices: {},
      columns: [...pieces.keys()].filter((i) => pieces[i] === piece) }));
  });
}

const lineArrays = new Map();
function arraysOf(line) {
  if (!lineArrays.has(line))
    lineArrays.set(line, { x: doubles(line.x), t: doubles(line.t), status: bytesOf(line.status),
      slip_velocity: levelsOf(line.slip_velocity), pressure: levelsOf(line.pressure) });
  return lineArrays.get(line);
}

function matrixOf(diagram, field) {
  const { line, columns, matrices } = diagram;
  const arrays = arraysOf(line);
  const width = arrays.x.length;
  matrices[field] ??= Array.from(arrays.t, (_, row) => columns.map((column) => arrays[field][row * width + column]));
  return matrices[field];
}

/** The size below which 99.5 % of the values are. */
function usualSize(matrix) {
  const sizes = Float32Array.from(matrix.flat(), Math.abs).filter(Number.isFinite).sort();
  return sizes[Math.floor(0.995 * (sizes.length - 1))] || sizes.at(-1) || 1;
}

function fieldTrace(view, dark) {
  const { x, t } = arraysOf(view.diagram.line);
  const matrix = matrixOf(view.diagram, view.field);
  const common = { type: 'heatmap', x: view.diagram.columns.map((i) => x[i]), y: t, z: matrix, showlegend: false, name: '',
    hovertemplate: `x = %{x:.4g}${afterNumber('length')}<br>t = %{y:.6g}${afterNumber('time')}<br>%{text}<extra></extra>` };
  if (view.field === 'status') return { ...common, ...statusLook(dark), hovertemplate: common.hovertemplate.replace('%{text}', '%{customdata}'),
    customdata: matrix.map((row) => row.map((value) => statuses[value].name)) };
  const size = usualSize(matrix);
  view.saturation = size;
  const isSigned = view.field === 'slip_velocity';
  const quantity = isSigned ? 'speed' : 'stress';
  return { ...common, hovertemplate: common.hovertemplate.replace('%{text}', `%{z:.4g}${afterNumber(quantity)}`),
    colorscale: colorscale(isSigned ? diverging(dark) : sequential), zmin: isSigned ? -size : 0, zmax: size,
    colorbar: { ...barLook(dark), title: { text: `${inWords(view.field)}${inUnit(quantity)}`, side: 'right' }, tickformat: '.5~g' } };
}

const barLook = (dark) => ({ thickness: 12, ticklabeloverflow: 'allow', outlinewidth: 0, len: 0.9, tickcolor: inks(dark).muted, ticks: 'outside' });

function statusLook(dark) {
  const n = statuses.length;
  return { zmin: -0.5, zmax: n - 0.5, colorscale: statuses.flatMap(({ colour }, i) => [[i / n, colour], [(i + 1) / n, colour]]),
    colorbar: { ...barLook(dark), tickvals: [...statuses.keys()], ticktext: statuses.map((status) => status.short_name), ticks: '',
                outlinewidth: 1, outlinecolor: inks(dark).muted } };
}

function waveTraces(view, dark) {
  if (!view.showWaves) return [];
  const waves = wavesOf(view.diagram);
  return [...new Set(waves.map((wave) => wave.class))].flatMap((name) => {
    const [x, y, text] = [[], [], []];
    for (const wave of waves.filter((other) => other.class === name)) {
      x.push(...doubles(wave.path_x), null);
      y.push(...doubles(wave.path_t), null);
      while (text.length < x.length) text.push(`${figure(wave.speed, 5)} ± ${figure(wave.speed_error, 2)}${afterNumber('speed')}`);
    }
    const [colour, dash] = waveLooks[name] ?? ['ink', 'solid'];
    const line = { type: 'scatter', mode: 'lines', x, y };
    return [{ ...line, name, showlegend: false, hoverinfo: 'skip', line: { color: inks(dark).paper, width: 4 }, opacity: 0.7 },
            { ...line, name, text, hovertemplate: `${name}: %{text}<extra></extra>`, line: { color: inks(dark)[colour], width: 1.8, dash } }];
  });
}

const wavesOf = ({ run, line }) => (run.waves ?? []).filter((wave) => wave.line === line.name);

// The slope of c_R is near that of c_s: its label stands on the other side.
const slopes = data.palette.speeds.map(({ name, dash }) =>
  [name, dash, name.replace(/_(.*)/, '<sub>$1</sub>'), name === 'c_R' ? -1 : 1]);

/** Lines x - x0 = +-c (t - t0) from the foot of what is shown, as far as it goes. */
function slopeLines(view) {
  if (!view.showSlopes) return [];
  const { x: [x0, x1], t: [t0, t1] } = view.range;
  const foot = { x: (x0 + x1) / 2, t: t0 + 0.04 * (t1 - t0) };
  return slopes.filter(([key]) => view.diagram.line[key] > 0).map(([key, dash, label, side]) => {
    const c = view.diagram.line[key];
    const time = Math.min((0.9 * (x1 - x0)) / 2 / c, 0.9 * (t1 - t0));
    return { name: `${key} = ${figure(c, 5)}${afterNumber('speed')}`, dash, label, end: [foot.x + side * c * time, foot.t + time],
      x: [foot.x - c * time, foot.x, foot.x + c * time], y: [foot.t + time, foot.t, foot.t + time] };
  });
}

function slopeTraces(view, dark) {
  const { ink, paper } = inks(dark);
  const line = ({ x, y, name }) => ({ type: 'scatter', mode: 'lines', x, y, name, hoverinfo: 'skip' });
  return slopeLines(view).flatMap((slope) => [
    { ...line(slope), showlegend: false, opacity: 0.8, line: { color: paper, width: 5 } },
    { ...line(slope), line: { color: ink, width: 2, dash: slope.dash } }]);
}

function slopeLabels(view, dark) {
  const { ink, paper } = inks(dark);
  return slopeLines(view).map(({ label, end: [x, y] }) => ({ x, y, text: label, showarrow: false, bgcolor: paper, opacity: 0.95,
    borderpad: 2, font: { size: 14, color: ink } }));
}

/** The stretch of three crossings at c_R in which the contacts change most: there the waves are. */
function liveliest(view) {
  const { x, t, status } = arraysOf(view.diagram.line);
  const length = Math.max(...x) - Math.min(...x);
  const rows = Math.max(2, Math.round((3 * length) / view.diagram.line.c_R / (t[1] - t[0])));
  if (!(rows < t.length)) return fullRange(view).y;
  const changes = Array.from(t, (_, row) => (row === 0 ? 0 : x.reduce((sum, _x, i) =>
    sum + (status[row * x.length + i] !== status[(row - 1) * x.length + i]), 0)));
  let sum = changes.slice(0, rows).reduce((a, b) => a + b, 0);
  let best = { sum, row: 0 };
  for (let row = 1; row + rows < t.length; ++row) {
    sum += changes[row + rows - 1] - changes[row - 1];
    if (sum > best.sum) best = { sum, row };
  }
  return [t[best.row], t[best.row + rows]];
}

function interfaceNote(view) {
  const { line, name } = view.diagram;
  const thinned = line.every_step > 1 || line.every_node > 1;
  return [
    `Contact line ${name}: ${plural(line.nodes, 'node')}, ${plural(line.rows, 'recorded step')}. Friction ${figure(line.friction)}.`,
    thinned ? `Drawn: ${line.every_step > 1 ? `every ${ordinal(line.every_step)} recorded step` : 'every recorded step'}${line.every_node > 1 ? ` and every ${ordinal(line.every_node)} node` : ''}; interface.h5 has all.` : '',
    touches(view.diagram) ? '' : 'Nothing ever touches along this line.',
    'Time runs upwards. First shown is the stretch in which the contacts change most; All shows the whole run.',
  ].filter(Boolean).join(' ');
}

function saturationNote(view) {
  if (view.field === 'status') return 'Of each node, in each step.';
  return `Colours end at ${figure(view.saturation, 3)}${afterNumber(view.field === 'pressure' ? 'stress' : 'speed')}: 99.5 % of the values are below.`;
}

function waveTable(view) {
  const waves = wavesOf(view.diagram);
  if (!waves.length) return make('p', { class: 'note' }, 'No wave was tracked along this line.');
  const { c_s, c_R, c_p } = view.diagram.line;
  const head = ['Class', `x from${inUnit('length')}`, 'to', `t from${inUnit('time')}`, 'to', `speed${inUnit('speed')}`, '±', '/ c_s', '/ c_R', '/ c_p',
    `length${inUnit('length')}`, `duration${inUnit('time')}`, `slip${inUnit('length')}`];
  const ratio = (speed, c) => (c > 0 ? figure(Math.abs(speed) / c, 4) : '–');
  const rows = waves.map((wave) => [wave.class, figure(wave.start_x, 4), figure(wave.end_x, 4), figure(wave.start_t, 5), figure(wave.end_t, 5),
    figure(wave.speed, 5), figure(wave.speed_error, 2), ratio(wave.speed, c_s), ratio(wave.speed, c_R), ratio(wave.speed, c_p),
    figure(wave.length, 4), figure(wave.duration, 4), figure(wave.slip, 4)]);
  return make('details', { open: waves.length <= 12 }, make('summary', {}, `${plural(waves.length, 'wave')} tracked along this line`),
    tableOf(`Waves along ${view.diagram.name}`, head, rows, { class: 'figures whole' }));
}

function interfaceRows(view) {
  const { x, t } = arraysOf(view.diagram.line);
  const matrix = matrixOf(view.diagram, view.field);
  return [[`${view.field}: t down, x across`, ...view.diagram.columns.map((i) => x[i])], ...matrix.map((row, i) => [t[i], ...row])];
}

function interfaceLayout(view) {
  return (dark) => ({ hovermode: 'closest', uirevision: `${view.diagram.run.folder} ${view.diagram.name}`, annotations: slopeLabels(view, dark),
    xaxis: { title: { text: `x along the line${inUnit('length')}` }, showgrid: false, zeroline: false, range: view.range.x },
    yaxis: { title: { text: `t${inUnit('time')}` }, showgrid: false, zeroline: false, range: view.range.t } });
}

/** The slopes stand at the foot of whatever is shown. */
function followZoom(view, chart) {
  chart.plot.on('plotly_relayout', () => {
    const range = { x: rangeOf(chart, 'xaxis'), t: rangeOf(chart, 'yaxis') };
    if (JSON.stringify(range) === JSON.stringify(view.range)) return;
    view.range = range;
    draw(chart);
  });
}

function fullRange(view) {
  const { x, t } = arraysOf(view.diagram.line);
  const places = view.diagram.columns.map((i) => x[i]);
  return { x: opened([Math.min(...places), Math.max(...places)]), y: opened([t[0], t.at(-1)]) };
}

function startRange(view) {
  view.range = { x: fullRange(view).x, t: liveliest(view) };
}

const touches = (diagram) => matrixOf(diagram, 'status').some((row) => row.some((status) => status !== 0));

/** Where nothing ever touches, the status says nothing and the motion of the surface is shown. */
const fieldFor = (diagram, field = 'status') => (field === 'status' && !touches(diagram) ? 'slip_velocity' : field);

function checkbox(label, checked, onchange) {
  const box = make('input', { type: 'checkbox', checked, onchange: () => onchange(box.checked) });
  return make('label', { class: 'check' }, box, make('span', {}, label));
}

function showInterface() {
  const diagrams = runs.filter((run) => run.interface).flatMap(diagramsOf);
  if (!diagrams.length) return;
  reveal('interface');
  const view = { diagram: diagrams[0], field: fieldFor(diagrams[0]), showWaves: true, showSlopes: true };
  startRange(view);
  const chart = { name: 'interface', title: () => 'Space and time', caption: saturationNote(view), zooms: 'xy', height: 620, legend: legendOfAll,
    traces: (dark) => [fieldTrace(view, dark), ...waveTraces(view, dark), ...slopeTraces(view, dark)],
    layout: interfaceLayout(view), full: () => fullRange(view), rows: () => interfaceRows(view) };
  const describe = () => {
    byId('interface-note').textContent = interfaceNote(view);
    byId('waves').replaceChildren(waveTable(view));
    chart.captionText.textContent = saturationNote(view);
  };
  const refresh = () => { draw(chart); describe(); };
  const [fieldLabel, fieldMenu] = selectOf('interface-field', 'Field', [['status', 'status'], ['slip_velocity', 'slip velocity'], ['pressure', 'pressure']],
    (value) => { view.field = value; refresh(); });
  const [lineLabel] = selectOf('interface-line', 'Contact line', diagrams.map(({ run, name }, i) => [i, named(name, run)]),
    (value) => {
      view.diagram = diagrams[value];
      fieldMenu.value = view.field = fieldFor(view.diagram, view.field);
      startRange(view);
      refresh();
    });
  fieldMenu.value = view.field;
  byId('interface-controls').append(...(diagrams.length > 1 ? [lineLabel] : []), fieldLabel,
    checkbox('Tracked waves', true, (on) => { view.showWaves = on; draw(chart); }),
    checkbox('Reference slopes', true, (on) => { view.showSlopes = on; draw(chart); }));
  addChart(byId('interface-plot'), chart);
  followZoom(view, chart);
  describe();
}
