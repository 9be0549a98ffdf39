import { transfersEndpoints } from '@arboleda/contracts/endpoints/transfers.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { jpeg } from './pictures.ts';
import { startTestTransfers, type TestTransfers } from './transfers.ts';

jest.setTimeout(60_000);

describe('the list of transfers', () => {
  let transfers: TestTransfers;

  beforeEach(async () => {
    transfers = await startTestTransfers();
  });

  afterEach(() => transfers.close());

  async function sendMany(count: number): Promise<string[]> {
    const ids = [];
    for (let each = 0; each < count; each++) {
      ids.push((await transfers.send()).body.orderId);
      transfers.advance(60_000);
    }
    return ids;
  }

  const idsOf = (answer: { body: { orders: { _id: string }[] } }) => answer.body.orders.map(({ _id }) => _id);

  describe('pending transfers', () => {
    test('have the product spec’s shape', async () => {
      const bytes = await jpeg();
      const { body } = await transfers.send(
        { referenceNumber: 'M123456' },
        { files: [{ bytes, name: 'comprobante (1).jpg' }] },
      );
      const answer = await transfers.list();
      expect(answer.body).toEqual({
        orders: [
          {
            _id: body.orderId,
            shortId: body.shortId,
            status: 'pending',
            trees: 5,
            packageType: 'grove',
            amount: 8_230_000,
            currency: 'COP',
            customerEmail: 'ana@arboleda.test',
            customerName: 'Ana García',
            customerPhone: '+57 300 000 0000',
            customerCountry: 'CO',
            createdAt: expect.any(String),
            method: { kind: 'transfer', bank: 'bancolombia' },
            paymentMethod: 'manual_bancolombia',
            manualPayment: {
              referenceNumber: 'M123456',
              referenceOrigin: 'other',
              verificationStatus: 'pending',
              evidenceFiles: [
                {
                  filename: expect.stringMatching(/\.jpg$/),
                  originalName: 'comprobante (1).jpg',
                  fileSize: bytes.length,
                },
              ],
              evidenceRemoved: false,
              flags: [],
              needsSecondAdmin: false,
              statement: { rows: [] },
            },
          },
        ],
        total: 1,
        oldestAt: answer.body.orders[0].createdAt,
      });
      const { response } = transfersEndpoints['GET /api/admin/manual-payments/pending-verification'];
      expect(response.parse(answer.body)).toEqual(answer.body);
    });

    test('are empty at first', async () => {
      expect((await transfers.list()).body).toEqual({ orders: [], total: 0 });
    });

    test('come in pages, oldest first', async () => {
      const ids = await sendMany(5);
      const seen = [];
      let cursor: string | undefined;
      do {
        const answer = await transfers.list({ limit: '2', ...(cursor && { cursor }) });
        expect(answer.body.total).toBe(5);
        seen.push(...idsOf(answer));
        cursor = answer.body.nextCursor;
      } while (cursor);
      expect(seen).toEqual(ids);
    });

    test('no longer include decided ones, which form the history, newest first', async () => {
      const [approved, rejected, waiting] = await sendMany(3);
      await transfers.verify(approved!);
      await transfers.reject(rejected!);
      expect(idsOf(await transfers.list())).toEqual([waiting]);
      expect(idsOf(await transfers.list({ status: 'approved' }))).toEqual([approved]);
      expect(idsOf(await transfers.list({ status: 'rejected' }))).toEqual([rejected]);
      const first = await transfers.list({ status: 'all', limit: '2' });
      expect(idsOf(first)).toEqual([waiting, rejected]);
      const second = await transfers.list({ status: 'all', limit: '2', cursor: first.body.nextCursor });
      expect(idsOf(second)).toEqual([approved]);
      expect(second.body).not.toHaveProperty('nextCursor');
      expect(second.body.orders[0]).not.toHaveProperty('status');
    });
  });
});
