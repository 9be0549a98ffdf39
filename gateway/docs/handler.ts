import { asyncApiDocument } from '@arboleda/contracts/asyncapi.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { type CatalogueEntry, eventCatalogue, schemaPath } from '@arboleda/contracts/events/catalogue.ts';
import { openApiDocument } from '@arboleda/contracts/openapi.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { GatewayConfig } from '../config.ts';
import { type Exchange, sendProblem } from '../exchange.ts';
import { type FileAnswers, fileAnswers, sendFile } from '../web/file-answers.ts';
import { tagOf } from '../web/files.ts';
import { eventsPage } from './events-page.ts';

type DocsConfig = Pick<GatewayConfig, 'siteUrl' | 'organisation'>;

interface Page {
  contentType: string;
  read: () => Promise<Buffer>;
}

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const JS = 'text/javascript; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const KAFKA_HOST = 'kafka:9092';
const zip = promisify(gzip);

const file = (contentType: string, path: string): Page => ({ contentType, read: () => readFile(path) });
const made = (contentType: string, make: () => string): Page => ({
  contentType,
  read: async () => Buffer.from(make()),
});

/** The version, and descriptions of the API and of the events, for programs and for people. */
const pages = ({ siteUrl, organisation: { contactEmail } }: DocsConfig): Record<string, Page> => ({
  '/api/openapi.json': made(JSON_TYPE, () =>
    JSON.stringify(openApiDocument(ENDPOINTS, { serverUrl: siteUrl })),
  ),
  '/api/version': made(JSON_TYPE, () => JSON.stringify({ version: VERSION })),
  '/api/docs': file(HTML, join(import.meta.dirname, 'index.html')),
  '/api/docs/init.js': file(JS, join(import.meta.dirname, 'init.js')),
  '/api/docs/swagger-ui-bundle.js': file(JS, join(SWAGGER_UI, 'swagger-ui-bundle.js')),
  '/api/docs/swagger-ui.css': file(CSS, join(SWAGGER_UI, 'swagger-ui.css')),
  '/api/docs/favicon-32x32.png': file('image/png', join(SWAGGER_UI, 'favicon-32x32.png')),
  '/api/asyncapi.json': made(JSON_TYPE, () =>
    JSON.stringify(asyncApiDocument({ serverUrl: siteUrl, kafkaHost: KAFKA_HOST, contactEmail })),
  ),
  '/api/events': made(HTML, eventsPage),
  '/api/events/style.css': file(CSS, join(import.meta.dirname, 'events.css')),
  ...Object.fromEntries(eventCatalogue().map(schemaPage)),
});

const schemaPage = ({ type, version, schema }: CatalogueEntry): [string, Page] => [
  schemaPath(type, version),
  made('application/schema+json; charset=utf-8', () => JSON.stringify(schema)),
];

/** Serves the API documentation. Pages are read and compressed on first use. */
export function docsHandler(config: DocsConfig) {
  const known = pages(config);
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
