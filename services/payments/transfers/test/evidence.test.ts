import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { jpeg, picture } from './pictures.ts';
import { startTestTransfers, type TestTransfers } from './transfers.ts';

jest.setTimeout(60_000);

let transfers: TestTransfers;
beforeAll(async () => {
  transfers = await startTestTransfers();
});
afterEach(() => void delete transfers.faults.get);
afterAll(() => transfers.close());

async function withEvidence(bytes?: Buffer) {
  const { body } = await transfers.send(
    {},
    { files: [{ bytes: bytes ?? (await jpeg()), name: 'a<b>.html' }] },
  );
  const [file] = (await transfers.order(body.orderId)).manualPayment.evidenceFiles;
  return { id: body.orderId as string, shortId: body.shortId as string, filename: file.filename as string };
}

describe('an admin looks at evidence', () => {
  test('re-encoded and upright, with caching forbidden', async () => {
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

  test('scaled down when it is large', async () => {
    const { filename } = await withEvidence(await picture(3_000, 1_500).jpeg().toBuffer());
    expect(await sharp((await transfers.evidence(filename)).body).metadata()).toMatchObject({
      width: 2_000,
      height: 1_000,
    });
  });

  test.each(['AbCdEfGhIjKlMnOpQrStUv.jpg', '../original', '..%2f..%2fetc%2fpasswd', 'a.jpg'])(
    'the unknown name %s is not found',
    async (filename) => {
      expect((await transfers.evidence(filename)).status).toBe(404);
    },
  );

  test('not at all when the object store fails, and learns no detail', async () => {
    const { filename } = await withEvidence();
    transfers.faults.get = () => Promise.reject(new Error('minio:9000 is on fire'));
    const answer = await transfers.evidence(filename);
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain('minio');
  });
});

describe('evidence is hidden from everybody else:', () => {
  test('its own buyer, other customers, workers and anonymous callers', async () => {
    const { filename } = await withEvidence();
    for (const role of ['customer', 'worker'] as const) {
      const token = await transfers.identity.token({ role, email: 'ana@arboleda.test' });
      expect((await transfers.evidence(filename, { token })).status).toBe(403);
    }
    const answer = await request(transfers.url, 'GET /api/admin/manual-payments/evidence/{filename}', {
      params: { filename },
    });
    expect(answer.status).toBe(401);
  });
});

describe('housekeeping', () => {
  let transfers: TestTransfers;

  beforeEach(async () => {
    transfers = await startTestTransfers();
  });

  afterEach(() => transfers.close());

  const MINUTE_MS = 60_000;

  const DAY_MS = 86_400_000;

  async function withEvidence() {
    const { body } = await transfers.send({}, { files: [{ bytes: await jpeg() }] });
    const [file] = (await transfers.order(body.orderId)).manualPayment.evidenceFiles;
    return { id: body.orderId as string, filename: file.filename as string };
  }

  const objectKeys = async () =>
    (
      await transfers.rows<{ id: string; position: number }>(
        'select transfer_id as id, position from transfer_evidence',
      )
    ).map(({ id, position }) => `evidence/${id}/${position}/view.jpg`);

  const isEmpty = async (keys: readonly string[]) =>
    (await Promise.all(keys.map((key) => transfers.objects.info(key)))).every((info) => info === undefined);

  const isWhole = async (keys: readonly string[]) =>
    (await Promise.all(keys.map((key) => transfers.objects.info(key)))).every((info) => info !== undefined);

  describe('files without a transfer', () => {
    /** Sends a transfer that fails after its files were stored. */
    async function breakOff(): Promise<string[]> {
      const keys: string[] = [];
      transfers.faults.put = async (key) => void keys.push(key);
      await transfers.rows(`alter table transfer_evidence add constraint broken check (position < 0)`);
      expect((await transfers.send()).status).toBe(500);
      await transfers.rows('alter table transfer_evidence drop constraint broken');
      delete transfers.faults.put;
      return keys;
    }

    test('are left by a crash before the commit, and are deleted', async () => {
      const keys = await breakOff();
      expect(keys).toHaveLength(1);
      expect(await isWhole(keys)).toBe(true);
      expect(await transfers.kept()).toEqual({ transfers: 0, files: 0, removals: 1 });
      transfers.advance(16 * MINUTE_MS);
      await waitFor(async () => (await transfers.kept()).removals === 0);
      expect(await isEmpty(keys)).toBe(true);
    });

    test('are left by the loser of a double click, and only those are deleted', async () => {
      const files = [{ bytes: await jpeg() }];
      const all = new Set<string>();
      transfers.faults.put = async (key) => void all.add(key);
      const answers = await Promise.all([1, 2, 3].map(() => transfers.send({}, { files })));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      const kept = await objectKeys();
      expect(kept).toHaveLength(1);
      transfers.advance(16 * MINUTE_MS);
      await waitFor(async () => (await transfers.kept()).removals === 0);
      expect(await isWhole(kept)).toBe(true);
      expect(await isEmpty([...all].filter((key) => !kept.includes(key)))).toBe(true);
    });

    test('cannot be claimed once the sweep may delete them', async () => {
      transfers.faults.put = async (key) => {
        if (key.endsWith('view.jpg')) transfers.advance(15 * MINUTE_MS);
      };
      expect(await transfers.send()).toMatchObject({ status: 503, body: { type: 'unavailable' } });
      expect((await transfers.kept()).transfers).toBe(0);
    });
  });

  describe('evidence of decided transfers', () => {
    test('is kept by default', async () => {
      const { id, filename } = await withEvidence();
      await transfers.verify(id);
      transfers.advance(4_000 * DAY_MS);
      const other = await withEvidence();
      await transfers.send();
      expect((await transfers.evidence(filename)).status).toBe(200);
      expect((await transfers.evidence(other.filename)).status).toBe(200);
    });

    test('is deleted after its retention, and pending evidence stays', async () => {
      const decided = await withEvidence();
      const keys = await objectKeys();
      const waiting = await withEvidence();
      await transfers.verify(decided.id);
      await transfers.start({ evidenceRetentionDays: 30 });
      transfers.advance(29 * DAY_MS);
      expect((await transfers.evidence(decided.filename)).status).toBe(200);
      transfers.advance(2 * DAY_MS);
      await waitFor(() => isEmpty(keys));
      expect((await transfers.evidence(decided.filename)).status).toBe(404);
      expect((await transfers.evidence(waiting.filename)).status).toBe(200);
      expect((await transfers.order(decided.id)).manualPayment).toMatchObject({
        evidenceFiles: [],
        evidenceRemoved: true,
      });
    });
  });
});

const EVA = { name: 'Eva Ruiz', email: 'eva@arboleda.test' };

const orderUpdated = (
  orderId: string,
  customer: { name: string; email: string },
  at: string,
): NewEvent<'order.updated'> => ({
  type: 'order.updated',
  data: {
    orderId,
    trees: 5,
    amountMinor: 8_230_000,
    currency: 'COP',
    customer,
    language: 'es',
    changed: ['customer.email'],
    by: { role: 'admin', id: 'clara' },
    at,
  },
});

const customerErased = (
  email: string,
  { ordersToo = true, at = '2100-01-01T00:00:00.000Z' } = {},
): NewEvent<'customer.erased'> => ({
  type: 'customer.erased',
  data: { accountId: randomUUID(), email, ordersToo, at },
});

const customerOf = async (id: string) => {
  const { customerName: name, customerEmail: email } = await transfers.order(id);
  return { name, email };
};

/** Publishes a later event for another transfer and waits for it, so that earlier events are processed. */
async function taken() {
  const { body } = await transfers.send();
  await transfers.publish(orderUpdated(body.orderId, EVA, '2026-11-22T12:00:00.000Z'));
  await waitFor(async () => (await customerOf(body.orderId)).email === EVA.email);
}

describe('when orders changes the buyer', () => {
  test('the transfer changes too', async () => {
    const { body } = await transfers.send();
    await transfers.publish(orderUpdated(body.orderId, EVA, '2026-11-22T12:00:00.000Z'));
    await waitFor(async () => (await customerOf(body.orderId)).email === EVA.email);
    expect(await customerOf(body.orderId)).toEqual(EVA);
    await transfers.verify(body.orderId);
    const { data } = await transfers.events.next(
      'payment.succeeded',
      (event) => event.data.orderId === body.orderId,
    );
    expect(data.customer).toEqual(EVA);
  });

  test('an older event changes nothing', async () => {
    const { body } = await transfers.send();
    await transfers.publish(orderUpdated(body.orderId, EVA, '2026-11-22T12:00:00.000Z'));
    await waitFor(async () => (await customerOf(body.orderId)).email === EVA.email);
    const older = { name: 'Ana G.', email: 'ana@arboleda.test' };
    await transfers.publish(orderUpdated(body.orderId, older, '2026-11-22T11:59:59.000Z'));
    await taken();
    expect(await customerOf(body.orderId)).toEqual(EVA);
  });

  test('of an order paid by card, nothing happens', async () => {
    await transfers.publish(orderUpdated('0123456789abcdef01234567', EVA, '2026-11-22T12:00:00.000Z'));
    await taken();
  });
});

/**
 * All stored data about Zoe Quintero, as lines of text. Searched by whole words, as random tokens can contain
 * short strings by chance.
 */
async function storedOfZoe(): Promise<string[]> {
  const tables = ['transfers', 'transfer_evidence', 'evidence_removals', '_inbox', '_outbox'];
  const rows = await Promise.all(tables.map((table) => transfers.rows(`select * from ${table}`)));
  const lines = rows.flatMap((some, at) => some.map((row) => `${tables[at]}: ${JSON.stringify(row)}`));
  return lines.filter((line) => /zoe@|quintero|311 222/i.test(line));
}

describe('an erased buyer', () => {
  test.each([
    ['by their orders', (id: string) => orderUpdated(id, { ...ERASED_CUSTOMER }, '2026-11-22T12:00:00.000Z')],
    ['by their account', () => customerErased('zoe@arboleda.test')],
  ])('is forgotten with their files, %s', async (_how, event) => {
    const sent = await transfers.send(
      {
        customerName: 'Zoe Quintero',
        customerEmail: 'zoe@arboleda.test',
        customerPhone: '+57 311 222 3344',
      },
      { files: [{ bytes: await jpeg(), name: 'pago de Zoe Quintero.jpg' }] },
    );
    const id = sent.body.orderId as string;
    const [file] = (await transfers.order(id)).manualPayment.evidenceFiles;
    const [{ id: transferId } = { id: '' }] = await transfers.rows<{ id: string }>(
      'select id from transfers where order_id = $1',
      [id],
    );
    const keys = [`evidence/${transferId}/0/view.jpg`];
    const details = { words: 'From the Quintero family' };
    await transfers.rows('update transfers set details = $2 where id = $1', [transferId, details]);
    await transfers.publish(event(id));
    await waitFor(async () => (await customerOf(id)).email === ERASED_CUSTOMER.email);
    expect((await transfers.evidence(file.filename)).status).toBe(404);
    await waitFor(async () => {
      const infos = await Promise.all(keys.map((key) => transfers.objects.info(key)));
      return infos.every((info) => info === undefined);
    });
    await waitFor(async () => {
      expect(await storedOfZoe()).toEqual([]);
      return true;
    });
  });

  test('stays erased when an earlier change of the order arrives later', async () => {
    const { body } = await transfers.send();
    await transfers.publish(orderUpdated(body.orderId, EVA, '2026-11-22T13:00:00.000Z'));
    await waitFor(async () => (await customerOf(body.orderId)).email === EVA.email);
    await transfers.publish(orderUpdated(body.orderId, { ...ERASED_CUSTOMER }, '2026-11-22T12:00:00.000Z'));
    await waitFor(async () => (await customerOf(body.orderId)).email === ERASED_CUSTOMER.email);
    const [kept] = await transfers.rows('select * from transfers where order_id = $1', [body.orderId]);
    expect(kept).toMatchObject({ request_hash: '', fingerprint: null, locale: null });
  });

  test('is not confused with a later buyer under the same address', async () => {
    const { body } = await transfers.send({ customerEmail: 'nora@arboleda.test' });
    await transfers.publish(customerErased('nora@arboleda.test', { at: '2020-01-01T00:00:00.000Z' }));
    await taken();
    expect((await customerOf(body.orderId)).email).toBe('nora@arboleda.test');
  });

  test('stays erased, whatever event comes later', async () => {
    const { body } = await transfers.send();
    await transfers.publish(orderUpdated(body.orderId, { ...ERASED_CUSTOMER }, '2026-11-22T12:00:00.000Z'));
    await waitFor(async () => (await customerOf(body.orderId)).email === ERASED_CUSTOMER.email);
    await transfers.publish(orderUpdated(body.orderId, EVA, '2026-11-22T13:00:00.000Z'));
    await taken();
    expect((await customerOf(body.orderId)).email).toBe(ERASED_CUSTOMER.email);
  });

  test('with an unverified address erases no orders', async () => {
    const { body } = await transfers.send({ customerEmail: 'luz@arboleda.test' });
    await transfers.publish(customerErased('luz@arboleda.test', { ordersToo: false }));
    await taken();
    expect((await customerOf(body.orderId)).email).toBe('luz@arboleda.test');
  });

  test('can still be matched by the same file, which identifies nobody', async () => {
    const files = [{ bytes: await jpeg() }];
    const first = await transfers.send({}, { files });
    await transfers.publish(
      orderUpdated(first.body.orderId, { ...ERASED_CUSTOMER }, '2026-11-22T12:00:00.000Z'),
    );
    await waitFor(async () => (await customerOf(first.body.orderId)).email === ERASED_CUSTOMER.email);
    const second = await transfers.send({}, { files });
    expect(second.body.orderId).not.toBe(first.body.orderId);
    const { flags } = (await transfers.order(second.body.orderId)).manualPayment;
    expect(flags[0]).toMatchObject({ type: 'file-used-before', orders: [{ _id: first.body.orderId }] });
  });
});
