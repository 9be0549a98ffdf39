/**
 * "npm run screens": a picture of every screen in both languages, three widths and both schemes, in .screens/.
 * `-- --url http://localhost:8080 --password …` looks at a running copy; `-- landing order` at some screens only;
 * `-- --docs` takes those of the README and puts them into docs/images.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../harness/browser.ts';
import { DOCS, writeDocs } from './docs.ts';
import { openFilledScreenData } from './filled.ts';
import { indexPage } from './index-page.ts';
import { SCREENS } from './list.ts';
import { takePictures } from './pictures.ts';
import { isThere } from './visit.ts';
import { readScreenData, type ScreenData } from './screen-data.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, '.screens');
const { values, positionals } = parseArgs({
  options: { url: { type: 'string' }, password: { type: 'string' }, docs: { type: 'boolean' } },
  allowPositionals: true,
});

const isWanted = (name: string) =>
  values.docs
    ? DOCS.some(({ screen }) => screen === name)
    : positionals.length === 0 || positionals.some((part) => name.includes(part));
const wanted = SCREENS.filter(({ name }) => isWanted(name));
if (wanted.length === 0) {
  const names = SCREENS.map(({ name }) => name).join(', ');
  console.error(`No screen is named like "${positionals.join('", "')}". There are: ${names}.`);
  process.exit(1);
}

if (values.url) {
  await takeAll(await readScreenData(values.url, values.password ?? process.env.DEMO_PASSWORD ?? ''));
} else {
  console.log('A product with something on every screen is being made …');
  const data = await openFilledScreenData();
  await takeAll(data).finally(() => data.close());
}

async function takeAll(data: ScreenData): Promise<void> {
  const browser = await launchBrowser();
  const taken: string[] = [];
  try {
    for (const screen of wanted) {
      if (!isThere(screen, data)) {
        console.log(`  ${screen.name}: this copy has nothing to show there`);
        continue;
      }
      try {
        await takePictures(browser, data, screen, FOLDER);
        taken.push(screen.name);
        console.log(`  ${screen.name}`);
      } catch (error) {
        process.exitCode = 1;
        console.error(`  ${(error as Error).message}`);
      }
    }
  } finally {
    await browser.close();
  }
  if (values.docs) await writeDocs(FOLDER, join(ROOT, 'docs', 'images'));
  await writeFile(join(FOLDER, 'index.html'), indexPage(taken));
  console.log(`${taken.length} screens: ${join(FOLDER, 'index.html')}`);
}
