import type { Gift } from '@arboleda/contracts/gift.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { inTurn } from '../../harness/wait.ts';
import { race, type Race, times } from './race.ts';

const CLAIMANTS = 20;

const byHand = (): Gift => ({
  recipientName: 'Olga Ruiz',
  recipientEmail: null,
  message: 'Para ti',
  language: 'es',
  card: 'forest',
  deliverOn: dayOf(new Date()),
  timeZone: 'America/Bogota',
});

interface Given {
  orderId: string;
  giftToken: string;
  /** Sessions of those who claim it. */
  sessions: readonly string[];
}

export const claimTwice: Race = race<Given>({
  name: 'gift: one gift, many who claim it',
  effect: 'one account has it; the others get a refusal',
  async prepare(setup, rounds) {
    const sessions = await inTurn(CLAIMANTS, () =>
      setup.put('customer', `claim-${crypto.randomUUID()}@races.test`),
    );
    return inTurn(rounds, async () => {
      const { orderId } = await setup.driver.buy(`giver-${crypto.randomUUID()}@races.test`, {
        gift: byHand(),
      });
      const [order] = await setup.rows<{ token: string }>(
        'select gift_token as token from orders.orders where id = $1',
        [orderId],
      );
      return { orderId, giftToken: order!.token, sessions };
    });
  },
  shots: (setup, { giftToken, sessions }, clients) =>
    times(
      clients,
      (client) => () =>
        setup.call('POST /api/gifts/{token}/claim', {
          params: { token: giftToken },
          token: sessions[client % sessions.length]!,
        }),
    ),
  async judge(setup, played) {
    const kept = await setup.rows<{ id: string; account: string | null; claims: number }>(
      `select id, gift_account as account,
         (select count(*)::int from jsonb_array_elements(timeline) entry where entry->>'type' = 'gift_claimed') as claims
       from orders.orders where id = any($1)`,
      [played.map(({ round }) => round.orderId)],
    );
    return played.flatMap(({ round, answers }) => {
      const won = answers.filter(({ status }) => status === 200).length;
      const refused = answers.filter(
        ({ status, body }) => status === 409 && body.type === 'gift-claimed',
      ).length;
      const order = kept.find(({ id }) => id === round.orderId);
      return won === 1 && refused === answers.length - 1 && order?.account && order.claims === 1
        ? []
        : [`${round.orderId}: claimed ${won} times, refused ${refused} times, kept ${order?.claims} claims`];
    });
  },
});
