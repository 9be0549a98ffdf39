import { jpegOf } from './pictures.ts';
import { either, inTurn, type Played, type Race, race, times } from './race.ts';
import type { World } from './world.ts';

interface Announced {
  orderId: string;
  /** Two admins' sessions. */
  admins: readonly [string, string];
}

interface Kept {
  id: string;
  status: string;
  first: string | null;
  last: string | null;
  payment: string;
}

async function announced(world: World, rounds: number, trees: number): Promise<Announced[]> {
  const admins = [
    await world.put('admin', 'first@races.test'),
    await world.put('admin', 'second@races.test'),
  ] as const;
  return inTurn(rounds, async () => {
    const buffer = Buffer.from(await jpegOf(crypto.randomUUID()));
    const { orderId } = await world.driver.announce('transfer@races.test', {
      trees,
      currency: 'USD',
      evidence: [{ name: 'proof.jpg', mimeType: 'image/jpeg', buffer }],
    });
    return { orderId, admins };
  });
}

const approve =
  (world: World, { orderId }: Announced, token: string) =>
  () =>
    world.call('POST /api/admin/manual-payments/verify/{id}', { params: { id: orderId }, token, body: {} });
const reject =
  (world: World, { orderId }: Announced, token: string) =>
  () =>
    world.call('POST /api/admin/manual-payments/reject/{id}', {
      params: { id: orderId },
      token,
      body: { reason: 'No money came' },
    });

/** The transfer, and what others heard of it. */
interface Outcome {
  kept: Kept;
  /** By the order, "approved" and the like, or that there is none. */
  inOrder: string;
  /** Decisions in the order's history. */
  told: number;
  mails: string[];
}

async function outcomes(world: World, played: readonly Played<Announced>[]): Promise<Outcome[]> {
  await world.settled();
  const ids = played.map(({ round }) => round.orderId);
  const kept = await world.rows<Kept & { order_id: string }>(
    `select order_id, id as payment, status, state -> 'first' -> 'by' ->> 'id' as first,
       coalesce(state -> 'approval' -> 'by' ->> 'id', state -> 'by' ->> 'id') as last
     from payments.transfers where order_id = any($1)`,
    [ids],
  );
  const orders = await world.rows<{ id: string; status: string; told: number }>(
    `select id, manual_payment ->> 'verificationStatus' as status,
       (select count(*)::int from jsonb_array_elements(timeline) e
        where e ->> 'type' in ('approved', 'rejected')) as told
     from orders.orders where id = any($1)`,
    [ids],
  );
  const mails = await world.rows<{ id: string; kind: string }>(
    `select order_id as id, kind from notifications.mails
     where order_id = any($1) and kind in ('transfer-approved', 'transfer-rejected')`,
    [ids],
  );
  return ids.map((orderId) => {
    const order = orders.find(({ id }) => id === orderId);
    return {
      kept: kept.find((one) => one.order_id === orderId)!,
      inOrder: order?.status ?? 'no order',
      told: order?.told ?? 0,
      mails: mails.filter(({ id }) => id === orderId).map(({ kind }) => kind),
    };
  });
}

/** One decision that stands, told once to the order and once to the donor. */
function faultOf({ kept, inOrder, told, mails }: Outcome): string[] {
  const isOne = kept.status === inOrder && told === 1 && mails.join() === `transfer-${kept.status}`;
  return isOne && kept.status !== 'pending'
    ? []
    : [
        `transfer ${kept.payment}: ${kept.status}, its order ${inOrder}, told ${told} times, mailed ${mails.join() || 'nothing'}`,
      ];
}

export const approveOrReject: Race = race<Announced>({
  name: 'transfer: approved and rejected',
  effect: 'one decision, told once',
  prepare: (world, rounds) => announced(world, rounds, 5),
  shots: (world, round, clients) =>
    times(clients, (client) =>
      either(client, approve(world, round, round.admins[0]), reject(world, round, round.admins[1])),
    ),
  judge: async (world, played) => (await outcomes(world, played)).flatMap(faultOf),
});

export const twoAdmins: Race = race<Announced>({
  name: 'transfer: two admins approve',
  effect: 'one approval, told once',
  prepare: (world, rounds) => announced(world, rounds, 5),
  shots: (world, round, clients) =>
    times(clients, (client) => approve(world, round, either(client, ...round.admins))),
  async judge(world, played) {
    const found = await outcomes(world, played);
    return found.flatMap((one) =>
      one.kept.status === 'approved' && one.kept.first === null
        ? faultOf(one)
        : [`transfer ${one.kept.payment} is ${one.kept.status}, first approved by ${one.kept.first}`],
    );
  },
});

export const twoNeeded: Race = race<Announced>({
  name: 'transfer: two approvals needed',
  effect: 'both count, by two different admins, told once',
  prepare: (world, rounds) => announced(world, rounds, 500),
  shots: (world, round, clients) =>
    times(clients, (client) => approve(world, round, either(client, ...round.admins))),
  async judge(world, played) {
    const found = await outcomes(world, played);
    return found.flatMap((one) =>
      one.kept.first !== null && one.kept.first !== one.kept.last
        ? faultOf(one)
        : [`transfer ${one.kept.payment}: approved by ${one.kept.first} and ${one.kept.last}`],
    );
  },
});

export const refundOrApprove: Race = race<Announced>({
  name: 'transfer: approved while refunded',
  effect: 'approved once; given back once or not at all, and all books agree',
  prepare: (world, rounds) => announced(world, rounds, 5),
  shots(world, round, clients) {
    const payment = world.rows<{ id: string }>('select id from payments.transfers where order_id = $1', [
      round.orderId,
    ]);
    return times(clients, (client) =>
      either(client, approve(world, round, round.admins[0]), async () =>
        world.call('POST /api/admin/payments/{id}/refunds', {
          params: { id: (await payment)[0]!.id },
          token: round.admins[1],
          body: { reason: 'Sent by mistake' },
        }),
      ),
    );
  },
  async judge(world, played) {
    const found = await outcomes(world, played);
    const refunds = await world.rows<{
      id: string;
      n: number;
      is_all: boolean;
      in_order: number;
      sum: number;
    }>(
      `select t.id, count(r.id)::int as n, coalesce(sum(r.amount_minor), 0)::int as sum,
         o.refunded_minor::int as in_order
       from payments.transfers t join orders.orders o on o.id = t.order_id
       left join payments.refunds r on r.subject_id = t.id and r.status = 'succeeded'
       where t.order_id = any($1) group by t.id, o.id`,
      [played.map(({ round }) => round.orderId)],
    );
    return found.flatMap((one) => {
      const money = refunds.find(({ id }) => id === one.kept.payment);
      const isRight = money !== undefined && money.n <= 1 && money.sum === money.in_order;
      const faults =
        one.kept.status === 'approved'
          ? faultOf(one)
          : [`transfer ${one.kept.payment} is ${one.kept.status}`];
      return isRight ? faults : [...faults, `transfer ${one.kept.payment}: ${JSON.stringify(money)}`];
    });
  },
});
