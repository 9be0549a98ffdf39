import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { jpeg } from './pictures.ts';
import { quoteOf, startTestTransfers, type TestTransfers } from './transfers.ts';

jest.setTimeout(60_000);

let transfers: TestTransfers;

beforeAll(async () => {
  transfers = await startTestTransfers();
});

afterAll(() => transfers.close());

const onePicture = async () => [{ bytes: await jpeg() }];

const ordersOf = async (email: string) =>
  transfers.rows<{ order_id: string }>(
    `select order_id from transfers where customer ->> 'email' = $1 order by created_at`,
    [email],
  );

const somebody = () => `${randomUUID()}@arboleda.test`;

describe('the same idempotency key', () => {
  test('gives the same answer and is published once', async () => {
    const files = await onePicture();
    const key = randomUUID();
    const first = await transfers.send({}, { files, key });
    const again = await transfers.send({}, { files, key });
    expect(again).toMatchObject({ status: 201, body: first.body });
    await transfers.events.next('payment.submitted', ({ data }) => data.orderId === first.body.orderId);
    const other = await transfers.send();
    await transfers.events.next('payment.submitted', ({ data }) => data.orderId === other.body.orderId);
    const received = transfers.events.all('payment.submitted').map(({ data }) => data.orderId);
    expect(received.filter((id) => id === first.body.orderId)).toHaveLength(1);
  });

  test('with other details or other files is refused', async () => {
    const files = await onePicture();
    const key = randomUUID();
    await transfers.send({}, { files, key });
    for (const [fields, other] of [
      [{ customerName: 'Eva' }, files],
      [{ referenceNumber: 'M-1234' }, files],
      [{}, await onePicture()],
    ] as const) {
      const answer = await transfers.send(fields, { files: other, key });
      expect(answer).toMatchObject({ status: 409, body: { type: 'idempotency-conflict' } });
    }
  });

  test('finds its order after the quote has expired and the transfer was rejected', async () => {
    const files = await onePicture();
    const key = randomUUID();
    const quote = await quoteOf('COP', 4000, transfers.inSeconds(30));
    const first = await transfers.send({ quote }, { files, key });
    await transfers.reject(first.body.orderId);
    transfers.advance(60_000);
    expect((await transfers.send({ quote }, { files, key })).body).toEqual(first.body);
  });

  test('twenty times at once at two replicas makes one order', async () => {
    const replica = await transfers.start();
    const files = await onePicture();
    const key = randomUUID();
    const email = somebody();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        transfers.send({ customerEmail: email }, { files, key, url: at % 2 ? replica.url : transfers.url }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ body }) => body.orderId)).size).toBe(1);
    expect(await ordersOf(email)).toHaveLength(1);
  });
});

describe('the same files by the same buyer for the same purchase, without a key,', () => {
  test('are one order when both clicks come at once', async () => {
    const files = await onePicture();
    const email = somebody();
    const answers = await Promise.all(
      [1, 2, 3].map(() => transfers.send({ customerEmail: email }, { files })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.orderToken)).size).toBe(1);
    expect(await ordersOf(email)).toHaveLength(1);
  });

  test('are one order while it is pending, whatever the order and names of the files', async () => {
    const [one, other] = [await jpeg(), await jpeg()];
    const first = await transfers.send({}, { files: [{ bytes: one }, { bytes: other }] });
    transfers.advance(3 * 60 * 60_000);
    const files = [{ bytes: other, name: 'copy.jpg' }, { bytes: one }];
    expect((await transfers.send({}, { files })).body.orderId).toBe(first.body.orderId);
  });

  test('are one order soon after the approval, and a new one later', async () => {
    const files = await onePicture();
    const first = await transfers.send({}, { files });
    await transfers.verify(first.body.orderId);
    expect((await transfers.send({}, { files })).body.orderId).toBe(first.body.orderId);
    transfers.advance(60 * 60_000);
    expect((await transfers.send({}, { files })).body.orderId).not.toBe(first.body.orderId);
  });

  test('are a new order after a rejection, as buyers retry that way', async () => {
    const files = await onePicture();
    const first = await transfers.send({}, { files });
    await transfers.reject(first.body.orderId);
    const again = await transfers.send({}, { files });
    expect(again.status).toBe(201);
    expect(again.body.orderId).not.toBe(first.body.orderId);
  });

  test.each([
    ['another person', { customerEmail: 'eva@arboleda.test' }],
    ['another purchase', { trees: '1', packageType: 'individual' }],
  ])('are another order with another %s', async (_what, fields) => {
    const files = await onePicture();
    const first = await transfers.send({}, { files });
    expect((await transfers.send(fields, { files })).body.orderId).not.toBe(first.body.orderId);
  });

  test('are another order with other files', async () => {
    const email = somebody();
    await transfers.send({ customerEmail: email });
    await transfers.send({ customerEmail: email });
    expect(await ordersOf(email)).toHaveLength(2);
  });
});
