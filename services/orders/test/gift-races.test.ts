import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import type { Problem } from '@arboleda/contracts/problems.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decidePayment } from '../order/creation.ts';
import { decideClaim } from '../gift/gift.ts';
import { openOrderStore } from '../store.ts';
import { MIGRATIONS } from '../order/store.ts';
import type { OrderStore } from '../store.ts';
import { minute, payment } from './builders.ts';
import { giftTo } from './event-builders.ts';
import { TEMPLATE } from './fixture.ts';

let platform: TestPlatform;
let store: OrderStore;
beforeAll(async () => {
  platform = await openTestPlatform({ template: TEMPLATE });
  store = openOrderStore(await platform.sql('orders', MIGRATIONS));
});
afterAll(() => platform.close());

const ROUNDS = 10;
const CLAIMS = 20;

test('of twenty who claim a gift at once, exactly one gets it', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { record } = decidePayment(undefined, payment({ gift: giftTo() }).data)!;
    await store.change(record.id, () => ({ record }));
    const claim = async (accountId: string): Promise<string | undefined> => {
      const by = { accountId, name: 'Olga', email: 'olga@mail.test', language: 'es', at: minute(1) } as const;
      try {
        const order = await store.change(record.id, (current) => decideClaim(current!, by));
        return order!.gift!.claim!.accountId;
      } catch (error) {
        expect((error as Problem).type).toBe('gift-claimed');
        return undefined;
      }
    };
    const claimed = await Promise.all(Array.from({ length: CLAIMS }, (_, at) => claim(`account-${at}`)));
    const winners = claimed.filter((accountId) => accountId !== undefined);
    expect(winners).toHaveLength(1);
    const kept = (await store.get(record.id))!;
    expect(kept.gift!.claim!.accountId).toBe(winners[0]);
    expect(kept.timeline.filter(({ type }) => type === 'gift_claimed')).toHaveLength(1);
  }
});
