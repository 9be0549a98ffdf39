import { ORGANISATION } from '@arboleda/contracts/organisation.ts';
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import type { FollowOptions } from '@arboleda/chassis/http/replicas.ts';
import type { RecentTraces } from '@arboleda/chassis/telemetry/recent.ts';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { parseTrustedProxies } from '../caller/address.ts';
import { DEFAULT_LIMITS, type GatewayConfig, type GatewayLimits } from '../config.ts';
import { startGateway, type RunningGateway } from '../service.ts';

/** A service with a configurable answer that records its requests. */
export interface StubService {
  url: string;
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  answerWith(listener: RequestListener): void;
  close(): Promise<void>;
}

const cheerful: RequestListener = (_request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end('{"treesPlanted":50000}');
};

export async function startStub(): Promise<StubService> {
  const requests: StubService['requests'] = [];
  let listener = cheerful;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    const { method = '', url = '', headers } = request;
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    });
    listener(request, response);
  });
  const url = await listenOn(server);
  return {
    url,
    requests,
    answerWith: (next) => void (listener = next),
    close: () => closeServer(server),
  };
}

async function listenOn(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

export interface TestGateway extends RunningGateway {
  stub: StubService;
  /** Sends raw bytes and returns what arrives until the other side closes. */
  raw(bytes: string): Promise<string>;
}

export interface GatewayParts {
  room?: { uploads: boolean; writes: boolean };
  limits?: Partial<GatewayLimits>;
  trustedProxies?: string;
  countryHeader?: string;
  siteUrl?: string;
  web?: GatewayConfig['web'];
  serviceUrls?: Partial<Record<ServiceName, string>>;
  metrics?: GatewayConfig['metrics'];
  rateLimitDatabaseUrl?: string;
  follow?: Partial<FollowOptions>;
  now?: () => number;
  recentTraces?: RecentTraces;
}

/** A gateway in front of one stub that acts as every service, with a small built web app. */
export async function startTestGateway(parts: GatewayParts = {}): Promise<TestGateway> {
  const stub = await startStub();
  const distDir = await buildTinyWebApp();
  const ofStub = Object.fromEntries(SERVICES.map((name) => [name, stub.url])) as Record<ServiceName, string>;
  const config: GatewayConfig = {
    host: '127.0.0.1',
    port: 0,
    logLevel: 'silent',
    siteUrl: parts.siteUrl ?? 'http://localhost:8080',
    organisation: ORGANISATION,
    claimsOff: [],
    serviceUrls: { ...ofStub, ...parts.serviceUrls },
    web: parts.web ?? { distDir },
    stripe: { scriptUrl: 'http://127.0.0.1:4242/v3/', apiUrl: 'http://127.0.0.1:4242' },
    trustedProxies: parseTrustedProxies(parts.trustedProxies ?? ''),
    countryHeader: parts.countryHeader,
    limits: { ...DEFAULT_LIMITS, ...parts.limits },
    ...(parts.metrics && { metrics: parts.metrics }),
    rateLimitDatabaseUrl: parts.rateLimitDatabaseUrl,
  };
  const gateway = await startGateway(config, parts);
  return {
    ...gateway,
    stub,
    raw: (bytes) => exchangeBytes(gateway.url, bytes),
    async close() {
      await gateway.close();
      await stub.close();
      await rm(distDir, { recursive: true });
    },
  };
}

async function exchangeBytes(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return received;
}

export const LONG_SCRIPT = `console.log(${JSON.stringify('arboleda '.repeat(200))})`;

export const LARGE_FILE = Buffer.alloc(1_100_000, 'arboleda');

export const PAGE_STYLE = '@media (width<40em){p>b{margin:0}}';

/** A small version of the web build's output. */
async function buildTinyWebApp(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'arboleda-web-'));
  await mkdir(join(dir, 'assets'));
  const texts: Record<string, string> = { 'assets/app-1a2b.js': LONG_SCRIPT };
  for (const language of ['en', 'es']) {
    for (const page of ['index', 'plant-trees', 'app']) {
      const style = page === 'index' ? `<style>${PAGE_STYLE}</style>` : '';
      texts[`${page}.${language}.html`] =
        `<!doctype html><html lang="${language}"><title>${page}</title>${style}`;
    }
  }
  for (const [name, text] of Object.entries(texts)) {
    await writeFile(join(dir, name), text);
    await writeFile(join(dir, `${name}.br`), brotliCompressSync(text));
    await writeFile(join(dir, `${name}.gz`), gzipSync(text));
  }
  await writeFile(join(dir, 'assets/photo-3c4d.avif'), 'not really a picture');
  await writeFile(join(dir, 'assets/sans-5e6f.woff2'), 'not really letters');
  await writeFile(join(dir, 'assets/large-7a8b.webp'), LARGE_FILE);
  await writeFile(join(dir, 'sw.js'), 'self.skipWaiting();');
  await writeFile(join(dir, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  return dir;
}
