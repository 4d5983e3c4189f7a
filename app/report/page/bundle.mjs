// Makes one page of the sources, the stylesheet and the libraries: plotly.js for charts, three.js for bodies.
//   node bundle.mjs SOURCES NODE_MODULES OUT
// The page's policy lets run exactly the scripts that are put in here, by their hashes.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [sources, modules, out] = process.argv.slice(2);
const charts = join(modules, 'plotly.js-cartesian-dist-min');
const bodies = join(modules, 'three');
const read = (...path) => readFileSync(join(...path), 'utf8');

const own = ['read.js', 'format.js', 'tables.js', 'theme.js', 'chart.js', 'verdicts.js', 'energy.js', 'forces.js',
             'interface.js', 'body.js', 'scene.js', 'main.js'];

/** What a module exports, as the value of an expression; `given` is what its imports are taken from. */
function exportsOf(module, given) {
  const names = (list, before, after) => list.split(',').map((name) => name.trim().split(/\s+as\s+/))
    .map((pair) => (pair.length > 1 ? `${pair[before]}:${pair[after]}` : pair[0])).join(',');
  const own = module
    .replace(/\bimport\s*\{([^}]*)\}\s*from\s*["'][^"']+["'];?/g, (whole, list) => `const {${names(list, 0, 1)}} = ${given};`)
    .replace(/\bexport\s*\{[^}]*\}\s*from\s*["'][^"']+["'];?/g, '')
    .replace(/\bexport\s*\{([^}]*)\};?\s*$/, (whole, list) => `return {${names(list, 1, 0)}};`);
  if (/\bexport\s*\{/.test(own)) throw new Error('a module does not end with what it exports');
  return `(() => {${own}})()`;
}

/** Its modules in one name. */
const three = `'use strict';\nconst Three = (() => {
const core = ${exportsOf(read(bodies, 'build/three.core.min.js'))};
const drawing = { ...core, ...${exportsOf(read(bodies, 'build/three.module.min.js'), 'core')} };
return { ...drawing, ...${exportsOf(read(bodies, 'examples/jsm/controls/OrbitControls.js'), 'drawing')} };
})();`;

const scripts = [
  `/*\n${read(charts, 'LICENSE')}*/\n${read(charts, 'plotly-cartesian.min.js')}`,
  `/*\n${read(bodies, 'LICENSE')}*/\n${three}`,
  `'use strict';\n(() => {\n${own.map((name) => read(sources, name)).join('\n')}\n})();\n`,
];
const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);

const parts = {
  'script hashes': hashes.join(' '),
  style: `<style>\n${read(sources, 'style.css')}</style>`,
  scripts: scripts.map((text, i) => `<script${i === 1 ? ' id="three"' : ''}>${text}</script>`).join('\n'),
};
for (const text of scripts)
  if (/<\/script|<!--/i.test(text)) throw new Error('a script holds text that would end its block');
writeFileSync(out, read(sources, 'index.html').replace(/\{\{([a-z ]+)\}\}/g, (whole, name) => parts[name]));
