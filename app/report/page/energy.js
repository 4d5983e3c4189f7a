// The curves of energy.csv and trajectory.csv, all runs in one plot.

const dashes = ['solid', 'dash', 'dot', 'dashdot', 'longdash'];
const runColours = ['blue', 'red', 'green', 'purple', 'orange', 'grey'];

const markers = ['circle', 'square', 'diamond', 'triangle-up', 'triangle-down', 'cross', 'x', 'star', 'hexagon', 'pentagon'];
const components = data.palette.energies.map((look, i) => ({ ...look, symbol: markers[i % markers.length] }));

const decoded = new Map();
function curveOf(curves, column) {
  const curve = curves[column];
  if (!decoded.has(curve)) decoded.set(curve, { t: doubles(curve.t), y: doubles(curve.y) });
  return decoded.get(curve);
}

const isZero = (column) => runs.every((run) => curveOf(run.ledger.curves, column).y.every((value) => value === 0));

/** A curve of one run. */
function curveTrace(curves, column, name, look, dark) {
  const { t, y } = curveOf(curves, column);
  const colour = inks(dark)[look.colour];
  return { type: 'scatter', mode: look.symbol ? 'lines+markers' : 'lines', x: t, y, name: escapeMarkup(name),
           line: { color: colour, width: look.width ?? 1.6, dash: look.dash ?? 'solid' },
           marker: { symbol: look.symbol, size: 7, maxdisplayed: 9, color: colour },
           hovertemplate: '%{y:.5g}' };
}

const named = (name, run) => (runs.length > 1 ? `${name}, ${run.label}` : name);

/** Colours and markers tell quantities; dashes tell quantities of one run, as in figures, or else the runs. */
const componentTraces = (dark) => runs.flatMap((run, k) => components
  .filter(({ column }) => !isZero(column))
  .map(({ column, name, colour, symbol, dash }) => ({ meta: [name, escapeMarkup(run.label)],
    ...curveTrace(run.ledger.curves, column, named(name, run), { colour, symbol, dash: runs.length > 1 ? dashes[k % 5] : dash }, dark) })));

/** Of several runs an entry for each quantity and for each run, not for each pair. */
function componentLegend(traces, dark) {
  if (runs.length === 1) return traces.map((trace) => ({ ...trace, name: trace.meta[0] }));
  const quantities = traces.filter((trace) => trace.meta[1] === traces[0].meta[1]);
  const entries = quantities.map((trace) => ({ ...trace, name: trace.meta[0], line: { ...trace.line, dash: 'solid' } }));
  return [...entries, ...runs.map((run, k) => ({ name: escapeMarkup(run.label), line: { color: inks(dark).ink, width: 1.6, dash: dashes[k % 5] } }))];
}

const balanceTraces = (dark) => {
  const [supplied, total] = data.palette.balance;
  return runs.flatMap((run, k) => [
    curveTrace(run.ledger.curves, supplied.column, named(supplied.name, run),
      { ...supplied, colour: runs.length > 1 ? runColours[k % 6] : supplied.colour }, dark),
    curveTrace(run.ledger.curves, total.column, named(total.name, run),
      { ...total, dash: runs.length > 1 ? dashes[1 + (k % 4)] : total.dash }, dark)]);
};

const workTraces = (look) => (dark) => runs.map((run, k) =>
  curveTrace(run.ledger.curves, look.column, named(look.name, run),
    { colour: runs.length > 1 ? runColours[k % 6] : look.colour, width: 1.2 }, dark));  // dashes would look like gaps between spikes

/** From the start to the end of the longest run. */
function wholeTime() {
  const times = runs.map((run) => curveOf(run.ledger.curves, 'total_energy').t);
  return opened([Math.min(...times.map((t) => t[0])), Math.max(...times.map((t) => t.at(-1)))]);
}

function curveLayout(yTitle) {
  return () => ({ hovermode: 'x unified', yaxis: { title: { text: yTitle } },
    xaxis: { title: { text: `t${inUnit('time')}` }, range: wholeTime() } });
}

function rowsOfTraces(traces) {
  const rows = [['curve', 't', 'value']];
  for (const { name, x, y } of traces) x.forEach((t, i) => rows.push([plainText(name), t, y[i]]));
  return rows;
}

/** First, last and extremes of each curve, with the times of the extremes. */
function numbersOf(title, traces) {
  const at = (trace, i) => `${figure(trace.y[i])} at ${figure(trace.x[i], 5)}`;
  const place = (y, better) => y.reduce((best, value, i) => (better(value, y[best]) ? i : best), 0);
  return tableOf(`${title}: curves in numbers`, ['', 'first', 'smallest, at t', 'largest, at t', 'last'],
    traces.map((trace) => [plainText(trace.name), figure(trace.y[0]), at(trace, place(trace.y, (a, b) => a < b)),
      at(trace, place(trace.y, (a, b) => a > b)), figure(trace.y.at(-1))]));
}

function curveChart(parent, name, title, caption, traces, yTitle, legend = legendOfAll) {
  const chart = { name, title: () => title, caption, traces, layout: curveLayout(yTitle), zooms: 'x', legend, full: () => ({ x: wholeTime() }),
    rows: () => rowsOfTraces(traces(false)), numbers: () => numbersOf(title, traces(false)) };
  addChart(parent, chart);
  return chart;
}

function energyNote() {
  const rows = Math.max(...runs.map((run) => run.ledger.rows));
  const drawn = Math.max(...runs.map((run) => curveOf(run.ledger.curves, 'total_energy').t.length));
  const zero = components.filter(({ column }) => isZero(column)).map(({ name }) => name);
  return [
    'Drag over a plot to zoom, double-click to see everything; the four plots share their time axis.',
    drawn < rows ? `Of ${count(rows)} rows each curve shows about ${count(drawn)}: the smallest and the largest value of every stretch, so no spike is lost.` : '',
    zero.length ? `Zero throughout, not drawn: ${zero.join(', ')}.` : '',
  ].filter(Boolean).join(' ');
}

function showEnergy() {
  const parent = byId('energy-plots');
  byId('energy-note').textContent = energyNote();
  const energyTitle = `energy${inUnit('energy')}`;
  const workTitle = `work${inUnit('energy')}`;
  linkTimes([
    curveChart(parent, 'energy-components', '(a) Energies and works', 'Works are summed since t = 0.', componentTraces, energyTitle, componentLegend),
    curveChart(parent, 'energy-balance', '(b) Supplied and found energy',
      'Initial energy plus all works, dissipation included, against kinetic plus strain energy. The curves must lie on each other.', balanceTraces, energyTitle),
    curveChart(parent, 'work-positive', '(c) Positive tangential work',
      'The largest of all contacts in each step. Above round-off, friction created energy.', workTraces(data.palette.tangential_works[0]), workTitle),
    curveChart(parent, 'work-negative', '(d) Negative tangential work',
      'The most negative of all contacts in each step: what friction took.', workTraces(data.palette.tangential_works[1]), workTitle),
  ]);
}

function selectOf(id, label, options, onchange) {
  const select = make('select', { id, onchange: () => onchange(select.value) },
    ...options.map(([value, text]) => make('option', { value }, text)));
  return [make('label', {}, make('span', {}, label), select), select];
}

function showTrajectory() {
  const moving = runs.filter((run) => run.trajectory);
  if (!moving.length) return;
  reveal('trajectory');
  const columns = Object.keys(moving[0].trajectory.curves).filter((column) => moving.every((run) => run.trajectory.curves[column]));
  let column = columns.find((name) => /^(angle|y|displacement_t)$/.test(name)) ?? columns[0];
  const traces = (dark) => moving.map((run, k) => curveTrace(run.trajectory.curves, column, named(inWords(column), run),
    { colour: runColours[k % 6], dash: dashes[k % 5] }, dark));
  const chart = { name: 'trajectory', title: () => 'Over time', caption: 'One column of trajectory.csv, thinned out as the energies are.',
    traces, layout: () => curveLayout(inWords(column))(), zooms: 'x', legend: legendOfAll, full: () => ({ x: wholeTime() }), rows: () => rowsOfTraces(traces(false)),
    numbers: () => numbersOf(inWords(column), traces(false)) };
  const [label, select] = selectOf('trajectory-column', 'Column', columns.map((name) => [name, inWords(name)]), (value) => {
    column = value;
    chart.numbersBox.replaceChildren(chart.numbers());
    draw(chart);
  });
  select.value = column;
  byId('trajectory-controls').append(label);
  addChart(byId('trajectory-plot'), chart);
}
