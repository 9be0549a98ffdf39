import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { ManifestTransform } from 'workbox-build';
import { VitePWA } from 'vite-plugin-pwa';
import { SHELL } from '../src/worker/pwa/names.ts';

type Chunks = Record<
  string,
  { file: string; css?: string[]; assets?: string[]; imports?: string[]; dynamicImports?: string[] }
>;

const TEXTS = ['common', 'portal', 'worker'].flatMap((name) =>
  ['en', 'es'].map((language) => `src/i18n/locales/${language}/${name}.json`),
);
/** Both typefaces of the portal: upright, Latin. */
const FONTS = /\/(serif-first|sans-first|(ibarra-real-nova|source-sans-3)-latin-wght-normal)-[^/]*\.woff2$/;
const PICTURES = /\/sp-[^/]*\.svg$/;
/** Icons of the home screen and the tab. */
const ICONS = ['favicon.svg', 'icon-192.png', 'worker.webmanifest'];

/** All files the sources run, including lazy ones listed in `later`. */
function filesOf(chunks: Chunks, sources: readonly string[], later: ReadonlySet<string>): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (source: string) => {
    const chunk = chunks[source];
    if (!chunk || seen.has(source)) return;
    seen.add(source);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const file of chunk.assets ?? [])
      if (FONTS.test(`/${file}`) || PICTURES.test(`/${file}`)) files.add(file);
    chunk.imports?.forEach(visit);
    if (later.has(source)) chunk.dynamicImports?.forEach(visit);
  };
  for (const source of sources) {
    if (!chunks[source]) throw new Error(`The service worker is to keep ${source}, which was not built.`);
    visit(source);
  }
  return files;
}

const PORTAL = 'src/worker/WorkerPortal.tsx';

/** Keeps what the worker portal needs offline, and the page that runs it. */
function portalOnly(outDir: () => string): ManifestTransform {
  return (entries) => {
    const template = readFileSync(join(outDir(), 'index.html'));
    const chunks = JSON.parse(readFileSync(join(outDir(), '.vite/manifest.json'), 'utf8')) as Chunks;
    const wanted = filesOf(chunks, ['index.html', PORTAL, ...TEXTS], new Set([PORTAL]));
    const kept = entries.filter(({ url }) => wanted.has(url) || FONTS.test(`/${url}`) || ICONS.includes(url));
    // Hashed files never change; the page's revision covers everything it runs.
    const all = createHash('sha256')
      .update(template)
      .update(
        kept
          .map(({ url }) => url)
          .sort()
          .join(),
      );
    const manifest = [
      ...kept.map((entry) => ({
        ...entry,
        url: `/${entry.url}`,
        revision: entry.url.startsWith('assets/') ? null : (entry.revision ?? null),
      })),
      { url: SHELL, revision: all.digest('hex').slice(0, 16), size: template.length },
    ];
    return { manifest, warnings: [] };
  };
}

/** Service worker of the worker portal; SERVICE_WORKER=off builds one that unregisters itself from every phone. */
export function serviceWorker() {
  const isOff = process.env.SERVICE_WORKER === 'off';
  let outDir = '';
  const [first, ...others] = VitePWA({
    strategies: 'injectManifest',
    srcDir: isOff ? 'src/service-worker/off' : 'src/service-worker',
    filename: 'sw.ts',
    // Only the portal registers it.
    injectRegister: false,
    manifest: false,
    injectManifest: {
      globPatterns: ['**/*.{js,css,woff2,svg,png,webmanifest}'],
      manifestTransforms: [portalOnly(() => outDir)],
      ...(isOff && { injectionPoint: undefined }),
    },
  });
  const place = {
    name: 'service-worker-place',
    apply: 'build' as const,
    configResolved(config: { root: string; build: { outDir: string } }) {
      outDir = resolve(config.root, config.build.outDir);
    },
  };
  return [place, first, ...others];
}
