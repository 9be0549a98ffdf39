import { ConfigError } from '@arboleda/chassis/config.ts';
import { describe, expect, jest, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { transfersConfig } from './config.ts';
import { imageReader, readImage } from './evidence.ts';
import { decodeCursor, encodeCursor } from './list.ts';
import { aFile, anApproval, aTransfer } from './test/builders.ts';
import { jpeg, picture, pixelBomb, SVG } from './test/pictures.ts';
import { flagsOf, type Resemblance, type TransferState } from './transfer.ts';

jest.setTimeout(60_000);

const hashed = (bytes: Buffer) => ({
  originalName: 'pago.jpg',
  bytes,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

const listening = new AbortController().signal;

describe('a picture', () => {
  test.each(['jpeg', 'png', 'gif'] as const)('of type %s becomes a JPEG for viewing', async (format) => {
    const { contentType, view } = await readImage(await picture().toFormat(format).toBuffer());
    expect(contentType).toBe(`image/${format}`);
    expect((await sharp(view).metadata()).format).toBe('jpeg');
  });

  test('with transparency gets a white background', async () => {
    const clear = sharp({
      create: { width: 8, height: 8, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    const { view } = await readImage(await clear.png().toBuffer());
    expect([...(await sharp(view).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  test('as an interlaced PNG may have fewer pixels, as it is decoded as a whole', async () => {
    const large = sharp({ create: { width: 5_000, height: 4_100, channels: 3, background: '#284' } });
    const interlaced = await large.clone().png({ progressive: true }).toBuffer();
    await expect(readImage(interlaced)).rejects.toMatchObject({ type: 'photo-too-many-pixels' });
    expect(await readImage(await large.png().toBuffer())).toMatchObject({ contentType: 'image/png' });
  });

  test('of a long screenshot keeps a legible width', async () => {
    const { view } = await readImage(await picture(1_000, 6_000).jpeg().toBuffer());
    expect(await sharp(view).metadata()).toMatchObject({ width: 1_000, height: 6_000 });
  });
});

describe('the image reader', () => {
  test('decodes one image at a time, and continues after a bad one', async () => {
    const read = imageReader();
    const [good, bad] = [hashed(await jpeg()), hashed(SVG)];
    const results = await Promise.allSettled([
      read([good], listening),
      read([bad], listening),
      read([good, good], listening),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('skips the files of a caller who has disconnected', async () => {
    const left = AbortSignal.abort(new Error('left'));
    await expect(imageReader()([hashed(await jpeg())], left)).rejects.toThrow('left');
  });

  test('allocates no memory for a decompression bomb', async () => {
    const before = process.memoryUsage().rss;
    await expect(imageReader()([hashed(pixelBomb())], listening)).rejects.toMatchObject({
      type: 'photo-too-many-pixels',
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });
});

const NOTHING: Resemblance = { files: new Map(), reference: [] };

const OTHER = { orderId: 'f'.repeat(24), status: 'rejected' as const };

describe('an admin sees a flag for', () => {
  test('nothing, when nothing is suspicious', () => {
    expect(flagsOf(aTransfer({ reference: 'M123456' }), NOTHING)).toEqual([]);
  });

  test('each file that was sent with other orders too', () => {
    const evidence = [aFile(), aFile({ filename: 'other.jpg' })];
    const files = new Map([['other.jpg', [OTHER]]]);
    expect(flagsOf(aTransfer({ reference: undefined, evidence }), { ...NOTHING, files })).toEqual([
      { type: 'file-used-before', filename: 'other.jpg', orders: [OTHER] },
    ]);
  });

  test('a reference that other transfers named', () => {
    const transfer = aTransfer({ reference: 'M123456' });
    expect(flagsOf(transfer, { ...NOTHING, reference: [OTHER] })).toEqual([
      { type: 'reference-used-before', orders: [OTHER] },
    ]);
  });

  test('a reference of ours with a typo', () => {
    expect(flagsOf(aTransfer({ reference: 'ARB-222223' }), NOTHING)).toEqual([
      { type: 'reference-mistyped' },
    ]);
  });

  const received = (amountReceivedMinor?: number) => anApproval({ amountReceivedMinor });
  test.each<[string, TransferState, boolean]>([
    ['less came in', { status: 'approved', approval: received(8_000_000) }, true],
    ['more came in', { status: 'approved', approval: received(9_000_000) }, true],
    ['the first of two saw less', { status: 'pending', first: received(0) }, true],
    ['just that came in', { status: 'approved', approval: received(8_230_000) }, false],
    ['nobody said', { status: 'approved', approval: received() }, false],
  ])('that the amount differs: %s', (_what, state, differs) => {
    const flags = flagsOf(aTransfer({ reference: undefined, state }), NOTHING);
    expect(flags).toEqual(differs ? [{ type: 'amount-differs' }] : []);
  });
});

test('a cursor continues where the page ended', () => {
  const position: [string, string] = ['2026-11-22T10:00:00.000Z', '7b0d4c0e-9d6c-4d8e-8d0b-5b7f6f1f6a01'];
  expect(decodeCursor(encodeCursor(position))).toEqual(position);
});

test.each([
  ['nothing', ''],
  ['no JSON', 'bm8'],
  ['another list’s', Buffer.from('["2026-11-22T10:00:00.000Z"]').toString('base64url')],
  ['no time', Buffer.from('["now","a"]').toString('base64url')],
])('a cursor that is %s is refused and named', (_what, cursor) => {
  expect(() => decodeCursor(cursor)).toThrow(
    expect.objectContaining({ type: 'validation-failed', fields: [{ path: 'cursor', type: 'invalid' }] }),
  );
});

test('by default one admin decides and evidence is kept for five years', () => {
  expect(transfersConfig({})).toMatchObject({ secondAdminAboveUsd: undefined, evidenceRetentionDays: 1825 });
  expect(transfersConfig({ EVIDENCE_RETENTION_DAYS: '0' }).evidenceRetentionDays).toBeUndefined();
});

test('reads the amount that needs two admins, and the retention of evidence', () => {
  const env = { TRANSFER_SECOND_ADMIN_ABOVE_USD: '499.99', EVIDENCE_RETENTION_DAYS: '365' };
  expect(transfersConfig(env)).toMatchObject({ secondAdminAboveUsd: 499.99, evidenceRetentionDays: 365 });
});

test.each([
  ['TRANSFER_SECOND_ADMIN_ABOVE_USD', 'much'],
  ['TRANSFER_SECOND_ADMIN_ABOVE_USD', '-1'],
  ['EVIDENCE_RETENTION_DAYS', '1.5'],
  ['EVIDENCE_RETENTION_DAYS', '-1'],
  ['EVIDENCE_MAX_MB', '0'],
  ['TRANSFERS_OF_EMAIL_A_DAY', 'many'],
])('%s = %j stops the start', (name, value) => {
  const start = () => transfersConfig({ [name]: value });
  expect(start).toThrow(ConfigError);
  expect(start).toThrow(name);
});
