// A plot with its caption, its buttons, its keys and its numbers.

const charts = [];

function axisStyle(inkSet) {
  return { gridcolor: inkSet.rule, linecolor: inkSet.muted, zerolinecolor: inkSet.rule, zeroline: true,
           tickcolor: inkSet.muted, ticks: 'outside', ticklen: 4, showline: true, tickformat: '.8~g',
           ticklabeloverflow: 'allow', title: { standoff: 10 } };
}

function layoutOf(chart, dark) {
  const inkSet = inks(dark);
  const own = chart.layout(dark);
  return {
    font: { family: 'system-ui, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif', size: 13, color: inkSet.ink },
    paper_bgcolor: inkSet.paper, plot_bgcolor: inkSet.paper, margin: { l: 84, r: 26, t: 12, b: 50 },
    showlegend: false, hoverlabel: { bgcolor: inkSet.paper, bordercolor: inkSet.muted, font: { color: inkSet.ink } },
    dragmode: matchMedia('(pointer: coarse)').matches ? false : 'zoom', height: chart.height ?? 300, autosize: true,
    uirevision: 'kept', ...own,
    xaxis: { ...axisStyle(inkSet), ...own.xaxis }, yaxis: { ...axisStyle(inkSet), ...own.yaxis },
  };
}

const plotSettings = { displayModeBar: false, responsive: true, doubleClick: false, showTips: false };

function draw(chart) {
  const traces = chart.traces(isDark());
  if (chart.legend) showLegend(chart, chart.legend(traces, isDark()));
  const isHidden = (trace) => (trace.meta ?? [trace.name]).some((name) => chart.hidden.has(name));
  const shown = traces.map((trace) => ({ ...trace, visible: !isHidden(trace) }));
  return Plotly.react(chart.plot, shown, layoutOf(chart, isDark()), plotSettings);
}

const strokes = { solid: '', dash: '7 4', dot: '2 3', dashdot: '7 3 2 3', longdash: '11 4' };
const glyphs = { circle: '●', square: '■', diamond: '◆', 'triangle-up': '▲', 'triangle-down': '▼', cross: '✚', x: '✖', star: '★', hexagon: '⬢', pentagon: '⬟' };

/** A piece of the curve, as the plot draws it. */
function swatch({ line, marker }) {
  const space = 'http://www.w3.org/2000/svg';
  const part = (tag, attributes, text = '') => {
    const element = document.createElementNS(space, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return element;
  };
  const svg = part('svg', { width: 30, height: 12, 'aria-hidden': 'true' });
  svg.append(part('line', { x1: 0, x2: 30, y1: 6, y2: 6, stroke: line.color, 'stroke-width': Math.min(line.width + 0.4, 4), 'stroke-dasharray': strokes[line.dash] }));
  if (marker?.symbol) svg.append(part('text', { x: 15, y: 10, 'font-size': 11, 'text-anchor': 'middle', fill: line.color }, glyphs[marker.symbol]));
  return svg;
}

/** A legend of every curve with its own name. */
const legendOfAll = (traces) => traces.filter((trace) => trace.showlegend !== false);

/** One button per entry that hides its curves; kept where it is, so that the focus stays, and coloured anew. */
function showLegend(chart, entries) {
  const buttons = chart.legendBox.children;
  chart.legendBox.hidden = entries.length < 2;
  while (buttons.length > entries.length) chart.legendBox.lastChild.remove();
  while (buttons.length < entries.length) chart.legendBox.append(make('button', { type: 'button' }));
  entries.forEach((entry, i) => {
    buttons[i].replaceChildren(swatch(entry), plainText(entry.name));
    buttons[i].setAttribute('aria-pressed', String(!chart.hidden.has(entry.name)));
    buttons[i].onclick = () => {
      if (!chart.hidden.delete(entry.name)) chart.hidden.add(entry.name);
      draw(chart);
    };
  });
}

/** The figure as a file: light, with its legend, whatever the page looks like. */
async function saveImage(chart, format) {
  const layout = { ...layoutOf(chart, false), showlegend: true, legend: { orientation: 'h', y: chart.height > 400 ? -0.12 : -0.22 },
    margin: { l: 72, r: 24, t: 48, b: 64 }, title: { text: escapeMarkup(chart.title()), font: { size: 15 } } };
  for (const axis of ['xaxis', 'yaxis'])
    layout[axis] = { ...layout[axis], range: [...chart.plot.layout[axis].range], autorange: false };
  const size = { width: 900, height: (chart.height ?? 300) + 200 };
  const picture = { data: chart.traces(false), layout: { ...layout, ...size, autosize: false } };
  const address = await Plotly.toImage(picture, { format, ...size, scale: format === 'png' ? 2 : 1 });
  if (format === 'svg') return download(`${chart.name}.svg`, decodeURIComponent(address.split(',').slice(1).join(',')), 'image/svg+xml');
  return download(`${chart.name}.png`, bytesOf(address.split(',')[1]), 'image/png');
}

/** Plotly reads a few tags in texts; ours are meant as they are. */
const escapeMarkup = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const plainText = (text) => text.replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** A range of one number has no length: a plot needs some. */
const opened = ([low, high]) => (low < high ? [low, high] : [low - 0.5, low + 0.5]);

function rangeOf(chart, axis) {
  return chart.plot.layout[axis].range.map(Number);
}

/** Scales a range about its middle and shifts it by a part of its length. */
function moved([low, high], scale, shift) {
  const middle = (low + high) / 2 + shift * (high - low);
  const half = (scale * (high - low)) / 2;
  return [middle - half, middle + half];
}

function zoom(chart, { scale = 1, x = 0, y = 0 }) {
  const change = {};
  if (chart.zooms.includes('x')) change['xaxis.range'] = moved(rangeOf(chart, 'xaxis'), scale, x);
  if (chart.zooms.includes('y')) change['yaxis.range'] = moved(rangeOf(chart, 'yaxis'), scale, y);
  return Plotly.relayout(chart.plot, change);
}

function showAll(chart) {
  const { x, y } = chart.full();
  return Plotly.relayout(chart.plot, { 'xaxis.range': x, ...(y ? { 'yaxis.range': y } : { 'yaxis.autorange': true }) });
}

const keys = {
  ArrowLeft: { x: -0.2 }, ArrowRight: { x: 0.2 }, ArrowDown: { y: -0.2 }, ArrowUp: { y: 0.2 },
  '+': { scale: 0.7 }, '=': { scale: 0.7 }, '-': { scale: 1 / 0.7 },
};

function onKey(chart, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const acts = event.key === '0' || event.key === 'Home' ? () => showAll(chart)
    : event.key in keys && (!keys[event.key].y || chart.zooms.includes('y')) ? () => zoom(chart, keys[event.key]) : null;
  if (!acts) return;
  event.preventDefault();
  acts();
}

function button(text, label, action) {
  return make('button', { type: 'button', class: 'small', 'aria-label': label, title: label, onclick: action }, text);
}

function downloads(name, title, save, formats = ['svg', 'png', 'csv']) {
  return make('span', { class: 'group', role: 'group', 'aria-label': `Download: ${title}` },
    ...formats.map((format) =>
      button(format.toUpperCase(), `Download ${name}.${format}`, () => save(format))));
}

function chartTools(chart) {
  const title = chart.title();
  return make('div', { class: 'tools' },
    make('span', { class: 'group', role: 'group', 'aria-label': `Zoom: ${title}` },
      button('−', `Zoom out: ${title}`, () => zoom(chart, { scale: 1 / 0.7 })),
      button('+', `Zoom in: ${title}`, () => zoom(chart, { scale: 0.7 })),
      button('All', `Show everything: ${title}`, () => showAll(chart))),
    downloads(chart.name, title, (format) =>
      format === 'csv' ? download(`${chart.name}.csv`, csv(chart.rows()), 'text/csv') : saveImage(chart, format)));
}

/**
 * chart: name, title(), caption, traces(dark), layout(dark), full() ranges, rows() for the CSV, zooms 'x' or 'xy',
 * and, if wanted, numbers() for the table below, legend(traces, dark) for buttons that hide curves, height.
 */
function addChart(parent, chart) {
  chart.plot = make('div', { class: 'plot', tabindex: '0', role: 'group', id: `plot-${chart.name}`,
    'aria-label': `Plot: ${chart.title()}. Arrows move, plus and minus zoom, 0 shows everything.`,
    onkeydown: (event) => onKey(chart, event) });
  chart.hidden = new Set();
  chart.numbersBox = make('div');
  chart.legendBox = make('div', { class: 'legend', role: 'group', 'aria-label': `Curves of ${chart.title()}` });
  chart.captionText = make('p', {}, chart.caption);
  const numbers = chart.numbers
    ? [make('details', {}, make('summary', {}, 'Numbers of this plot'), chart.numbersBox)] : [];
  parent.append(make('figure', {},
    make('figcaption', {}, make('h3', {}, chart.title()), chartTools(chart),
      chart.captionText), chart.legendBox, chart.plot, ...numbers));
  if (chart.numbers) chart.numbersBox.append(chart.numbers());
  charts.push(chart);
  redraws.push(() => draw(chart));
  draw(chart);
  chart.plot.on('plotly_doubleclick', () => showAll(chart));
}

/** Charts of one time axis look at the same stretch of it. */
function linkTimes(linked) {
  let busy = false;
  for (const chart of linked)
    chart.plot.on('plotly_relayout', async (event) => {
      if (busy || !Object.keys(event).some((key) => key.startsWith('xaxis'))) return;
      busy = true;
      const change = { 'xaxis.range': rangeOf(chart, 'xaxis') };
      await Promise.all(linked.filter((other) => other !== chart).map((other) => Plotly.relayout(other.plot, change)));
      busy = false;
    });
}

/** On paper the plots are as wide as the paper and light. */
function preparePrinting() {
  const paperSize = (chart) => (chart.plot.closest('.plots') ? { width: 318, height: 230 } : { width: 650, height: chart.height ?? 300 });
  const resize = (sizeOf) => charts.forEach((chart) => Plotly.relayout(chart.plot, sizeOf(chart)));
  addEventListener('beforeprint', () => { printing = true; applyTheme(); resize((chart) => ({ ...paperSize(chart), autosize: false })); });
  addEventListener('afterprint', () => { printing = false; applyTheme(); resize((chart) => ({ width: null, height: chart.height ?? 300, autosize: true })); });
}
