// Makes one page of the sources, the stylesheet and the charting library.
//   node bundle.mjs SOURCES NODE_MODULES OUT
// The page's policy lets run exactly the scripts that are put in here, by their hashes.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [sources, modules, out] = process.argv.slice(2);
const library = join(modules, 'plotly.js-cartesian-dist-min');
const read = (...path) => readFileSync(join(...path), 'utf8');

const own = ['read.js', 'format.js', 'tables.js', 'theme.js', 'chart.js', 'verdicts.js', 'energy.js', 'forces.js',
             'interface.js', 'body.js', 'main.js'];
const scripts = [
  `/*\n${read(library, 'LICENSE')}*/\n${read(library, 'plotly-cartesian.min.js')}`,
  `'use strict';\n(() => {\n${own.map((name) => read(sources, name)).join('\n')}\n})();\n`,
];
const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);

const parts = {
  'script hashes': hashes.join(' '),
  style: `<style>\n${read(sources, 'style.css')}</style>`,
  scripts: scripts.map((text) => `<script>${text}</script>`).join('\n'),
};
for (const text of scripts)
  if (/<\/script|<!--/i.test(text)) throw new Error('a script holds text that would end its block');
writeFileSync(out, read(sources, 'index.html').replace(/\{\{([a-z ]+)\}\}/g, (whole, name) => parts[name]));
