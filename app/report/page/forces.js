// The curves of forces.csv: contact lines, their apparent friction, prescribed groups.

const forceRuns = runs.filter((run) => run.forces);
const forceColours = [['blue', 'red', 'ink'], ['green', 'orange', 'muted'], ['purple', 'sky', 'grey']];  // of a line's or group's forces
// Of rigid bodies lines are pairs of groups, and groups have three components.
const ofSolids = runs.some((run) => run.scene);

const symbols = { F_N: 'F_N', F_T: 'F_T', F_x: 'F_x', F_y: 'F_y', F_z: 'F_z', apparent_friction: '|F_T| / F_N' };
const ofForce = (owner, column, run) => named(`${owner.name} ${symbols[column]}`, run);

/** The forces of all lines, or of all groups: colours tell quantities, dashes tell runs. */
const forceTraces = (owners, columns) => (dark) => forceRuns.flatMap((run, k) => run.forces[owners].flatMap((owner, i) =>
  columns.filter((column) => owner[column]).map((column, c) => curveTrace(owner, column, ofForce(owner, column, run),
    { colour: forceColours[i % 3][c], dash: dashes[k % 5], width: 1.2 }, dark))));

/** A dashed line over the time that the mean is of. */
function meanTrace(run, line, name, colour) {
  const { mean } = line.apparent_friction;
  const end = curveOf(line, 'apparent_friction').t.at(-1);
  return { type: 'scatter', mode: 'lines', x: [run.forces.judged_from, end], y: [mean, mean], name: escapeMarkup(`mean of ${name}`),
    line: { color: colour, width: 1.6, dash: 'dash' }, hovertemplate: '%{y:.5g}' };
}

const frictionTraces = (dark) => forceRuns.flatMap((run, k) => run.forces.lines.flatMap((line, i) => {
  const name = named(line.name, run);
  const colour = forceRuns.length > 1 ? runColours[k % 6] : forceColours[i % 3][0];
  const curve = curveTrace(line, 'apparent_friction', name, { colour, dash: dashes[i % 5], width: 1.2 }, dark);
  const alone = forceRuns.length === 1 && run.forces.lines.length === 1;
  return line.apparent_friction.mean === undefined ? [curve] : [curve, meanTrace(run, line, name, inks(dark)[alone ? 'ink' : colour])];
}));

const inPeriods = ({ period }) => (period === undefined ? 'none' : `${figure(period, 3)}${afterNumber('time')}`);

function forceRow(run, owner, column) {
  const { mean, smallest, largest } = owner[column];
  return [ofForce(owner, column, run), figure(mean, 4), figure(smallest, 4), figure(largest, 4), inPeriods(owner[column])];
}

function forceTable() {
  const rows = forceRuns.flatMap((run) => [
    ...run.forces.lines.flatMap((line) => ['F_N', 'F_T', 'apparent_friction'].map((column) => forceRow(run, line, column))),
    ...run.forces.groups.flatMap((group) => ['F_x', 'F_y', 'F_z'].filter((column) => group[column]).map((column) => forceRow(run, group, column)))]);
  const unit = inUnit('force');
  return tableOf(`Second half of the run: forces${unit} and apparent friction`, ['', 'mean', 'smallest', 'largest', 'dominant period'], rows);
}

/** "Apparent friction of bottom: 0.645 on average, from 0.365 to 0.873, coming again every 0.0103 ms." */
function frictionInWords(run, line) {
  const { mean, smallest, largest, period } = line.apparent_friction;
  if (mean === undefined) return `${named(line.name, run)} is not in contact in the second half of the run.`;
  return `Apparent friction of ${named(line.name, run)} in the second half of the run: ${figure(mean, 3)} on average, from ${figure(smallest, 3)} to ${figure(largest, 3)}, ${
    period === undefined ? 'without a period that prevails' : `coming again every ${figure(period, 3)}${afterNumber('time')}`}.`;
}

function forcesNote() {
  const rows = Math.max(...forceRuns.map((run) => run.forces.rows));
  const first = forceRuns[0].forces;
  const drawn = curveOf(first.lines[0] ?? first.groups[0], first.lines.length ? 'F_N' : 'F_x').t.length;
  return [
    `${ofSolids ? 'Forces between groups of bodies' : 'Forces on the body for its whole thickness'}, each the mean over the time since the row before in forces.csv.`,
    drawn < rows ? `Of ${count(rows)} rows each curve shows about ${count(drawn)}, the extremes of every stretch among them.` : '',
    ...forceRuns.flatMap((run) => run.forces.lines.map((line) => frictionInWords(run, line))),
  ].filter(Boolean).join(' ');
}

function showForces() {
  if (!forceRuns.length) return;
  reveal('forces');
  byId('forces-note').textContent = forcesNote();
  const parent = byId('forces-plots');
  const title = `force${inUnit('force')}`;
  const has = (owners) => forceRuns.some((run) => run.forces[owners].length);
  linkTimes([
    ...(has('lines') ? [
      curveChart(parent, 'forces-contact', ofSolids ? 'Pairs of groups' : 'Contact lines', ofSolids ? 'Sums over all contacts of a pair: F_N of the normal forces, F_T of the sizes of the tangential ones.' : 'F_N presses the body away from the obstacle; F_T acts along the tangent.',
        forceTraces('lines', ['F_N', 'F_T']), title),
      curveChart(parent, 'forces-friction', 'Apparent friction', `|F_T| / F_N of each ${ofSolids ? 'pair' : 'contact line'}; a gap where ${ofSolids ? 'nothing touches' : 'it touches nothing'}.`, frictionTraces, '|F_T| / F_N')] : []),
    ...(has('groups') ? [curveChart(parent, 'forces-prescribed', ofSolids ? 'Fixed and driven groups' : 'Prescribed motions', ofSolids ? 'What they do to the others.' : 'What moves or holds the body there.',
      forceTraces('groups', ['F_x', 'F_y', 'F_z']), title)] : []),
  ]);
  byId('forces-table').append(forceTable());
}
