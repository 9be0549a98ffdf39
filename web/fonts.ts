/**
 * Subsets the typefaces to the characters and weights of first screens; browsers load the whole typeface for others.
 * Run by hand when a typeface changes: `node fonts.ts`; results are committed.
 */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import subset from 'subset-font';
import { FIRST_HEADLINE, FIRST_TEXT } from './build/first-characters.ts';

const OUT = join(import.meta.dirname, 'src/design/fonts');
const IBARRA = '@fontsource-variable/ibarra-real-nova';
const SOURCE_SANS = '@fontsource-variable/source-sans-3';

const FONTS = [
  {
    from: `${IBARRA}/files/ibarra-real-nova-latin-wght-normal.woff2`,
    to: 'serif-first',
    wght: { min: 500, max: 600 },
    part: FIRST_HEADLINE,
  },
  {
    // Italics occur in texts and titles; one weight between the two serves both.
    from: `${IBARRA}/files/ibarra-real-nova-latin-wght-italic.woff2`,
    to: 'serif-italic-first',
    wght: 450,
    part: FIRST_HEADLINE,
  },
  {
    from: `${SOURCE_SANS}/files/source-sans-3-latin-wght-normal.woff2`,
    to: 'sans-first',
    wght: { min: 400, max: 600 },
    part: FIRST_TEXT,
  },
];

const { resolve } = createRequire(import.meta.url);
for (const { from, to, wght, part } of FONTS) {
  const whole = await readFile(resolve(from));
  const cut = await subset(whole, part.characters, {
    targetFormat: 'woff2',
    variationAxes: { wght },
    noHinting: true,
  });
  await writeFile(join(OUT, `${to}.woff2`), cut);
  console.log(`${to}.woff2  ${whole.length} → ${cut.length} bytes`);
}
for (const [name, from] of [
  ['ibarra-real-nova', IBARRA],
  ['source-sans-3', SOURCE_SANS],
] as const) {
  await copyFile(join(dirname(resolve(`${from}/package.json`)), 'LICENSE'), join(OUT, `${name}-licence.txt`));
}
