import { afterAll, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { probeEvents } from '../testing/probe.ts';

let platform: TestPlatform;
afterAll(() => platform.close());

test('a changed document is heard of', async () => {
  platform = await openTestPlatform();
  const probe = await probeEvents(platform, ['payment.failed']);
  const documents = await platform.documents('orders');
  const things = await documents.collection<{ _id: string; n: number; s: string }>({
    name: 'things',
    indexes: [{ name: 'by n', fields: { n: 'asc', _id: 'asc' } }],
  });
  await things.change('a', () => ({
    document: { _id: 'a', n: 1, s: 'x' },
    events: [
      {
        type: 'payment.failed',
        data: {
          orderId: '0123456789abcdef01234567',
          paymentId: 'p',
          reason: 'r',
          at: new Date().toISOString(),
        },
      },
    ],
  }));
  const event = await probe.next('payment.failed');
  expect(event.sequence).toBe(1);
  expect(
    await things.find({ where: { n: { gte: 1 } }, sort: [{ field: 'n', direction: 'asc' }] }),
  ).toHaveLength(1);
});
