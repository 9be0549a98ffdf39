import { describe, expect, test } from '@jest/globals';
import { pageHtml } from './page-html.ts';

const TEMPLATE = `<!doctype html><html lang="en"><head><title>x</title><!--head--></head>
<body><div id="root"><!--page--></div></body></html>`;

const write = (language: string, page?: { html: string; title: string; description: string }) =>
  pageHtml({
    template: TEMPLATE,
    manifest: {},
    fonts: [],
    sources: [],
    language,
    ...(page && { path: '/', page }),
  });
test('the template’s language is replaced however its tag is broken into lines, and is never missed', () => {
  const page = (template: string) =>
    pageHtml({ template, manifest: {}, fonts: [], sources: [], language: 'es' });
  expect(page(TEMPLATE.replace('<html lang="en">', '<html\n  lang="en"\n  data-year="%YEAR%"\n>'))).toContain(
    '<html lang="es"\n  data-year',
  );
  expect(() => page(TEMPLATE.replace(' lang="en"', ''))).toThrow(/lang="en"/);
});

const metasOf = (html: string) => [...html.matchAll(/<meta [^>]+>/g)].map(([meta]) => meta);

describe.each([
  ['en', 'Native trees, planted in Colombia'],
  ['es', 'Árboles nativos, sembrados en Colombia'],
])('the preview of a link in %s', (language, motto) => {
  test('to a public page has its words and the picture in the language', () => {
    const html = write(language, { html: '', title: 'A title', description: 'What it says' });
    expect(html).toContain(`<meta property="og:image" content="%SITE_URL%/og-${language}.jpg">`);
    expect(html).toContain('<meta property="og:title" content="A title">');
    expect(html).not.toContain('noindex');
  });

  test('to a private page names nothing private and stays out of search indexes', () => {
    const html = write(language);
    expect(html).toContain('<title>Arboleda</title>');
    expect(html).not.toMatch(/og:url|canonical|hreflang/);
    expect(metasOf(html)).toEqual([
      '<meta name="robots" content="noindex">',
      '<meta property="og:type" content="website">',
      '<meta property="og:site_name" content="Arboleda">',
      '<meta property="og:title" content="Arboleda">',
      `<meta property="og:description" content="${motto}">`,
      `<meta property="og:image" content="%SITE_URL%/og-${language}.jpg">`,
      '<meta property="og:image:width" content="1200">',
      '<meta property="og:image:height" content="630">',
      `<meta property="og:image:alt" content="Arboleda. ${motto}">`,
      '<meta name="twitter:card" content="summary_large_image">',
    ]);
  });
});
