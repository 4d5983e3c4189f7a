// Tables whose text can be copied.

async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make('textarea', { class: 'unseen' });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  const label = button.textContent;
  button.textContent = 'Copied';
  announce('Copied');
  setTimeout(() => { button.textContent = label; }, 1500);
}

const textOfTable = (table) =>
  [...table.rows].map((row) => [...row.cells].map((cell) => cell.innerText.trim()).join('\t')).join('\n');

/** head: texts; rows: texts or elements, the first of each being the row's head. */
function tableOf(caption, head, rows, options = {}) {
  const cells = (row) => row.map((cell, i) => (i === 0 ? make('th', { scope: 'row' }, cell) : make('td', {}, cell)));
  const table = make('table', { class: options.class ?? 'figures' },
    make('caption', { class: options.quiet ? 'unseen' : undefined }, caption),
    make('thead', {}, make('tr', {}, ...head.map((text) => make('th', { scope: 'col' }, text)))),
    make('tbody', {}, ...rows.map((row) => make('tr', {}, ...cells(row)))));
  const copy = make('button', { type: 'button', class: 'small', 'aria-label': `Copy the table: ${caption}`,
    onclick: () => copyText(textOfTable(table), copy) }, 'Copy');
  const scroll = make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, table);
  return make('div', { class: 'table' }, scroll, copy);
}
