import { inTurn, type Race, race, times } from './race.ts';
import type { Started } from './paying.ts';
import { PASSWORD, type World } from './world.ts';

interface Leaver {
  email: string;
  token: string;
  /** Paid long before. */
  before: Started;
  /** Being paid now. */
  now: Started;
}

/** Somebody goes while an order of theirs is paid. */
export const eraseOrOrder: Race = race<Leaver>({
  name: 'account: erased while an order is paid',
  effect: 'the account goes once, no order is lost or doubled, the old one names nobody',
  prepare: (world, rounds) =>
    inTurn(rounds, async () => {
      const email = `leaver-${crypto.randomUUID()}@races.test`;
      const token = await world.put('customer', email);
      return { email, token, before: await world.driver.buy(email), now: await world.driver.start(email) };
    }),
  shots(world, { token, now }, clients) {
    const pay = world.driver.pay(now.client_secret);
    return times(clients, () => async () => {
      const answer = await world.call('POST /api/auth/me/deletion', {
        token,
        body: { currentPassword: PASSWORD },
      });
      await pay;
      return answer;
    });
  },
  async judge(world, played) {
    await world.settled();
    const orderIds = played.flatMap(({ round }) => [round.before.orderId, round.now.orderId]);
    const orders = await ordersOf(world, orderIds);
    const left = await world.rows<{ email: string }>(
      'select email from auth.accounts where email = any($1)',
      [played.map(({ round }) => round.email)],
    );
    return played.flatMap(({ round, answers }) => {
      const [before, now] = [round.before, round.now].map((one) => orders.get(one.orderId));
      const erasures = answers.filter(({ status }) => status === 202).length;
      return [
        ...(erasures === 1 ? [] : [`${round.email}: erased ${erasures} times`]),
        ...(left.some(({ email }) => email === round.email)
          ? [`${round.email}: the account is still there`]
          : []),
        ...(before === undefined ? [`order ${round.before.orderId} is gone`] : []),
        ...(before === round.email ? [`order ${round.before.orderId} still names ${round.email}`] : []),
        ...(now === undefined ? [`order ${round.now.orderId} was paid and is not there`] : []),
      ];
    });
  },
});

/** The worker of each order. */
async function ordersOf(world: World, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await world.rows<{ id: string; email: string }>(
    `select id, customer ->> 'email' as email from orders.orders where id = any($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, email }) => [id, email]));
}
