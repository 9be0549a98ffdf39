import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { openApiDocument } from '@arboleda/contracts/openapi.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Exchange, sendProblem } from '../exchange.ts';
import { type FileAnswers, fileAnswers, sendFile } from '../web/file-answers.ts';
import { tagOf } from '../web/files.ts';

interface Page {
  contentType: string;
  read: () => Promise<Buffer>;
}

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const JS = 'text/javascript; charset=utf-8';
const zip = promisify(gzip);

const file = (contentType: string, path: string): Page => ({ contentType, read: () => readFile(path) });

/** OpenAPI description and its browser. */
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

/** Serves the API documentation. Pages are read and compressed on first use. */
export function docsHandler(siteUrl: string) {
  const known = pages(siteUrl);
  const loaded = new Map<string, Promise<FileAnswers>>();
  const load = (path: string) => {
    const loading = loaded.get(path) ?? answersOf(known[path]!);
    loaded.set(path, loading);
    return loading;
  };
  return {
    owns: (path: string): boolean => Object.hasOwn(known, path),
    async handle(exchange: Exchange): Promise<void> {
      const { request, path } = exchange;
      exchange.routeKey = `GET ${path}`;
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return sendProblem(exchange, new Problem('method-not-allowed'), { Allow: 'GET, HEAD' });
      }
      sendFile(exchange, await load(path));
    },
  };
}

async function answersOf({ contentType, read }: Page): Promise<FileAnswers> {
  const content = await read();
  const variants = { identity: content, gzip: await zip(content) };
  return fileAnswers({ contentType, etag: tagOf(content), variants }, 'no-cache');
}
