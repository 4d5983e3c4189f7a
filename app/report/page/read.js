// The data block of the page, and the arrays in it.

const data = JSON.parse(document.getElementById('data').textContent);

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

const doubles = (text) => new Float64Array(bytesOf(text).buffer);
const indices = (text) => new Uint32Array(bytesOf(text).buffer);

/** Numbers that were rounded to 65535 levels; the level after the last stands for no number. */
function levelsOf(field) {
  const levels = new Uint16Array(bytesOf(field.levels).buffer);
  const scale = (field.high - field.low) / 65534;
  const values = new Float32Array(levels.length);
  for (let i = 0; i < levels.length; ++i) values[i] = levels[i] === 65535 ? NaN : field.low + scale * levels[i];
  return values;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const lastOf = (folder) => folder.replace(/\/+$/, '').split('/').pop() || folder;

/** Runs with their summary read and a label that no other run has. */
function readRuns() {
  const runs = data.runs.map((run) => ({ ...run, summary: parsed(run.summary) }));
  const label = (run) => run.summary?.case ?? lastOf(run.folder);
  for (const run of runs) {
    const alone = (name) => runs.filter((other) => name(other) === name(run)).length === 1;
    run.label = alone(label) ? label(run) : alone((r) => lastOf(r.folder)) ? lastOf(run.folder) : run.folder;
  }
  return runs;
}

const runs = readRuns();

/** The label of a unit, of the first run: runs that are compared share their units. */
function unit(quantity) {
  const units = runs[0]?.summary?.units ?? {};
  const { length, time } = units;
  if (quantity === 'speed') return length && time ? `${length}/${time}` : '';
  return units[quantity] ?? '';
}
const inUnit = (quantity) => (unit(quantity) ? ` (${unit(quantity)})` : '');
const afterNumber = (quantity) => (unit(quantity) ? ` ${unit(quantity)}` : '');
