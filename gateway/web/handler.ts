import { ConfigError } from '@arboleda/chassis/config.ts';
import { isPagePath } from '@arboleda/contracts/pages.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { askedLanguage, chooseLanguage } from '../caller/language.ts';
import type { GatewayConfig } from '../config.ts';
import { type Exchange, replaceHeader, sendProblem } from '../exchange.ts';
import { contentSecurityPolicy } from '../headers.ts';
import { type FileAnswers, fileAnswers, sendFile } from './file-answers.ts';
import { listWebFiles } from './files.ts';

const YEAR_SECONDS = 31_536_000;
/** Icons and similar files keep their names when their content changes. */
const SHORT_SECONDS = 3_600;
/** A cached service worker would keep a phone on an old version. */
const SERVICE_WORKER = '/sw.js';

/** Public pages that the build prerenders in each language; all others use the app's empty shell. */
const PRERENDERED: Record<string, string> = { '/': 'index', '/plant-trees': 'plant-trees' };
const FILE_ENDINGS =
  /\.(js|mjs|css|map|json|txt|xml|svg|png|jpe?g|gif|webp|avif|ico|woff2?|webmanifest|br|gz)$/i;

/** Unknown file paths are 404 with a problem; other unknown paths are 404 with the app's page for them. */
const isFilePath = (path: string): boolean => path.startsWith('/assets/') || FILE_ENDINGS.test(path);
const pageFile = (path: string, language: Language): string =>
  `/${PRERENDERED[path] ?? 'app'}.${language}.html`;

/** Serves the built web app from a folder. @throws ConfigError when there is none */
export async function webHandler(
  distDir: string,
  config: Pick<GatewayConfig, 'siteUrl' | 'organisation' | 'claimsOff' | 'stripe' | 'web'>,
): Promise<(exchange: Exchange) => Promise<void>> {
  const files = await listWebFiles(distDir, config).catch(() => undefined);
  if (!files?.has(pageFile('/', 'en'))) {
    throw new ConfigError([`WEB_DIST_DIR: there is no built web app in ${distDir}; run npm run build`]);
  }
  const served = new Map<string, { answers: FileAnswers; policy: string | undefined }>();
  for (const [path, file] of files) {
    const policy =
      file.inlineStyles.length > 0 ? contentSecurityPolicy(config, file.inlineStyles) : undefined;
    const isPage = !isFilePath(path);
    const cacheControl =
      isPage || path === SERVICE_WORKER
        ? 'no-cache'
        : `public, max-age=${file.immutable ? `${YEAR_SECONDS}, immutable` : SHORT_SECONDS}`;
    served.set(path, { answers: fileAnswers(file, cacheControl, isPage), policy });
  }
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
    sendFile(exchange, found.answers, isFile || isPagePath(path) ? 200 : 404);
  };
}

const languageOf = ({ request: { url, headers } }: Exchange) =>
  askedLanguage(url) ?? chooseLanguage(headers.cookie, headers['accept-language']);
