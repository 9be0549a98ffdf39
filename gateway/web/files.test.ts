import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { listWebFiles, type WebFile } from './files.ts';

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

const list = () => listWebFiles(dir, 'https://arboleda.example/');
const contentOf = (file: WebFile, encoding: 'identity' | 'br' | 'gzip'): Buffer => {
  const variant = file.variants[encoding]!;
  if (!('content' in variant)) throw new Error('not held');
  expect(variant.sizeBytes).toBe(variant.content.length);
  return variant.content;
};

test('a page is told the address of its site, in every encoding', async () => {
  const page = (await list()).get('/index.en.html')!;
  const filled = PAGE.replace('%SITE_URL%', 'https://arboleda.example');
  expect(contentOf(page, 'identity').toString()).toBe(filled);
  expect(brotliDecompressSync(contentOf(page, 'br')).toString()).toBe(filled);
  expect(gunzipSync(contentOf(page, 'gzip')).toString()).toBe(filled);
});

test('two sites of one build have pages of their own', async () => {
  const etag = async (site: string) => (await listWebFiles(dir, site)).get('/index.en.html')!.etag;
  expect(await etag('https://arboleda.example')).not.toBe(await etag('https://arboleda.test'));
});

test('a page that names no address is served as it was compressed ahead of time', async () => {
  const page = (await list()).get('/app.en.html')!;
  expect(contentOf(page, 'br').toString()).toBe('compressed ahead of time');
});

test('a page that was listed stays that page while a newer build takes its place on the disk', async () => {
  const files = await list();
  await writeFile(join(dir, 'app.en.html'), 'a newer and longer page than the one before');
  expect(contentOf(files.get('/app.en.html')!, 'identity').toString()).toBe('<div id="root"></div>');
});

test('what is named by its content is held as it is', async () => {
  expect(contentOf((await list()).get('/assets/app-1a2b.js')!, 'identity').toString()).toBe('"%SITE_URL%"');
});

test('what is large stays on the disk', async () => {
  const file = join(dir, 'assets/film-3c4d.webp');
  await writeFile(file, Buffer.alloc(1_048_577));
  expect((await list()).get('/assets/film-3c4d.webp')!.variants.identity).toEqual({
    file,
    sizeBytes: 1_048_577,
  });
  await rm(file);
});
