/** The parts of Vite's manifest that a page's head needs. */
export type Manifest = Record<
  string,
  { file: string; css?: string[]; imports?: string[]; isDynamicEntry?: boolean }
>;

interface Page {
  template: string;
  manifest: Manifest;
  /** Addresses of the fonts that the first screen needs. */
  fonts: readonly string[];
  /** Sources of the chunks that the page runs, as in the manifest. */
  sources: readonly string[];
  /** Source of the script that stands in for the app's until somebody touches the page. */
  firstScript?: string | undefined;
  language: string;
  /** Set for a prerendered page: the app takes over its markup only at this address. */
  path?: string;
  /** Origin for links that must be absolute; relative ones when empty. */
  siteUrl: string;
  page?: { html: string; title: string; description: string };
}

const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** One document: the template of the build with its language, head and prerendered markup filled in. */
export function pageHtml(wanted: Page): string {
  const { manifest, fonts, sources, firstScript, language, path, siteUrl, page } = wanted;
  const template = firstScript ? withFirstScript(wanted.template, manifest, firstScript) : wanted.template;
  const head = [
    ...fonts.map((href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`),
    ...stylesOf(manifest, sources).map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...scriptsOf(manifest, firstScript ? [firstScript] : sources).map(
      (file) => `<link rel="modulepreload" crossorigin href="/${file}">`,
    ),
    ...(page && path ? describe(page, path, siteUrl, language) : ['<meta name="robots" content="noindex">']),
  ].filter((line) => !template.includes(line.match(/href="([^"]+)"/)?.[1] ?? '\0'));
  return template
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace(/<title>.*<\/title>/, `<title>${escapeHtml(page?.title ?? 'Arboleda')}</title>`)
    .replace('<!--head-->', head.join('\n    '))
    .replace('<div id="root"><!--page--></div>', () =>
      page ? `<div id="root" data-path="${path}">${page.html}</div>` : '<div id="root"></div>',
    );
}

/** The app's scripts give way to the first one, which fetches them when they are wanted. */
function withFirstScript(template: string, manifest: Manifest, firstScript: string): string {
  const script = `<script type="module" crossorigin src="/${manifest[firstScript]!.file}"></script>`;
  return template
    .replace(/\s*<link rel="modulepreload"[^>]*>/g, '')
    .replace(/\s*<script type="module"[^>]*><\/script>/g, '')
    .replace('</head>', `  ${script}\n  </head>`);
}

function describe(
  page: NonNullable<Page['page']>,
  path: string,
  siteUrl: string,
  language: string,
): string[] {
  const property = (name: string, content: string) =>
    `<meta property="og:${name}" content="${escapeHtml(content)}">`;
  return [
    `<meta name="description" content="${escapeHtml(page.description)}">`,
    ...(siteUrl ? [`<link rel="canonical" href="${escapeHtml(siteUrl + path)}">`] : []),
    property('type', 'website'),
    property('title', page.title),
    property('description', page.description),
    property('image', `${siteUrl}/og.jpg`),
    property('locale', language === 'es' ? 'es_CO' : 'en'),
    '<meta name="twitter:card" content="summary_large_image">',
  ];
}

/** Every chunk that these sources run, their own imports included, once each. */
function chunksOf(manifest: Manifest, sources: readonly string[], seen = new Set<string>()): Set<string> {
  for (const source of sources) {
    if (seen.has(source) || !manifest[source]) continue;
    seen.add(source);
    chunksOf(manifest, manifest[source].imports ?? [], seen);
  }
  return seen;
}

const scriptsOf = (manifest: Manifest, sources: readonly string[]): string[] =>
  [...chunksOf(manifest, sources)].map((source) => manifest[source]!.file);

const stylesOf = (manifest: Manifest, sources: readonly string[]): string[] => [
  ...new Set([...chunksOf(manifest, sources)].flatMap((source) => manifest[source]!.css ?? [])),
];
