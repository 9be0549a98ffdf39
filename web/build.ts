/**
 * Builds what the gateway serves: the client, prerendered public pages and an empty app shell per language, and
 * compressed copies of all text files.
 */
import { readFileSync, rmSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { keepBudget } from './build/budget.ts';
import { compressAll } from './build/compress.ts';
import { buildFirstScript } from './build/first-script.ts';
import { pageHtml, type Manifest } from './build/page-html.ts';
import { putInPlace } from './build/put-in-place.ts';

const ROOT = import.meta.dirname;
const PLACE = join(ROOT, 'dist/client');
/** Separate from the folder being served. */
const WORK = join(ROOT, `dist/building-${process.pid}`);
const CLIENT = join(WORK, 'client');
const SERVER = join(WORK, 'server');
const LANGUAGES = ['en', 'es'] as const;

/** Address, file name, chunk and texts of each public page, and the script that runs until the visitor interacts. */
const PAGES = [
  {
    path: '/',
    file: 'index',
    chunk: 'src/shop/landing/LandingPage.tsx',
    texts: 'landing',
    firstScript: 'src/first-landing.ts',
  },
  {
    path: '/plant-trees',
    file: 'plant-trees',
    chunk: 'src/shop/checkout/PlantTreesPage.tsx',
    firstScript: 'src/first-plant-trees.ts',
    texts: 'checkout',
  },
];

type Prerender = (
  path: string,
  language: string,
) => Promise<{ html: string; title: string; description: string }>;

const started = performance.now();
await clearAway();
process.on('exit', (code) => code !== 0 && rmSync(WORK, { recursive: true, force: true }));
const configFile = join(ROOT, 'vite.config.ts');
await build({ configFile, logLevel: 'warn', build: { outDir: CLIENT } });
await build({
  configFile,
  logLevel: 'warn',
  build: { outDir: SERVER, ssr: 'src/entry-server.tsx', manifest: false, copyPublicDir: false },
});

const template = await readFile(join(CLIENT, 'index.html'), 'utf8');
const manifest = JSON.parse(await readFile(join(CLIENT, '.vite/manifest.json'), 'utf8')) as Manifest;
const assets = await readdir(join(CLIENT, 'assets'));
const fonts = ['serif-first', 'sans-first'].map(
  (name) => `/assets/${assets.find((file) => file.startsWith(name))}`,
);
const styles = (file: string) => readFileSync(join(CLIENT, file), 'utf8');
const { prerender } = (await import(pathToFileURL(join(SERVER, 'entry-server.js')).href)) as {
  prerender: Prerender;
};

const firstScripts = new Map<string, string>();
for (const { path, firstScript } of PAGES) {
  firstScripts.set(path, await buildFirstScript(join(ROOT, firstScript), CLIENT));
}

for (const language of LANGUAGES) {
  for (const { path, file, chunk, texts } of PAGES) {
    const page = await prerender(path, language);
    const sources = [chunk, ...['common', texts].map((name) => `src/i18n/locales/${language}/${name}.json`)];
    const html = pageHtml({
      template,
      manifest,
      fonts,
      sources,
      styles,
      firstScript: firstScripts.get(path),
      language,
      path,
      page,
    });
    await writeFile(join(CLIENT, `${file}.${language}.html`), html);
  }
  const sources = [`src/i18n/locales/${language}/common.json`];
  const shell = pageHtml({ template, manifest, fonts, sources, language });
  await writeFile(join(CLIENT, `app.${language}.html`), shell);
}
await rm(join(CLIENT, 'index.html'));
await keepBudget(CLIENT, manifest);
await rm(join(CLIENT, '.vite'), { recursive: true });
const { files, bytes, compressedBytes } = await compressAll(CLIENT);
await putInPlace(CLIENT, PLACE, Date.now());
await rm(WORK, { recursive: true, force: true });
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(`web: ${files} text files, ${kB(bytes)} kB, brotli ${kB(compressedBytes)} kB, in ${seconds} s`);

function kB(count: number): number {
  return Math.round(count / 1024);
}

async function clearAway(): Promise<void> {
  const left = await readdir(join(ROOT, 'dist')).catch(() => []);
  for (const name of left.filter((one) => one.startsWith('building-') || one === 'server')) {
    await rm(join(ROOT, 'dist', name), { recursive: true, force: true });
  }
}
