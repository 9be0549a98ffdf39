import { escapeHtml } from '@arboleda/contracts/escape-html.ts';

/** The parts of Vite's manifest that a page's head needs. */
export type Manifest = Record<
  string,
  { file: string; css?: string[]; imports?: string[]; dynamicImports?: string[]; isDynamicEntry?: boolean }
>;

interface Page {
  template: string;
  manifest: Manifest;
  fonts: readonly string[];
  /** Manifest sources of the chunks the page runs. */
  sources: readonly string[];
  /** Script that replaces the app's until the visitor interacts. */
  firstScript?: string | undefined;
  /** Returns a style file's content, for pages with inlined styles. */
  styles?: ((file: string) => string) | undefined;
  language: string;
  /** Set for a prerendered page: the app hydrates its markup only at this address. */
  path?: string;
  page?: { html: string; title: string; description: string };
}

const HTML_TAG = /<html\s+lang="en"/;

/** Fills the build's HTML template with language, head and prerendered markup. */
export function pageHtml(wanted: Page): string {
  const { manifest, fonts, sources, styles, firstScript, language, path, page } = wanted;
  const template = firstScript ? withFirstScript(wanted, firstScript) : wanted.template;
  const scripts = firstScript ? [] : scriptsOf(manifest, sources);
  const head = [
    // The first layout of inlined styles requests the fonts; preloading them would delay the text.
    ...(styles ? [] : fonts).map(
      (href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`,
    ),
    ...(styles ? [] : stylesOf(manifest, sources)).map(
      (file) => `<link rel="stylesheet" crossorigin href="/${file}">`,
    ),
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ...(page && path ? describe(page, path, language) : describePrivately(language)),
  ].filter((line) => !template.includes(line.match(/href="([^"]+)"/)?.[1] ?? '\0'));
  if (!HTML_TAG.test(template)) throw new Error('The template does not begin with <html lang="en".');
  const html = template
    .replace(HTML_TAG, `<html lang="${language}"${firstScript ? ' data-first="loading"' : ''}`)
    .replace(/<title>.*<\/title>/, `<title>${escapeHtml(page?.title ?? 'Arboleda')}</title>`)
    .replace('<!--head-->', () => head.join('\n    '))
    .replace('<div id="root"><!--page--></div>', () =>
      page ? `<div id="root" data-path="${path}">${page.html}</div>` : '<div id="root"></div>',
    );
  return styles ? withStyles(html, manifest, sources, styles) : html;
}

/** Inlines the page's styles, so that the first paint needs no second request. */
function withStyles(
  html: string,
  manifest: Manifest,
  sources: readonly string[],
  contentOf: (file: string) => string,
): string {
  const text = stylesOf(manifest, [...sources, APP])
    .map((file) => contentOf(file).trim())
    .join('\n');
  if (text.includes('</')) throw new Error('A style would end its own element.');
  return html
    .replace(/\s*<link rel="stylesheet"[^>]*>/g, '')
    .replace('</head>', () => `  <style>${text}</style>\n  </head>`);
}

const APP = 'index.html';

/**
 * Replaces the app's scripts by the first script, and lists the files to load later (the app first) and the styles
 * already present.
 */
function withFirstScript({ template, manifest, sources }: Page, firstScript: string): string {
  const list = (files: readonly string[]) => files.map((file) => `/${file}`).join(' ');
  const data = {
    app: list(scriptsOf(manifest, [APP, ...sources])),
    styles: list(stylesOf(manifest, [...sources, APP])),
  };
  const attributes = Object.entries(data).map(([name, files]) => ` data-${name}="${files}"`);
  const script = `<script type="module" crossorigin fetchpriority="low" src="/${firstScript}"${attributes.join('')}></script>`;
  return template
    .replace(/\s*<link rel="modulepreload"[^>]*>/g, '')
    .replace(/\s*<script type="module"[^>]*><\/script>/g, '')
    .replace('</head>', `  ${script}\n  </head>`);
}

/** Placeholder for the site's address, filled in by the gateway, so that one build serves every site. */
const SITE = '%SITE_URL%';

/** Address of a page in a fixed language, independent of the browser's. */
const addressIn = (path: string, language: string): string =>
  `${SITE}${path}${language === 'en' ? '' : `?lang=${language}`}`;

const property = (name: string, content: string): string =>
  `<meta property="og:${name}" content="${escapeHtml(content)}">`;

/** Shows the name and the landing page's headline. */
const pictureOf = (language: string, alt: string): string[] => [
  property('image', `${SITE}/og-${language}.jpg`),
  property('image:width', '1200'),
  property('image:height', '630'),
  property('image:alt', alt),
  '<meta name="twitter:card" content="summary_large_image">',
];

const MOTTO: Record<string, string> = {
  en: 'Native trees, planted in Colombia',
  es: 'Árboles nativos, sembrados en Colombia',
};

/** For private links, portals and pages that do not exist: a preview that names no person, no place and no order. */
const describePrivately = (language: string): string[] => [
  '<meta name="robots" content="noindex">',
  property('type', 'website'),
  property('site_name', 'Arboleda'),
  property('title', 'Arboleda'),
  property('description', MOTTO[language]!),
  ...pictureOf(language, `Arboleda. ${MOTTO[language]}`),
];

function describe(page: NonNullable<Page['page']>, path: string, language: string): string[] {
  const alternate = (of: string, href: string) => `<link rel="alternate" hreflang="${of}" href="${href}">`;
  return [
    `<meta name="description" content="${escapeHtml(page.description)}">`,
    `<link rel="canonical" href="${addressIn(path, language)}">`,
    alternate('en', addressIn(path, 'en')),
    alternate('es', addressIn(path, 'es')),
    alternate('x-default', `${SITE}${path}`),
    property('type', 'website'),
    property('site_name', 'Arboleda'),
    property('url', addressIn(path, language)),
    property('title', page.title),
    property('description', page.description),
    ...pictureOf(language, page.title),
    property('locale', language === 'es' ? 'es_CO' : 'en_US'),
    property('locale:alternate', language === 'es' ? 'en_US' : 'es_CO'),
  ];
}

/** All chunks these sources run, with their imports, once each. */
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
