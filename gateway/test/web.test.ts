import { ORGANISATION as EXAMPLE, type OrganisationFacts } from '@arboleda/contracts/organisation.ts';
import type { Claim } from '@arboleda/contracts/claims.ts';
import { EVENTS } from '@arboleda/contracts/events/index.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { listWebFiles, type WebFile } from '../web/files.ts';
import { LARGE_FILE, LONG_SCRIPT, PAGE_STYLE, startTestGateway, type TestGateway } from './harness.ts';

describe('the web app', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway({ siteUrl: 'https://arboleda.example' });
  });

  afterAll(() => gateway.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(gateway.url + path, { headers: { 'Accept-Encoding': 'identity', ...headers } });

  const title = async (path: string, headers?: Record<string, string>) =>
    /lang="(\w\w)"><title>(.*)<\/title>/.exec(await (await get(path, headers)).text())?.slice(1);

  describe('pages', () => {
    test.each([
      ['/', 'index'],
      ['/plant-trees', 'plant-trees'],
      ['/admin-dashboard', 'app'],
      ['/admin-dashboard.html', 'app'],
      ['/customer-portal.html', 'app'],
      ['/worker-portal', 'app'],
      ['/orders/ab12CD34ef56GH78ij90KL', 'app'],
      ['/verify-email?token=1', 'app'],
      ['/Help/', 'app'],
    ])('at %s are answered with %s', async (path, page) => {
      expect(await title(path)).toEqual(['en', page]);
      expect((await get(path)).status).toBe(200);
    });

    test.each(['/no-such-page', '/orders', '/help/me', '/.env', '/wp-login.php', '/index.html'])(
      'that do not exist, such as %s, are 404 with the app, which says so',
      async (path) => {
        for (const language of ['en', 'es']) {
          const response = await get(path, { 'Accept-Language': language });
          expect(response.status).toBe(404);
          expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
          expect(response.headers.get('content-language')).toBe(language);
          const again = await get(path, {
            'Accept-Language': language,
            'If-None-Match': response.headers.get('etag')!,
          });
          expect(again.status).toBe(404);
          expect(await again.text()).toBe(await response.text());
        }
      },
    );

    test.each([
      ['the browser asks for Spanish', { 'Accept-Language': 'es-CO,es;q=0.9,en;q=0.8' }, 'es'],
      ['Spanish is preferred among ours', { 'Accept-Language': 'fr, es;q=0.5, en;q=0.2' }, 'es'],
      ['the visitor chose English', { 'Accept-Language': 'es', Cookie: 'a=b; arboleda.language=en' }, 'en'],
      ['the cookie is nonsense', { 'Accept-Language': 'es', Cookie: 'arboleda.language=../x' }, 'es'],
      ['nothing is said', {}, 'en'],
    ])('come in the right language when %s', async (_when, headers, language) => {
      expect(await title('/', headers as Record<string, string>)).toEqual([language, 'index']);
    });

    test('come in the language of the URL, whatever the browser prefers', async () => {
      const headers = { 'Accept-Language': 'en', Cookie: 'arboleda.language=en' };
      expect(await title('/?lang=es', headers)).toEqual(['es', 'index']);
      expect(await title('/plant-trees?lang=es', headers)).toEqual(['es', 'plant-trees']);
      expect(await title('/?lang=xx', headers)).toEqual(['en', 'index']);
    });

    test('are revalidated each time, in every variant', async () => {
      const first = await get('/');
      expect(first.headers.get('cache-control')).toBe('no-cache');
      expect(first.headers.get('vary')).toBe('Accept-Encoding, Accept-Language, Cookie');
      const etag = first.headers.get('etag')!;
      expect((await get('/', { 'If-None-Match': etag })).status).toBe(304);
      expect((await get('/', { 'If-None-Match': etag, 'Accept-Language': 'es' })).status).toBe(200);
    });

    test('refuse POST', async () => {
      const response = await fetch(`${gateway.url}/plant-trees`, { method: 'POST', body: 'x' });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
    });
  });

  describe('files', () => {
    test('with a hash in their name are cached for a year', async () => {
      const response = await get('/assets/app-1a2b.js');
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(await response.text()).toBe(LONG_SCRIPT);
    });

    test.each([
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', null],
    ])('come compressed for Accept-Encoding: %s', async (accepted, encoding) => {
      const response = await get('/assets/app-1a2b.js', { 'Accept-Encoding': accepted });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect(await response.text()).toBe(LONG_SCRIPT);
    });

    test('that do not compress further are sent unchanged', async () => {
      const response = await get('/assets/photo-3c4d.avif', { 'Accept-Encoding': 'br' });
      expect(response.headers.get('content-encoding')).toBeNull();
      expect(response.headers.get('vary')).toBeNull();
    });

    test('share the typeface with the frame of the card fields, and nothing else with other sites', async () => {
      const allowed = async (path: string) => (await get(path)).headers.get('access-control-allow-origin');
      expect(await allowed('/assets/sans-5e6f.woff2')).toBe('*');
      expect(await allowed('/assets/app-1a2b.js')).toBeNull();
      expect(await allowed('/')).toBeNull();
    });

    test('come whole, however large, and not again to a caller who has them', async () => {
      const path = '/assets/large-7a8b.webp';
      const response = await get(path);
      expect(response.headers.get('content-length')).toBe(String(LARGE_FILE.length));
      expect(Buffer.from(await response.arrayBuffer()).equals(LARGE_FILE)).toBe(true);
      for (const one of [path, '/assets/app-1a2b.js']) {
        const { headers } = await get(one);
        const again = await get(one, { 'If-None-Match': headers.get('etag')! });
        expect([again.status, again.headers.get('content-length'), await again.text()]).toEqual([
          304,
          null,
          '',
        ]);
        expect(again.headers.get('cache-control')).toBe(headers.get('cache-control'));
        expect(again.headers.get('x-content-type-options')).toBe('nosniff');
      }
    });

    test.each(['/assets/gone-9z.js', '/assets/', '/wp-login.js', '/assets/app-1a2b.js.br', '/robots.txt'])(
      '%s is 404, not a page',
      async (path) => {
        const response = await get(path);
        expect(response.status).toBe(404);
        expect(response.headers.get('content-type')).toContain('problem+json');
      },
    );

    test('like the service worker are revalidated each time', async () => {
      const response = await get('/sw.js');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    });

    test('answer HEAD with headers only', async () => {
      const response = await fetch(`${gateway.url}/favicon.svg`, { method: 'HEAD' });
      expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
      expect(await response.text()).toBe('');
    });
  });

  describe('security headers', () => {
    test.each(['/', '/api/stats', '/api/nothing', '/assets/gone.js', '/readyz', '/api/docs'])(
      'are on %s',
      async (path) => {
        const { headers } = await get(path);
        expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
        expect(headers.get('content-security-policy')).not.toContain('unsafe');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('referrer-policy')).toBe('no-referrer');
        expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
        expect(headers.get('strict-transport-security')).toMatch(/^max-age=63072000/);
        expect(headers.get('permissions-policy')).toContain('payment=(self "http://127.0.0.1:4242")');
      },
    );

    test('allow a page’s inline style by its hash, and no other', async () => {
      const styleSources = async (path: string, headers?: Record<string, string>) =>
        /style-src ([^;]*)/.exec((await get(path, headers)).headers.get('content-security-policy')!)![1];
      const hash = createHash('sha256').update(PAGE_STYLE).digest('base64');
      expect(await styleSources('/')).toBe(`'self' 'sha256-${hash}'`);
      expect(await styleSources('/plant-trees')).toBe("'self'");
      // On a 304, browsers replace their cached headers with these.
      const etag = (await get('/')).headers.get('etag')!;
      expect(await styleSources('/', { 'If-None-Match': etag })).toBe(`'self' 'sha256-${hash}'`);
    });

    test('cannot be weakened by a service', async () => {
      gateway.stub.answerWith((_request, response) => {
        response.setHeader('Content-Security-Policy', 'default-src *');
        response.setHeader('Access-Control-Allow-Origin', '*');
        response.setHeader('Server', 'inside/1.0');
        response.end('{}');
      });
      const { headers } = await get('/api/stats');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*; sandbox$/);
      expect(headers.has('access-control-allow-origin')).toBe(false);
      expect(headers.has('server')).toBe(false);
    });
  });

  test.each([
    '/',
    '/plant-trees',
    '/orders/x',
    '/api/stats',
    '/api/docs',
    '/api/openapi.json',
    '/api/nothing',
    '/sitemap.xml',
  ])('nothing at %s repeats a forged host, which a cache would keep for others', async (path) => {
    const claims = ['Host', 'X-Forwarded-Host', 'X-Original-Host', 'Origin', 'Referer']
      .map((name) => `${name}: evil.example`)
      .concat('Forwarded: host=evil.example', 'X-Forwarded-Prefix: /evil', 'X-Forwarded-Proto: evil');
    const head = [`GET ${path} HTTP/1.1`, ...claims, 'Connection: close', '', ''].join('\r\n');
    expect(await gateway.raw(head)).not.toContain('evil');
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    '/%5cevil.example',
    '/%2f%2fevil.example',
    '/https://evil.example',
    '/%09/evil.example',
    '/%0d%0aLocation:%20https://evil.example',
    '/evil.example/..;/',
    '/?next=//evil.example',
    '/customer-portal?returnTo=https://evil.example',
    '/plant-trees?return_url=javascript:alert(1)',
    '/api/docs//evil.example',
    '/api?next=//evil.example',
    '/assets//evil.example',
  ])('%s leads nobody elsewhere', async (path) => {
    const answer = await gateway.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).not.toMatch(/^(location|refresh):/im);
    expect(answer).not.toMatch(/(?:href|src|content|action)="[^"]*evil\.example/);
  });

  test('the version is told to everybody', async () => {
    const answer = await get('/api/version');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual({ version: VERSION });
  });

  describe('the description of the API', () => {
    test('exists for machines', async () => {
      const document = (await (await get('/api/openapi.json')).json()) as { paths: object };
      expect(document.paths).toHaveProperty(['/api/stats', 'get']);
    });

    test('has the events too, each with its schema', async () => {
      const document = (await (await get('/api/asyncapi.json')).json()) as { channels: object };
      const types = Object.keys(document.channels);
      expect(types).toContain('payment.succeeded');
      for (const type of types) {
        const response = await get(`/api/events/schemas/${type}/1`);
        expect(response.headers.get('content-type')).toBe('application/schema+json; charset=utf-8');
        expect(await response.json()).toMatchObject({ title: type, type: 'object' });
      }
      expect((await get('/api/events/schemas/order.felled/1')).status).toBe(404);
    });

    test('has a page of the events for people, without scripts or inline styles', async () => {
      const response = await get('/api/events');
      const page = await response.text();
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      for (const type of Object.keys(EVENTS)) expect(page).toContain(`<h2 id="${type}">${type}</h2>`);
      expect(page).not.toMatch(/<script|<style|style=/);
      expect((await get('/api/events/style.css')).status).toBe(200);
    });

    test('exists for people, without inline scripts', async () => {
      const page = await (await get('/api/docs')).text();
      const scripts = [...page.matchAll(/<script([^>]*)>([^<]*)/g)];
      expect(scripts.length).toBeGreaterThan(0);
      for (const [, attributes, content] of scripts) {
        expect(content).toBe('');
        const src = /src="([^"]+)"/.exec(attributes!)![1]!;
        expect((await get(src)).status).toBe(200);
      }
    });
  });
});

describe('cached files', () => {
  const PAGE = `<link rel="canonical" href="%SITE_URL%/">${'<p>arboleda</p>'.repeat(60)}`;

  let dir: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'arboleda-files-'));
    await mkdir(join(dir, 'assets'));
    await writeFile(join(dir, 'index.en.html'), PAGE);
    await writeFile(join(dir, 'index.en.html.br'), 'compressed before the address was known');
    await writeFile(join(dir, 'app.en.html'), '<div id="root"></div>');
    await writeFile(join(dir, 'app.en.html.br'), 'compressed ahead of time');
    await writeFile(join(dir, 'assets/app-1a2b.js'), '"%SITE_URL%"');
  });

  afterAll(() => rm(dir, { recursive: true }));

  const ORGANISATION: OrganisationFacts = EXAMPLE;

  const siteAt = (siteUrl: string, organisation = ORGANISATION) => ({ siteUrl, organisation, claimsOff: [] });

  const list = () => listWebFiles(dir, siteAt('https://arboleda.example/'));

  const contentOf = (file: WebFile, encoding: 'identity' | 'br' | 'gzip') => file.variants[encoding]!;

  test('a page contains the URL of its site, in every encoding', async () => {
    const page = (await list()).get('/index.en.html')!;
    const filled = PAGE.replace('%SITE_URL%', 'https://arboleda.example');
    expect(contentOf(page, 'identity').toString()).toBe(filled);
    expect(brotliDecompressSync(contentOf(page, 'br')).toString()).toBe(filled);
    expect(gunzipSync(contentOf(page, 'gzip')).toString()).toBe(filled);
  });

  test('a page names its seller and the year, without what is not known', async () => {
    await writeFile(
      join(dir, 'seller.en.html'),
      '<html data-organisation="%ORGANISATION%" data-year="%YEAR%"><p>%SELLER%</p>%CONTACT_EMAIL%',
    );
    const seller = async (changes: object) => {
      const site = siteAt('https://arboleda.example', { ...ORGANISATION, ...changes });
      const page = (await listWebFiles(dir, site)).get('/seller.en.html')!;
      return contentOf(page, 'identity').toString();
    };
    const named = await seller({
      legalName: 'Árboles & Hijos S.A.S.',
      taxId: 'NIT 901.442.118-3',
      address: '',
    });
    expect(named).toContain('<p>Árboles &amp; Hijos S.A.S. · NIT 901.442.118-3</p>hola@arboleda.example');
    expect(named).toContain(`data-year="${new Date().getFullYear()}"`);
    expect(
      JSON.parse(
        /data-organisation="([^"]*)"/.exec(named)![1]!.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
      ),
    ).toMatchObject({ legalName: 'Árboles & Hijos S.A.S.', address: '' });
    expect(await seller({ legalName: '', taxId: '', address: '' })).toContain('<p></p>');
  });

  test('a page has the form of each claim that its organisation wants', async () => {
    const { begin, end } = {
      begin: (of: string) => `<template data-claim="${of}"></template>`,
      end: (of: string) => `<template data-claim-end="${of}"></template>`,
    };
    const part = (of: string) => `${begin(of)}<p>${of}</p>${end(of)}`;
    await writeFile(
      join(dir, 'claims.en.html'),
      `<html data-claims-off="%CLAIMS_OFF%">${['offer', 'no-offer', 'hectares', 'no-hectares', 'co2', 'no-co2', 'co2'].map(part).join('\n')}`,
    );
    const shown = async (claimsOff: Claim[]) => {
      const page = (await listWebFiles(dir, { ...siteAt('https://arboleda.example'), claimsOff })).get(
        '/claims.en.html',
      )!;
      const html = contentOf(page, 'identity').toString();
      return [/claims-off="([^"]*)"/.exec(html)![1], ...html.matchAll(/<p>(.*?)<\/p>/g)].map((found) =>
        typeof found === 'string' ? found : found![1],
      );
    };
    expect(await shown([])).toEqual(['', 'offer', 'hectares', 'co2', 'co2']);
    expect(await shown(['offer', 'co2'])).toEqual(['offer co2', 'no-offer', 'hectares', 'no-co2']);
    expect(await shown(['hectares'])).toEqual(['hectares', 'offer', 'no-hectares', 'co2', 'co2']);
  });

  test('two sites of one build have their own pages', async () => {
    const etag = async (site: string) => (await listWebFiles(dir, siteAt(site))).get('/index.en.html')!.etag;
    expect(await etag('https://arboleda.example')).not.toBe(await etag('https://arboleda.test'));
  });

  test('a page without a URL is served as compressed by the build', async () => {
    const page = (await list()).get('/app.en.html')!;
    expect(contentOf(page, 'br').toString()).toBe('compressed ahead of time');
  });

  test('a listed page stays the same while a newer build replaces it on the disk', async () => {
    const files = await list();
    await writeFile(join(dir, 'app.en.html'), 'a newer and longer page than the one before');
    expect(contentOf(files.get('/app.en.html')!, 'identity').toString()).toBe('<div id="root"></div>');
  });

  test('a file named by its content is kept unchanged', async () => {
    expect(contentOf((await list()).get('/assets/app-1a2b.js')!, 'identity').toString()).toBe('"%SITE_URL%"');
  });
});
