// Numbers and names as people read them.

/** Six digits unless told; an exponent where it is shorter. */
function figure(value, digits = 6) {
  if (value === undefined || value === null || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e6) return value.toExponential(Math.min(digits, 3) - 1).replace(/\.?0*e\+?/, 'e');
  return String(Number(value.toPrecision(digits)));
}

/** 10 000 with a narrow space that does not break. */
const count = (value) =>
  Number.isFinite(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f') : '–';

const schemeNames = {
  'moreau-jean': 'Moreau–Jean',
  'moreau-jean-fremond': 'Moreau–Jean–Frémond',
};
const schemeName = (scheme) => schemeNames[scheme] ?? scheme ?? 'unknown scheme';

const inWords = (name) => name.replaceAll('_', ' ');
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

/** 2nd, 3rd, 4th, 21st. */
function ordinal(number) {
  const ends = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
  return count(number) + ends[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)];
}

/** An element with attributes and children; texts are texts, never markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const byId = (id) => document.getElementById(id);

function announce(text) {
  byId('announce').textContent = text;
}

function download(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  make('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  announce(`${name} was handed to the browser`);
}

const quoted = (cell) => (/[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell);
const csv = (rows) => rows.map((row) => row.map(quoted).join(',')).join('\n') + '\n';
