import { ConfigError } from '@arboleda/chassis/config.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { endWith, sendProblem } from '../answer.ts';
import { askedLanguage, chooseLanguage } from '../caller/language.ts';
import type { GatewayConfig } from '../config.ts';
import type { Exchange } from '../exchange.ts';
import { contentSecurityPolicy, replaceHeader } from '../headers.ts';
import { type WebAnswer, webAnswers } from './answers.ts';
import { listWebFiles } from './files.ts';
import { isFilePath, pageFile } from './pages.ts';

/** Serves the built web app from a folder. @throws ConfigError when there is none in it. */
export async function webHandler(
  distDir: string,
  config: Pick<GatewayConfig, 'siteUrl' | 'stripe' | 'web'>,
): Promise<(exchange: Exchange) => Promise<void>> {
  const files = await listWebFiles(distDir, config.siteUrl).catch(() => undefined);
  if (!files?.has(pageFile('/', 'en'))) {
    throw new ConfigError([`WEB_DIST_DIR: there is no built web app in ${distDir}; run npm run build`]);
  }
  const served = new Map(
    [...files].map(([path, file]) => {
      const { inlineStyles } = file;
      const policy = inlineStyles.length > 0 ? contentSecurityPolicy(config, inlineStyles) : undefined;
      return [path, { answers: webAnswers(path, file), policy }] as const;
    }),
  );
  return async (exchange) => {
    const { request, path } = exchange;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return sendProblem(exchange, new Problem('method-not-allowed'), { Allow: 'GET, HEAD' });
    }
    const isFile = isFilePath(path);
    exchange.routeKey = isFile ? 'web file' : 'web page';
    const language = isFile ? undefined : languageOf(exchange);
    const found = served.get(language ? pageFile(path, language) : path);
    if (!found) return sendProblem(exchange, new Problem('not-found'));
    if (language) exchange.headers.push('Content-Language', language);
    if (found.policy) replaceHeader(exchange, 'Content-Security-Policy', found.policy);
    await send(exchange, found.answers(request.headers['accept-encoding'] as string | undefined));
  };
}

const languageOf = ({ request: { url, headers } }: Exchange) =>
  askedLanguage(url) ?? chooseLanguage(headers.cookie, headers['accept-language']);

async function send(
  { request, response, headers }: Exchange,
  { etag, head, contentHead, variant }: WebAnswer,
): Promise<void> {
  if (request.headers['if-none-match']?.split(/,\s*/).includes(etag))
    return void response.writeHead(304, headers.concat(head)).end();
  response.writeHead(200, headers.concat(contentHead));
  if (request.method === 'HEAD') return void response.end();
  if ('content' in variant) return endWith(response, variant.content);
  await pipeline(createReadStream(variant.file), response).catch(() => response.destroy());
}
