import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { openApiDocument } from '@arboleda/contracts/openapi.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { sendBytes, sendProblem } from '../answer.ts';
import type { Exchange } from '../exchange.ts';

interface Page {
  contentType: string;
  read: () => Promise<Buffer>;
}

interface Packed {
  plain: Buffer;
  zipped: Buffer;
  etag: string;
}

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const JS = 'text/javascript; charset=utf-8';
const zip = promisify(gzip);

const file = (contentType: string, path: string): Page => ({ contentType, read: () => readFile(path) });

/** The description of the API for machines, and the same for people. */
const pages = (siteUrl: string): Record<string, Page> => ({
  '/api/openapi.json': {
    contentType: 'application/json; charset=utf-8',
    read: async () => Buffer.from(JSON.stringify(openApiDocument(ENDPOINTS, { serverUrl: siteUrl }))),
  },
  '/api/docs': file('text/html; charset=utf-8', join(import.meta.dirname, 'index.html')),
  '/api/docs/init.js': file(JS, join(import.meta.dirname, 'init.js')),
  '/api/docs/swagger-ui-bundle.js': file(JS, join(SWAGGER_UI, 'swagger-ui-bundle.js')),
  '/api/docs/swagger-ui.css': file('text/css; charset=utf-8', join(SWAGGER_UI, 'swagger-ui.css')),
  '/api/docs/favicon-32x32.png': file('image/png', join(SWAGGER_UI, 'favicon-32x32.png')),
});

/** Whether a path is the documentation's, and its answer. Pages are read and packed when first asked for. */
export function docsHandler(siteUrl: string) {
  const known = pages(siteUrl);
  const packed = new Map<string, Promise<Packed>>();
  const load = (path: string) => {
    const loading = packed.get(path) ?? pack(known[path]!);
    packed.set(path, loading);
    return loading;
  };
  return {
    owns: (path: string): boolean => Object.hasOwn(known, path),
    async handle(exchange: Exchange): Promise<void> {
      const { request, response, path } = exchange;
      exchange.routeKey = `GET ${path}`;
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return sendProblem(exchange, new Problem('method-not-allowed'), { Allow: 'GET, HEAD' });
      }
      const { plain, zipped, etag } = await load(path);
      const headers = { ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };
      if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
      const readsGzip = /\bgzip\b/.test(request.headers['accept-encoding']?.toString() ?? '');
      sendBytes(exchange, 200, readsGzip ? zipped : plain, {
        ...headers,
        'Content-Type': known[path]!.contentType,
        ...(readsGzip && { 'Content-Encoding': 'gzip' }),
      });
    },
  };
}

async function pack(page: Page): Promise<Packed> {
  const plain = await page.read();
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { plain, zipped: await zip(plain), etag };
}
