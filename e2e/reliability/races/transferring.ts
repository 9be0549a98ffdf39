import { inTurn } from '../../harness/wait.ts';
import { either, jpegOf, type Played, type Race, race, times, type Setup } from './race.ts';

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

async function announced(setup: Setup, rounds: number, trees: number): Promise<Announced[]> {
  const admins = [
    await setup.put('admin', 'first@races.test'),
    await setup.put('admin', 'second@races.test'),
  ] as const;
  return inTurn(rounds, async () => {
    const buffer = Buffer.from(await jpegOf(crypto.randomUUID()));
    const { orderId } = await setup.driver.announce('transfer@races.test', {
      trees,
      currency: 'USD',
      evidence: [{ name: 'proof.jpg', mimeType: 'image/jpeg', buffer }],
    });
    return { orderId, admins };
  });
}

const approve =
  (setup: Setup, { orderId }: Announced, token: string) =>
  () =>
    setup.call('POST /api/admin/manual-payments/verify/{id}', { params: { id: orderId }, token, body: {} });
const reject =
  (setup: Setup, { orderId }: Announced, token: string) =>
  () =>
    setup.call('POST /api/admin/manual-payments/reject/{id}', {
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

async function outcomes(setup: Setup, played: readonly Played<Announced>[]): Promise<Outcome[]> {
  await setup.settled();
  const ids = played.map(({ round }) => round.orderId);
  const kept = await setup.rows<Kept & { order_id: string }>(
    `select order_id, id as payment, status, state -> 'first' -> 'by' ->> 'id' as first,
       coalesce(state -> 'approval' -> 'by' ->> 'id', state -> 'by' ->> 'id') as last
     from payments.transfers where order_id = any($1)`,
    [ids],
  );
  const orders = await setup.rows<{ id: string; status: string; told: number }>(
    `select id, manual_payment ->> 'verificationStatus' as status,
       (select count(*)::int from jsonb_array_elements(timeline) e
        where e ->> 'type' in ('approved', 'rejected')) as told
     from orders.orders where id = any($1)`,
    [ids],
  );
  const mails = await setup.rows<{ id: string; kind: string }>(
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
  prepare: (setup, rounds) => announced(setup, rounds, 5),
  shots: (setup, round, clients) =>
    times(clients, (client) =>
      either(client, approve(setup, round, round.admins[0]), reject(setup, round, round.admins[1])),
    ),
  judge: async (setup, played) => (await outcomes(setup, played)).flatMap(faultOf),
});

export const twoAdmins: Race = race<Announced>({
  name: 'transfer: two admins approve',
  effect: 'one approval, told once',
  prepare: (setup, rounds) => announced(setup, rounds, 5),
  shots: (setup, round, clients) =>
    times(clients, (client) => approve(setup, round, either(client, ...round.admins))),
  async judge(setup, played) {
    const found = await outcomes(setup, played);
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
  prepare: (setup, rounds) => announced(setup, rounds, 500),
  shots: (setup, round, clients) =>
    times(clients, (client) => approve(setup, round, either(client, ...round.admins))),
  async judge(setup, played) {
    const found = await outcomes(setup, played);
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
  prepare: (setup, rounds) => announced(setup, rounds, 5),
  shots(setup, round, clients) {
    const payment = setup.rows<{ id: string }>('select id from payments.transfers where order_id = $1', [
      round.orderId,
    ]);
    return times(clients, (client) =>
      either(client, approve(setup, round, round.admins[0]), async () =>
        setup.call('POST /api/admin/payments/{id}/refunds', {
          params: { id: (await payment)[0]!.id },
          token: round.admins[1],
          body: { reason: 'Sent by mistake' },
        }),
      ),
    );
  },
  async judge(setup, played) {
    const found = await outcomes(setup, played);
    const refunds = await setup.rows<{
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
