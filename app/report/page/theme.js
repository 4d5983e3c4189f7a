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

/** Lines and letters of plots: the page's own tones, and the palette that figures and ParaView have too. */
function inks(dark = isDark()) {
  return dark
    ? { ...data.palette.dark, muted: '#98a2a9', rule: '#2b3238', paper: '#181c20', page: '#121518', grey: '#aab3b9' }
    : { ...data.palette.light, muted: '#5b656c', rule: '#e3e0d8', paper: '#ffffff', page: '#faf9f6', grey: '#6b7379' };
}

const sequential = data.palette.sequential;
const diverging = (dark = isDark()) => (dark ? data.palette.dark_diverging : data.palette.diverging);
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
