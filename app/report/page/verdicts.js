// What was run and what may be said of it.

const signs = { good: ['✓', 'holds'], bad: ['✗', 'does not hold'], look: ['!', 'look here'], plain: ['·', ''] };

function sign(state) {
  const [mark, words] = signs[state];
  return make('span', { class: `sign ${state}` }, make('span', { 'aria-hidden': 'true' }, mark),
    make('span', { class: 'unseen' }, words ? `${words}: ` : ''));
}

/** Initial energy and the works in magnitude: what round-off is measured by. */
function exchanged(energy) {
  return Object.entries(energy).reduce(
    (sum, [name, value]) => sum + (name === 'initial' || name.endsWith('_work') ? Math.abs(value) : 0), 0);
}

// A work below this part of the energy exchanged is round-off or the tolerance of the contact solver.
const negligible = 1e-10;
const balanceLimit = 1e-8;

function endVerdict({ exit_reason: reason, steps, time }) {
  const reached = `${plural(steps, 'step')} to t = ${figure(time)}${afterNumber('time')}`;
  if (reason === 'completed') return ['good', `completed: ${reached}`];
  return [reason === 'interrupted' ? 'look' : 'bad', `${reason} after ${reached}`];
}

function convergenceVerdict({ counts, steps, worst }) {
  const failed = counts.failed_steps;
  const residual = worst.scaled_contact_residual ?? worst.contact_residual;
  if (failed === 0) return ['good', `${count(steps)} of ${plural(steps, 'step')} converged; worst residual ${figure(residual, 3)}`];
  return ['bad', `${plural(failed, 'step')} of ${count(steps)} missed the tolerance; worst residual ${figure(residual, 3)}`];
}

function balanceVerdict({ worst }) {
  const residual = worst.balance_residual_relative;
  if (residual === undefined) return ['bad', 'the energies are not finite'];
  return [residual <= balanceLimit ? 'good' : 'bad', `closes to ${figure(residual, 3)} of the energy exchanged, at every step`];
}

function workVerdict({ worst, energy }, name) {
  const work = worst[name];
  if (work === undefined) return ['bad', 'not finite'];
  const value = `${figure(work, 3)}${afterNumber('energy')}`;
  return work <= negligible * exchanged(energy)
    ? ['good', `none: at most ${value}, which is round-off`]
    : ['bad', `up to ${value} by one contact in one step`];
}

// Where it holds at a contact, that contact's own problem has one solution.
const criterion = 'μ |W_NT| < W_NN';

function uniquenessVerdict({ counts }) {
  const several = counts.several_solutions_steps;
  if (several) return ['look', `${plural(several, 'step')} in which a contact had several solutions`];
  const doubtful = counts.non_unique_steps;
  return doubtful ? ['look', `${criterion} does not hold at a contact in ${plural(doubtful, 'step')}`] : ['good', `${criterion} at every contact, in every step`];
}

// Linear elasticity supposes small rotations: worth a look from the first on, wrong from the second on, whatever
// limits.rotation allowed. A share of a disc's radius is the angle that its normal turns by.
const turnedMuch = 0.05;
const turnedTooFar = 0.2;

function rotationVerdict({ worst, sizes }) {
  if (!sizes.nodes) return ['plain', 'a rigid body turns exactly'];
  const { body_rotation: body, local_rotation: local, sliding_over_disc: sliding = 0 } = worst;
  if (body === undefined || local === undefined) return ['look', 'not known'];
  const largest = Math.max(body, local, sliding);
  const reached = [`a body turned by ${figure(body, 3)} rad, a triangle by ${figure(local, 3)} rad`,
    ...(sliding > 0 ? [`a node slid over its disc by ${figure(sliding, 3)} of the radius`] : [])].join('; ');
  if (largest >= turnedTooFar) return ['bad', `${reached}: too far for linear elasticity, the results are wrong`];
  return [largest >= turnedMuch ? 'look' : 'good', reached];
}

const questions = [
  ['The run', endVerdict],
  ['Contact problems', convergenceVerdict],
  ['Energy ledger', balanceVerdict],
  ['Positive tangential work', (summary) => workVerdict(summary, 'max_tangential_work')],
  ['Positive normal work', (summary) => workVerdict(summary, 'max_normal_work')],
  ['Uniqueness', uniquenessVerdict],
  ['Small rotations', rotationVerdict],
  ['Deepest penetration', ({ worst }) => ['plain', `${figure(worst.penetration, 3)}${afterNumber('length')}`]],
  ['Warnings', ({ warnings }) => (warnings.length ? ['look', warnings.join('; ')] : ['good', 'none'])],
];

const verdictOf = (run, judge) => (run.summary ? judge(run.summary) : ['look', 'not known: no summary.json']);

function verdictCell(run, judge) {
  const [state, text] = verdictOf(run, judge);
  const parts = text.split(/(\S*\de-\d+)/).map((part, i) => (i % 2 ? make('span', { class: 'number' }, part) : part));
  return make('span', { class: `verdict ${state}` }, sign(state), make('span', {}, ...parts));
}

function headlineOf() {
  const failing = runs.flatMap((run) => questions.filter(([, judge]) => verdictOf(run, judge)[0] === 'bad')
    .map(([name]) => (runs.length > 1 ? `${name.toLowerCase()} (${run.label})` : name.toLowerCase())));
  const unknown = runs.some((run) => !run.summary);
  const state = failing.length ? 'bad' : unknown ? 'look' : 'good';
  const text = failing.length ? `Look at: ${failing.join(', ')}.`
    : unknown ? 'A run has not finished: its verdicts are not known yet.'
    : 'Every step converged, the energy balance closes, and no contact created energy.';
  byId('headline').replaceChildren(sign(state), text);
}

const parametersOf = ({ scheme_parameters: parameters = {} }) =>
  Object.entries(parameters).map(([name, value]) => `${name === 'theta' ? 'θ' : name} = ${figure(value)}`).join(', ');

const facts = [
  ['Scheme', (s) => [schemeName(s.scheme), parametersOf(s)].filter(Boolean).join(', ')],
  ['Mesh', (s) => (s.sizes.nodes ? `${plural(s.sizes.nodes, 'node')}, ${plural(s.sizes.triangles, 'triangle')}` : s.sizes.bodies ? plural(s.sizes.bodies, 'rigid body', 'rigid bodies') : 'a system without a mesh')],
  ['Degrees of freedom', (s) => count(s.sizes.dofs)],
  ['Contacts', (s) => count(s.sizes.contacts)],
  ['Time step', (s) => `${figure(s.step)}${afterNumber('time')}`],
  ['Steps, time reached', (s) => `${count(s.steps)}, ${figure(s.time)}${afterNumber('time')}`],
  ['Contact iterations', (s) => `${count(s.counts.iterations)}, at most ${count(s.counts.max_iterations_in_a_step)} in a step`],
  ['Energy at the end', (s) => `${figure((s.energy.kinetic ?? NaN) + (s.energy.strain ?? NaN))}${afterNumber('energy')}`],
  ['Work of the loads', (s) => `${figure(s.energy.external_work)}${afterNumber('energy')}`],
  ['Work of the contacts', (s) => `normal ${figure(s.energy.contact_normal_work)}, tangential ${figure(s.energy.contact_tangential_work)}${afterNumber('energy')}`],
  ['Version', (s) => `slipwave ${s.versions.slipwave}`],
];

const factOf = (run, tell) => (run.summary ? tell(run.summary) : '–');

function showMissing() {
  const entries = runs.flatMap((run) => run.missing.map(({ what, how }) =>
    make('li', {}, `${runs.length > 1 ? `${run.label}: ` : ''}no ${what}. To get it, ${how}.`)));
  if (entries.length) byId('missing').append(make('div', { class: 'aside' }, make('p', {}, 'Not in this report:'), make('ul', {}, ...entries)));
}

function showVerdicts() {
  const names = runs.map((run) => run.label);
  byId('title').textContent = names.join(' and ');
  document.title = `${names.join(', ')} – Slipwave report`;
  byId('subtitle').textContent = runs.length === 1 && runs[0].summary
    ? [facts[0], facts[1]].map(([, tell]) => tell(runs[0].summary)).join(' · ')
    : [...new Set(runs.map((run) => schemeName(run.summary?.scheme)))].join(' against ');
  headlineOf();
  const head = ['', ...(runs.length > 1 ? names : [''])];
  byId('verdicts').classList.toggle('beside', runs.length === 1);
  byId('verdict-table').append(tableOf('Verdicts', head,
    questions.map(([name, judge]) => [name, ...runs.map((run) => verdictCell(run, judge))]), { class: 'verdicts', quiet: true }));
  showMissing();
  byId('run-table').append(tableOf('What was run', head,
    [['Folder', ...runs.map((run) => run.folder)], ...facts.map(([name, tell]) => [name, ...runs.map((run) => factOf(run, tell))])], { quiet: true }));
}

function showDetails() {
  const head = ['', ...(runs.length > 1 ? runs.map((run) => run.label) : [''])];
  const known = ['mesh', 'assembly', 'initial_state', 'factorisation', 'time_loop'];
  const phases = [...new Set([...known, ...runs.flatMap((run) => Object.keys(run.summary?.seconds ?? {}))])]
    .filter((phase) => runs.some((run) => phase in (run.summary?.seconds ?? {})));
  const total = (run) => Object.values(run.summary?.seconds ?? {}).reduce((sum, s) => sum + s, 0);
  const seconds = (run, phase) => figure(run.summary?.seconds[phase], 4);
  byId('timing-table').append(tableOf('Seconds, by the clock', head, [
    ...phases.map((phase) => [capital(inWords(phase)), ...runs.map((run) => seconds(run, phase))]),
    ['All', ...runs.map((run) => figure(total(run), 4))],
    ['Steps per second', ...runs.map((run) => figure(run.summary?.steps / run.summary?.seconds.time_loop, 4))],
    ['Threads', ...runs.map((run) => count(run.summary?.threads))]]));
  const libraries = [...new Set(runs.flatMap((run) => Object.keys(run.summary?.versions ?? {})))];
  if (libraries.length) byId('version-table').append(tableOf('Versions', head,
    libraries.map((name) => [name, ...runs.map((run) => run.summary?.versions[name] ?? '–')])));
  for (const run of runs) if (run.case_file) byId('case-files').append(caseFile(run));
  byId('made-by').textContent = `Written by slipwave ${data.slipwave}. This file needs no network and sends nothing. Figures are drawn with plotly.js ${Plotly.version} (MIT)${typeof Three === 'undefined' ? '' : `, bodies with three.js r${Three.REVISION} (MIT)`}.`;
}

function caseFile(run) {
  const copy = make('button', { type: 'button', class: 'small', 'aria-label': `Copy the case file of ${run.label}`,
    onclick: () => copyText(run.case_file, copy) }, 'Copy');
  return make('details', {}, make('summary', {}, `Case file of ${run.label}, with every default`),
    make('div', { class: 'table' }, make('pre', { tabindex: '0' }, run.case_file), copy));
}
