// Light, dark, or as the system has it; and the colours of what is drawn.

const schemeOfSystem = matchMedia('(prefers-color-scheme: dark)');
const redraws = [];  // called after every change of colours
let themeChoice = 'auto';
let printing = false;

function storedChoice() {
  try {
    return localStorage.getItem('slipwave-theme') ?? 'auto';
  } catch {
    return 'auto';
  }
}

function isDark() {
  return !printing && (themeChoice === 'dark' || (themeChoice === 'auto' && schemeOfSystem.matches));
}

function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  byId('theme').textContent = { auto: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' }[themeChoice];
  for (const redraw of redraws) redraw();
}

function nextTheme() {
  const order = schemeOfSystem.matches ? ['auto', 'light', 'dark'] : ['auto', 'dark', 'light'];
  themeChoice = order[(order.indexOf(themeChoice) + 1) % 3];
  try {
    localStorage.setItem('slipwave-theme', themeChoice);
  } catch { /* the choice is then forgotten with the page */ }
  applyTheme();
}

function startTheme() {
  themeChoice = storedChoice();
  byId('theme').addEventListener('click', nextTheme);
  schemeOfSystem.addEventListener('change', applyTheme);
  applyTheme();
}

/** Lines and letters of plots: Okabe and Ito's colours, lightened where the page is dark. */
function inks(dark = isDark()) {
  return dark
    ? { ink: '#e2e5e7', muted: '#98a2a9', rule: '#2b3238', paper: '#181c20', page: '#121518',
        blue: '#56B4E9', orange: '#E69F00', green: '#2fc49a', red: '#f0803c', purple: '#dd9cc0',
        yellow: '#F0E442', sky: '#9fd3f2', grey: '#aab3b9' }
    : { ink: '#1c2226', muted: '#5b656c', rule: '#e3e0d8', paper: '#ffffff', page: '#faf9f6',
        blue: '#0072B2', orange: '#E69F00', green: '#009E73', red: '#D55E00', purple: '#CC79A7',
        yellow: '#b8a800', sky: '#56B4E9', grey: '#6b7379' };
}

// Maps that keep their order for colour-blind eyes and in grey: cividis, and blue to orange
// through the page's own tone.
const cividis = ['#00224e', '#002e6a', '#1a386f', '#32436d', '#434e6c', '#535a6d', '#61656f', '#6f7073', '#7d7c78',
                 '#8c8878', '#9b9476', '#aba072', '#bcae6c', '#cdbb63', '#dec958', '#f0d846', '#fee838'];
const blueOrange = ['#08306b', '#2166ac', '#4d94c9', '#a3cbe6', '#f5f2ec', '#f8cf9d', '#ec9440', '#c35f10', '#7a3405'];
const blueOrangeDark = ['#b9ddf7', '#63b0e6', '#2b77b0', '#1b3f5e', '#181c20', '#5c3511', '#b0651a', '#ee9f4c', '#ffdcb0'];

const diverging = (dark = isDark()) => (dark ? blueOrangeDark : blueOrange);
const colorscale = (stops) => stops.map((colour, i) => [i / (stops.length - 1), colour]);

function rgb(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/** 256 colours between the stops. */
function palette(stops) {
  const colours = [];
  for (let i = 0; i < 256; ++i) {
    const place = (i / 255) * (stops.length - 1);
    const k = Math.min(Math.floor(place), stops.length - 2);
    const [a, b] = [rgb(stops[k]), rgb(stops[k + 1])];
    colours.push(`rgb(${a.map((v, c) => Math.round(v + (place - k) * (b[c] - v))).join(',')})`);
  }
  return colours;
}
