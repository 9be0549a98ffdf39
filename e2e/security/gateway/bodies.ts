import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { openInbox } from '../../harness/inbox.ts';
import { putAccount } from '../../harness/accounts.ts';
import type { Target } from '../frame/target.ts';
import type { Report } from '../frame/topic.ts';
import { openMemory } from '../uploads/memory.ts';
import { speak } from './raw.ts';

const BOMB_BYTES = 100_000_000;
const MAX_GROWTH_MB = 250;

/** Small bodies that grow, and requests that are too large in every other way. */
export async function largeThings({ filled: { product } }: Target, { check, note }: Report): Promise<void> {
  const memory = openMemory(product.pid);
  const before = memory?.look();
  const blank = Buffer.from(`{"email":"${' '.repeat(BOMB_BYTES)}"}`);
  const bombs = {
    gzip: gzipSync(blank),
    deflate: deflateSync(blank),
    br: brotliCompressSync(blank, { params: { 1: 4 } }),
  };
  const asked = Object.entries({
    ...bombs,
    'gzip, gzip': gzipSync(bombs.gzip),
    identity: bombs.gzip,
    zstd: bombs.gzip,
  });
  await Promise.all(
    asked.flatMap(([encoding, body]) =>
      [1, 2, 3].map(async () => {
        const response = await fetch(`${product.url}/api/auth/customer/login`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Content-Encoding': encoding },
          body: new Uint8Array(body),
        });
        await response.arrayBuffer();
        check(
          `a body of ${BOMB_BYTES} bytes packed by ${encoding} is refused`,
          [400, 413, 415].includes(response.status),
          response.status,
        );
      }),
    ),
  );
  if (memory && before) {
    const grownMb = memory.look().peakMb - before.nowMb;
    note(`packed bodies: ${grownMb.toFixed(0)} MB more at most`);
    check('packed bodies are not unpacked as a whole', grownMb < MAX_GROWTH_MB, `${grownMb} MB`);
  }
  const large: Record<string, [string, number[]]> = {
    'an address of 100 kB': [
      `GET /api/stats?${'q'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      [400, 414, 431],
    ],
    'a header of 100 kB': [`GET /api/stats HTTP/1.1\r\nHost: x\r\nX: ${'h'.repeat(100_000)}\r\n\r\n`, [431]],
    'ten thousand headers': [`GET /api/stats HTTP/1.1\r\nHost: x\r\n${'X: 1\r\n'.repeat(10_000)}\r\n`, [431]],
    'a body that says it has 10 GB': [
      'POST /api/auth/customer/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000000000\r\n\r\n{',
      [413],
    ],
    'JSON a hundred thousand deep': [
      `POST /api/auth/customer/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90000\r\n\r\n${'['.repeat(90_000)}`,
      [400],
    ],
  };
  for (const [name, [bytes, statuses]] of Object.entries(large)) {
    const {
      statuses: [status],
    } = await speak(product.url, bytes);
    check(`${name} is refused`, statuses.includes(status ?? 0), status);
  }
}

const EVIL = 'evil.example';

/** A forged Host appears nowhere: not in emails, answers or caches. */
export async function hostInjection({ filled: { product } }: Target, { check }: Report): Promise<void> {
  const email = 'links@security.test';
  await putAccount(product, {
    role: 'customer',
    name: 'Lina',
    email,
    password: 'guadua-cedro-7310',
    emailVerified: true,
  });
  const body = JSON.stringify({ email });
  const claims = [
    `Host: ${EVIL}`,
    `X-Forwarded-Host: ${EVIL}`,
    `Forwarded: host=${EVIL}`,
    `Origin: https://${EVIL}`,
    `Referer: https://${EVIL}/`,
    `X-Original-Host: ${EVIL}`,
  ];
  const head = [
    'POST /api/auth/customer/forgot-password HTTP/1.1',
    ...claims,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  const { statuses } = await speak(product.url, [...head, '', body].join('\r\n'));
  check('a reset is asked for under another name of the site', statuses[0] === 202, statuses);
  const mail = await openInbox(product.inboxUrl).mail(email, /reset-password/);
  const links = [...(mail.text + mail.html).matchAll(/https?:\/\/([^/\s"<>]+)/g)].map(([, host]) => host!);
  const own = new URL(product.url).host;
  check(
    'the links of the mail lead to the site as it is configured',
    links.length > 0 && links.every((host) => host === own),
    links,
  );

  for (const path of [
    '/',
    '/plant-trees',
    '/api/stats',
    '/api/docs',
    '/api/openapi.json',
    '/sitemap.xml',
    '/api/nothing',
    '/orders/x',
  ]) {
    const poisoned = await speak(
      product.url,
      [
        'GET ' + path + ' HTTP/1.1',
        ...claims,
        'X-Forwarded-Proto: gopher',
        'X-Original-URL: /evil',
        'X-Forwarded-Prefix: /evil',
        'Connection: close',
        '',
        '',
      ].join('\r\n'),
    );
    check(
      `${path} repeats nothing that a cache would keep for others`,
      !/evil|gopher/.test(poisoned.text),
      /.{40}(evil|gopher).{20}/s.exec(poisoned.text)?.[0],
    );
  }
  const pages = await Promise.all(
    ['en', 'es'].map((language) =>
      fetch(product.url, { headers: { 'Accept-Language': language, Cookie: `language=${language}` } }),
    ),
  );
  for (const { headers } of pages) {
    const vary = headers.get('vary')?.toLowerCase() ?? '';
    const isKeyed = ['accept-language', 'cookie', 'accept-encoding'].every((name) => vary.includes(name));
    check('a page names all that it was chosen by', isKeyed, vary);
  }
}
