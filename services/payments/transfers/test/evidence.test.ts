import { request } from '@arboleda/chassis/testing/request.ts';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { jpeg, picture } from '../testing/pictures.ts';
import { startTestTransfers, type TestTransfers } from '../testing/transfers.ts';

jest.setTimeout(60_000);

let transfers: TestTransfers;
beforeAll(async () => {
  transfers = await startTestTransfers();
});
afterEach(() => void delete transfers.faults.get);
afterAll(() => transfers.close());

/** An order with one file, and the file's name. */
async function withEvidence(bytes?: Buffer) {
  const { body } = await transfers.send(
    {},
    { files: [{ bytes: bytes ?? (await jpeg()), name: 'a<b>.html' }] },
  );
  const [file] = (await transfers.order(body.orderId)).manualPayment.evidenceFiles;
  return { id: body.orderId as string, shortId: body.shortId as string, filename: file.filename as string };
}

describe('an admin looks at evidence', () => {
  test('re-encoded and upright, never to be kept anywhere', async () => {
    const bytes = await picture(90, 60)
      .withExif({ IFD0: { Orientation: '6' } })
      .png()
      .toBuffer();
    const { filename } = await withEvidence(bytes);
    const { status, headers, body } = await transfers.evidence(filename);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('image/jpeg');
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('content-disposition')).toBeNull();
    const { format, exif } = await sharp(body).metadata();
    expect({ format, exif }).toEqual({ format: 'jpeg', exif: undefined });
  });

  test('or saves the original, byte for byte, under a name that is ours', async () => {
    const bytes = await picture().png().toBuffer();
    const { filename, shortId } = await withEvidence(bytes);
    const { headers, body } = await transfers.evidence(filename, { query: { original: '1' } });
    expect(body).toEqual(bytes);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe(`attachment; filename=${shortId}-1.png`);
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  test('and a large picture is made smaller', async () => {
    const { filename } = await withEvidence(await picture(3_000, 1_500).jpeg().toBuffer());
    expect(await sharp((await transfers.evidence(filename)).body).metadata()).toMatchObject({
      width: 2_000,
      height: 1_000,
    });
  });

  test.each(['AbCdEfGhIjKlMnOpQrStUv.jpg', '../original', '..%2f..%2fetc%2fpasswd', 'a.jpg'])(
    'under a name that is nobody’s (%s) there is nothing',
    async (filename) => {
      expect((await transfers.evidence(filename)).status).toBe(404);
    },
  );

  test('while the object store fails, without a word about it', async () => {
    const { filename } = await withEvidence();
    transfers.faults.get = () => Promise.reject(new Error('minio:9000 is on fire'));
    const answer = await transfers.evidence(filename);
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain('minio');
  });
});

describe('nobody else looks at evidence:', () => {
  test('no customer, not the one it is of; no worker; nobody without a token', async () => {
    const { filename } = await withEvidence();
    for (const role of ['customer', 'worker'] as const) {
      const token = await transfers.identity.token({ role, email: 'ana@arboleda.test' });
      expect((await transfers.evidence(filename, { token })).status).toBe(403);
      expect((await transfers.evidence(filename, { token, query: { original: '1' } })).status).toBe(403);
    }
    const answer = await request(transfers.url, 'GET /api/admin/manual-payments/evidence/{filename}', {
      params: { filename },
    });
    expect(answer.status).toBe(401);
  });
});
