import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { gatewayConfig } from '@arboleda/gateway/config.ts';
import { startGateway } from '@arboleda/gateway/service.ts';
import { silent } from '../../security/gateway/echo.ts';
import { openFilledProduct, type FilledProduct } from '../filled-product.ts';

let filled: FilledProduct;
let admin: string;
beforeAll(async () => {
  filled = await openFilledProduct();
  admin = await filled.token('admin');
}, 120_000);
afterAll(() => filled?.close());

async function look(headers: Record<string, string> = {}, at = filled.product.url) {
  const path = `/api/photos/${filled.objects.photoFilename}?w=320`;
  const response = await fetch(at + path, { headers });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}
/** Another gateway before the same services. */
async function openGateway() {
  const { serviceUrls, url } = filled.product;
  const urls = SERVICES.map((name) => [`${name.toUpperCase()}_URL`, serviceUrls[name]] as const);
  const config = gatewayConfig({
    ...Object.fromEntries(urls),
    PORT: '0',
    SITE_URL: url,
    RATE_LIMIT_SCALE: '0',
  });
  return startGateway(config, { logger: silent });
}
const decide = (what: 'hide' | 'restore') =>
  filled.call(`POST /api/admin/photos/{id}/${what}`, {
    token: admin,
    params: { id: filled.objects.photoId },
    body: { reason: 'for a test' },
  });

test('a photo that many look at is the same for all, and is hidden at once but for caches', async () => {
  const first = await look();
  const etag = first.headers.get('etag')!;
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
  const [again, known, part] = await Promise.all([
    look(),
    look({ 'If-None-Match': etag }),
    look({ Range: 'bytes=10-29' }),
  ]);
  expect([again.status, known.status, part.status]).toEqual([200, 304, 206]);
  expect(again.bytes.equals(first.bytes)).toBe(true);
  expect(part.bytes.equals(first.bytes.subarray(10, 30))).toBe(true);
  for (const name of ['content-type', 'cache-control', 'etag', 'vary', 'accept-ranges', 'content-length'])
    expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);

  const other = await openGateway();
  try {
    await decide('hide');
    // The service, and a gateway that has not shown it.
    for (const at of [filled.product.serviceUrls.media, other.url]) {
      for (const [name, value] of [
        ['If-None-Match', etag],
        ['Range', 'bytes=10-29'],
        ['Accept', '*/*'],
      ] as const) {
        const gone = await look({ [name]: value }, at);
        expect([gone.status, gone.headers.get('cache-control')]).toEqual([404, 'no-store']);
        expect(JSON.parse(gone.bytes.toString())).toMatchObject({ type: 'not-found', status: 404 });
      }
    }
    // A gateway that has shown it tells caches how much of the minute is over.
    const kept = await look();
    if (kept.status === 200) expect(Number(kept.headers.get('age'))).toBeGreaterThan(0);
    else expect(kept.status).toBe(404);
    await decide('restore');
    expect((await look({}, other.url)).bytes.equals(first.bytes)).toBe(true);
  } finally {
    await other.close();
  }
});

test('a part behind the end of a photo that is held is refused with its size', async () => {
  const { bytes } = await look();
  const { status, headers, bytes: body } = await look({ Range: 'bytes=99999999-' });
  expect([status, headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
  expect(JSON.parse(body.toString())).toMatchObject({ type: 'range-not-satisfiable' });
});
