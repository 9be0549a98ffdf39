import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { jpeg } from '../testing/pictures.ts';
import { startTestTransfers, type TestTransfers } from '../testing/transfers.ts';

jest.setTimeout(60_000);

let transfers: TestTransfers;
beforeAll(async () => {
  transfers = await startTestTransfers();
});
afterAll(() => transfers.close());

describe('what an admin should look at:', () => {
  const flagsOf = async (id: string) => (await transfers.order(id)).manualPayment.flags;

  test('the same file was sent with another order', async () => {
    const files = [{ bytes: await jpeg() }];
    const first = await transfers.send({}, { files });
    await transfers.reject(first.body.orderId);
    const second = await transfers.send(
      { customerEmail: 'eva@arboleda.test' },
      { files: [{ bytes: await jpeg() }, ...files] },
    );
    const [, used] = (await transfers.order(second.body.orderId)).manualPayment.evidenceFiles;
    expect(await flagsOf(second.body.orderId)).toEqual([
      {
        type: 'file-used-before',
        filename: used.filename,
        orders: [{ _id: first.body.orderId, shortId: first.body.shortId, verificationStatus: 'rejected' }],
      },
    ]);
  });

  test('the same reference, however it was typed', async () => {
    const first = await transfers.send({ referenceNumber: 'm-123 456' });
    const second = await transfers.send({ referenceNumber: 'M123456' });
    expect(await flagsOf(second.body.orderId)).toEqual([
      {
        type: 'reference-used-before',
        orders: [{ _id: first.body.orderId, shortId: first.body.shortId, verificationStatus: 'pending' }],
      },
    ]);
  });

  test('references that say nothing are nobody’s', async () => {
    await transfers.send({ referenceNumber: '1' });
    const { body } = await transfers.send({ referenceNumber: '1' });
    expect(await flagsOf(body.orderId)).toEqual([]);
  });

  test('at most ten others, the oldest first', async () => {
    const files = [{ bytes: await jpeg() }];
    const ids = [];
    for (let each = 0; each < 12; each++) {
      ids.push((await transfers.send({ customerEmail: `${each}@arboleda.test` }, { files })).body.orderId);
    }
    const [flag] = await flagsOf(ids.at(-1));
    expect(flag.orders.map(({ _id }: { _id: string }) => _id)).toEqual(ids.slice(0, 10));
  });

  test('one of our references with a wrong letter', async () => {
    const { body } = await transfers.send({ referenceNumber: 'ARB-222223' });
    expect(await flagsOf(body.orderId)).toEqual([{ type: 'reference-mistyped' }]);
  });
});

test.each([
  ['limit', '0'],
  ['limit', 'all'],
  ['limit', '101'],
  ['status', 'lost'],
  ['cursor', 'bm8'],
  ['cursor', 'x'.repeat(401)],
])('the list is not shown by %s=%s', async (name, value) => {
  const answer = await transfers.list({ [name]: value });
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: name }] } });
});
