import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import type { UndecidedBounds } from '../config.ts';
import { jpeg, jpegOf, picture, pixelBomb, SVG } from './pictures.ts';
import { quoteOf, type SentFile, startTestTransfers, type TestTransfers } from './transfers.ts';

jest.setTimeout(60_000);

let transfers: TestTransfers;

beforeAll(async () => {
  transfers = await startTestTransfers();
});

afterAll(() => transfers.close());

describe('a buyer submits a transfer', () => {
  test('exactly as in the product spec, and gets an order to follow', async () => {
    const answer = await transfers.send();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      success: true,
      orderId: expect.stringMatching(/^[0-9a-f]{24}$/),
      orderToken: expect.stringMatching(/^[\w-]{22}$/),
      shortId: answer.body.orderId.slice(-6).toUpperCase(),
      amount: 8_230_000,
      currency: 'COP',
    });
  });

  test('which is published once, with all that other services need', async () => {
    const bytes = await picture().png().toBuffer();
    const { body } = await transfers.send(
      { referenceNumber: ' ARB-7K3Q9F ', locale: 'es-CO' },
      { files: [{ bytes, name: 'mi pago.png' }] },
    );
    const event = await transfers.events.next(
      'payment.submitted',
      ({ data }) => data.orderId === body.orderId,
    );
    expect(event).toMatchObject({ key: body.orderId, sequence: 0 });
    expect(event.data).toEqual({
      orderId: body.orderId,
      paymentId: expect.any(String),
      method: { kind: 'transfer', bank: 'bancolombia' },
      trees: 5,
      packageType: 'grove',
      amountMinor: 8_230_000,
      currency: 'COP',
      customer: { name: 'Ana García', email: 'ana@arboleda.test', phone: '+57 300 000 0000', country: 'CO' },
      language: 'es',
      referenceNumber: 'ARB-7K3Q9F',
      evidenceFiles: [
        {
          filename: expect.stringMatching(/^[\w-]{22}\.jpg$/),
          originalName: 'mi pago.png',
          fileSize: bytes.length,
        },
      ],
      submittedAt: expect.stringMatching(/Z$/),
    });
    expect(transfers.events.all('payment.succeeded')).toEqual([]);
    expect(JSON.stringify(transfers.logs)).not.toMatch(/García|ana@|300 000/i);
  });

  test.each(['jpeg', 'png', 'gif'] as const)('with a %s, whatever its file name', async (format) => {
    const bytes = await picture().toFormat(format).toBuffer();
    const files = [{ bytes, name: '../../etc/passwd.exe', type: 'text/html' }];
    expect((await transfers.send({}, { files })).status).toBe(201);
  });

  test('with up to three images', async () => {
    const files = await Promise.all([1, 2, 3].map(async () => ({ bytes: await jpeg() })));
    const { body } = await transfers.send({}, { files });
    expect((await transfers.order(body.orderId)).manualPayment.evidenceFiles).toHaveLength(3);
  });

  test('with an image of exactly 5 MB', async () => {
    const files = [{ bytes: await jpegOf(5_000_000) }];
    expect((await transfers.send({}, { files })).status).toBe(201);
  });

  test('without the optional fields', async () => {
    const optional = ['currency', 'customerPhone', 'paymentMethod', 'bankName', 'referenceNumber'];
    const answer = await transfers.send(Object.fromEntries(optional.map((name) => [name, undefined])));
    expect(answer).toMatchObject({ status: 201, body: { currency: 'COP' } });
  });

  test('at the price of the quote they saw', async () => {
    const quote = await quoteOf('COP', 4000);
    expect((await transfers.send({ quote })).body.amount).toBe(8_000_000);
  });

  test('and a re-encoded copy without metadata is stored, with the hash of the original', async () => {
    const taken = await picture()
      .withExif({ IFD0: { Make: 'Secret phone' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '4/1 0/1 0/1' } })
      .jpeg()
      .toBuffer();
    const bytes = Buffer.concat([taken, Buffer.alloc(4_000_000, 'x')]);
    const { body } = await transfers.send({}, { files: [{ bytes }] });
    const [row] = await transfers.rows<{ id: string; sha256: string }>(
      `select t.id, f.sha256 from transfers t join transfer_evidence f on f.transfer_id = t.id where t.order_id = $1`,
      [body.orderId],
    );
    expect(row!.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(await transfers.objects.info(`evidence/${row!.id}/0/original`)).toBeUndefined();
    const view = Buffer.from((await transfers.objects.read(`evidence/${row!.id}/0/view.jpg`))!);
    expect((await sharp(view).metadata()).exif).toBeUndefined();
    expect(view.includes('Secret phone')).toBe(false);
    expect(view.length).toBeLessThan(taken.length + 100_000);
  });
});

/** Sends a transfer that is refused and checks that nothing of it was stored. */
async function refused(fields: Record<string, string | undefined>, files?: readonly SentFile[]) {
  const before = await transfers.kept();
  const answer = await transfers.send(fields, { ...(files && { files }) });
  expect(await transfers.kept()).toEqual(before);
  return {
    status: answer.status,
    type: answer.body.type,
    error: answer.body.error,
    errors: answer.body.errors?.map(({ path, type }: { path: string; type: string }) => [path, type]),
  };
}

describe('refusals in the product spec’s words:', () => {
  test('no file', async () => {
    expect(await refused({}, [])).toEqual({
      status: 422,
      type: 'evidence-required',
      error: 'Please upload payment evidence',
      errors: [['evidenceFiles', 'required']],
    });
  });

  test('an empty file field, as browsers send it', async () => {
    expect(await refused({}, [{ bytes: Buffer.alloc(0), name: '' }])).toMatchObject({
      type: 'evidence-required',
    });
  });

  test.each<[string, Record<string, string | undefined>, string[]]>([
    ['no name', { customerName: '' }, ['customerName']],
    ['a name of blanks', { customerName: '   ' }, ['customerName']],
    ['no e-mail', { customerEmail: undefined }, ['customerEmail']],
    ['neither', { customerName: undefined, customerEmail: '' }, ['customerName', 'customerEmail']],
  ])('%s', async (_what, fields, names) => {
    expect(await refused(fields)).toEqual({
      status: 422,
      type: 'required-fields',
      error: 'Please fill in all required fields',
      errors: names.map((name) => [name, 'required']),
    });
  });

  test('in Spanish', async () => {
    const answer = await transfers.send({}, { files: [], language: 'es-CO' });
    expect(answer.body.error).toBe('Sube el comprobante de pago');
  });
});

describe('a file is refused by its position, and no file is stored,', () => {
  const png = async () => (await picture(600, 400).png().toBuffer()).subarray(0, 20_000);
  test.each<[string, () => Promise<Buffer> | Buffer, number, string]>([
    ['text', () => Buffer.from('paid, believe me'), 422, 'evidence-not-an-image'],
    ['SVG', () => SVG, 422, 'evidence-not-an-image'],
    [
      'a GIF by its first bytes and SVG by the rest',
      () => Buffer.concat([Buffer.from('GIF89a'), SVG]),
      422,
      'evidence-damaged',
    ],
    ['WebP', () => picture().webp().toBuffer(), 422, 'evidence-not-an-image'],
    ['PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n'), 422, 'evidence-not-an-image'],
    ['nothing', () => Buffer.alloc(0), 422, 'evidence-not-an-image'],
    [
      'a truncated JPEG',
      async () => (await picture(600, 400).jpeg().toBuffer()).subarray(0, 3_000),
      422,
      'evidence-damaged',
    ],
    ['a truncated PNG', png, 422, 'evidence-damaged'],
    ['a pixel bomb', pixelBomb, 422, 'photo-too-many-pixels'],
    ['5 MB and one byte', () => jpegOf(5_000_001), 413, 'evidence-too-large'],
    ['20 MB', () => randomBytes(20_000_000), 413, 'evidence-too-large'],
  ])('when it is %s', async (_name, make, status, type) => {
    const files = [{ bytes: await jpeg() }, { bytes: await make(), name: 'pago.png', type: 'image/png' }];
    expect(await refused({}, files)).toMatchObject({ status, type, errors: [['evidenceFiles.1', type]] });
  });

  test('each for its own reason', async () => {
    const files = [{ bytes: SVG }, { bytes: await jpeg() }, { bytes: await png() }];
    expect((await refused({}, files)).errors).toEqual([
      ['evidenceFiles.0', 'evidence-not-an-image'],
      ['evidenceFiles.2', 'evidence-damaged'],
    ]);
  });

  test('when there are four', async () => {
    const files = await Promise.all([1, 2, 3, 4].map(async () => ({ bytes: await jpeg() })));
    expect(await refused({}, files)).toMatchObject({
      status: 422,
      type: 'too-many-files',
      errors: [['evidenceFiles', 'too-many-files']],
    });
  });
});

test('a polyglot file is re-encoded as the image alone', async () => {
  const script = '<script>alert(document.cookie)</script>';
  const bytes = Buffer.concat([await jpeg(), Buffer.from(script)]);
  const { body } = await transfers.send({}, { files: [{ bytes }] });
  const [file] = (await transfers.order(body.orderId)).manualPayment.evidenceFiles;
  const view = await transfers.evidence(file.filename);
  expect(view.status).toBe(200);
  expect(Buffer.from(view.body).includes('<script>')).toBe(false);
});

describe('bad input is refused, names its field and stores nothing', () => {
  test.each<[string, Record<string, string | undefined>, string, string]>([
    ['no package', { packageType: undefined }, 'packageType', 'required'],
    ['an unknown package', { packageType: 'forest' }, 'packageType', 'unknown-value'],
    ['no trees', { trees: '' }, 'trees', 'too-small'],
    ['0 trees', { packageType: 'custom', trees: '0' }, 'trees', 'too-small'],
    ['1.5 trees', { packageType: 'custom', trees: '1.5' }, 'trees', 'not-an-integer'],
    ['10⁹ trees', { packageType: 'custom', trees: '1000000000' }, 'trees', 'too-big'],
    ['trees in words', { packageType: 'custom', trees: 'cinco' }, 'trees', 'invalid'],
    ['a grove of four', { trees: '4' }, 'trees', 'invalid'],
    ['an unknown currency', { currency: 'XAU' }, 'currency', 'unknown-value'],
    ['a malformed e-mail', { customerEmail: 'ana@' }, 'customerEmail', 'invalid-email'],
    ['a name of 5 kB', { customerName: 'a'.repeat(5000) }, 'customerName', 'too-long'],
    ['a name with a zero byte', { customerName: 'Ana\u0000' }, 'customerName', 'invalid'],
    ['a phone of markup', { customerPhone: '<b>1</b>' }, 'customerPhone', 'invalid'],
    ['a phone without end', { customerPhone: '1'.repeat(41) }, 'customerPhone', 'too-long'],
    ['another way to pay', { paymentMethod: 'stripe' }, 'paymentMethod', 'unknown-value'],
    ['another bank', { bankName: 'no bank of ours' }, 'bankName', 'unknown-value'],
    ['a reference of two lines', { referenceNumber: 'one\ntwo' }, 'referenceNumber', 'invalid'],
    ['a reference without end', { referenceNumber: '1'.repeat(81) }, 'referenceNumber', 'too-long'],
  ])('%s', async (_what, fields, path, type) => {
    expect(await refused(fields)).toMatchObject({
      status: 422,
      type: 'validation-failed',
      errors: [[path, type]],
    });
  });

  test('an invalid quote', async () => {
    expect(await refused({ quote: 'eyJhbGciOiJub25lIn0.e30.' })).toMatchObject({ type: 'quote-invalid' });
  });

  test('a quote in another currency', async () => {
    expect(await refused({ quote: await quoteOf('USD', 1) })).toMatchObject({ type: 'quote-invalid' });
  });

  test('an expired quote', async () => {
    const answer = await refused({ quote: await quoteOf('COP', 4000, '-1s') });
    expect(answer).toMatchObject({ status: 409, type: 'quote-expired' });
  });
});

describe('when a dependency is unavailable', () => {
  test('pricing: nothing is stored, and the caller is asked to retry', async () => {
    transfers.pricing.behaviour.answers = false;
    try {
      expect(await refused({})).toMatchObject({ status: 503, type: 'unavailable' });
    } finally {
      transfers.pricing.behaviour.answers = true;
    }
  });

  test('a fault of ours is reported in the product spec’s words', async () => {
    transfers.faults.put = () => Promise.reject(new Error('the disk is full'));
    try {
      const answer = await transfers.send();
      expect(answer).toMatchObject({
        status: 500,
        body: { type: 'transfer-not-created', error: 'Failed to create manual payment order' },
      });
    } finally {
      delete transfers.faults.put;
    }
  });
});

const somebody = () => `${randomUUID()}@arboleda.test`;

describe('undecided transfers are bounded', () => {
  const bounded = (undecided: Partial<UndecidedBounds>) =>
    transfers.start({
      undecided: { megabytes: 1e9, megabytesOfNetwork: 1e9, transfersOfEmail: 1e9, ...undecided },
    });

  const weigh = (orderId: string, bytes: number) =>
    transfers.rows('update transfers set evidence_bytes = $2 where order_id = $1', [orderId, bytes]);

  test('per network, until the transfers are decided', async () => {
    const { url } = await bounded({ megabytesOfNetwork: 1 });
    const from = (address: string) => transfers.send({}, { url, address });
    const first = await from('2800:e2:1280:a3f::1');
    await weigh(first.body.orderId, 2_000_000);
    const refused = await from('2800:e2:1280:a3f::2');
    expect(refused).toMatchObject({ status: 429, body: { type: 'too-many-requests' } });
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect((await from('203.0.113.7')).status).toBe(201);
    await transfers.reject(first.body.orderId);
    expect((await from('2800:e2:1280:a3f::2')).status).toBe(201);
    expect(
      await transfers.rows('select 1 from transfers where order_id = $1 and network_hash is not null', [
        first.body.orderId,
      ]),
    ).toEqual([]);
  });

  test('in total', async () => {
    const { url } = await bounded({ megabytes: 1_000 });
    const { body } = await transfers.send({}, { url });
    await weigh(body.orderId, 2_000_000_000);
    expect((await transfers.send({}, { url })).status).toBe(503);
    await weigh(body.orderId, 1_000);
    expect((await transfers.send({}, { url })).status).toBe(201);
  });

  test('per email address and day', async () => {
    const { url } = await bounded({ transfersOfEmail: 2 });
    const to = (customerEmail: string) => transfers.send({ customerEmail }, { url });
    const email = somebody();
    expect([(await to(email)).status, (await to(email)).status, (await to(email)).status]).toEqual([
      201, 201, 429,
    ]);
    expect((await to(somebody())).status).toBe(201);
  });
});

test('metrics count accepted and refused transfers', async () => {
  await transfers.send();
  await transfers.send({}, { files: [] });
  const figures = await transfers.metrics();
  expect(figures).toMatch(/transfers_total\{event="submitted"[^}]*\} [1-9]/);
  expect(figures).toMatch(/transfers_refused_total\{type="evidence-required"[^}]*\} [1-9]/);
  expect(figures).toMatch(/transfers_pending\{[^}]*\} [1-9]/);
});

test('metrics report the age of the oldest pending transfer', async () => {
  await transfers.send();
  transfers.advance(25 * 3_600_000);
  expect(await transfers.metrics()).toMatch(/transfers_oldest_seconds\{[^}]*\} 9\d{4}(\.\d+)?\n/);
});
