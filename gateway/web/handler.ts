import { ConfigError } from '@arboleda/chassis/config.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { sendProblem } from '../answer.ts';
import { askedLanguage, chooseLanguage } from '../caller/language.ts';
import type { GatewayConfig } from '../config.ts';
import type { Exchange } from '../exchange.ts';
import { contentSecurityPolicy } from '../headers.ts';
import { chooseEncoding, listWebFiles, type WebFile } from './files.ts';
import { isFilePath, pageFile } from './pages.ts';

const YEAR_SECONDS = 31_536_000;
/** Icons and the like: their names stay when their content changes. */
const SHORT_SECONDS = 3_600;
/** An old one in somebody's cache would keep a phone on an old version, or keep alive what was switched off. */
const SERVICE_WORKER = '/sw.js';

/** Serves the built web app from a folder. @throws ConfigError when there is none in it. */
export async function webHandler(
  distDir: string,
  config: Pick<GatewayConfig, 'siteUrl' | 'stripe' | 'web'>,
): Promise<(exchange: Exchange) => Promise<void>> {
  const files = await listWebFiles(distDir, config.siteUrl).catch(() => undefined);
  if (!files?.has(pageFile('/', 'en'))) {
    throw new ConfigError([`WEB_DIST_DIR: there is no built web app in ${distDir}; run npm run build`]);
  }
  const policies = new Map(
    [...files.values()]
      .filter(({ inlineStyles }) => inlineStyles.length > 0)
      .map((file) => [file, contentSecurityPolicy(config, file.inlineStyles)]),
  );
  return async (exchange) => {
    const { request, response, path } = exchange;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return sendProblem(exchange, new Problem('method-not-allowed'), { Allow: 'GET, HEAD' });
    }
    const language =
      askedLanguage(request.url) ??
      chooseLanguage(request.headers.cookie, request.headers['accept-language']);
    const isFile = isFilePath(path);
    exchange.routeKey = isFile ? 'web file' : 'web page';
    const file = files.get(isFile ? path : pageFile(path, language));
    if (!file) return sendProblem(exchange, new Problem('not-found'));
    if (!isFile) response.setHeader('Content-Language', language);
    const policy = policies.get(file);
    if (policy) response.setHeader('Content-Security-Policy', policy);
    await sendFile(exchange, file, isFile);
  };
}

async function sendFile(
  { request, response, path }: Exchange,
  file: WebFile,
  isFile: boolean,
): Promise<void> {
  const encoding = chooseEncoding(file, request.headers['accept-encoding']);
  const variant = file.variants[encoding]!;
  const etag = `"${file.etag}-${encoding}"`;
  const compressible = Object.keys(file.variants).length > 1;
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', cacheControl(file, isFile && path !== SERVICE_WORKER));
  // Card fields stand in a frame of the provider's, which may show them in our typeface.
  if (file.contentType === 'font/woff2') response.setHeader('Access-Control-Allow-Origin', '*');
  const vary = isFile ? (compressible ? 'Accept-Encoding' : '') : 'Accept-Encoding, Accept-Language, Cookie';
  if (vary) response.setHeader('Vary', vary);
  if (request.headers['if-none-match']?.split(/,\s*/).includes(etag))
    return void response.writeHead(304).end();
  response.writeHead(200, {
    'Content-Type': file.contentType,
    'Content-Length': variant.sizeBytes,
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
  });
  if (request.method === 'HEAD') return void response.end();
  if ('content' in variant) return void response.end(variant.content);
  await pipeline(createReadStream(variant.file), response).catch(() => response.destroy());
}

function cacheControl(file: WebFile, mayBeKept: boolean): string {
  if (!mayBeKept) return 'no-cache';
  return file.immutable ? `public, max-age=${YEAR_SECONDS}, immutable` : `public, max-age=${SHORT_SECONDS}`;
}
