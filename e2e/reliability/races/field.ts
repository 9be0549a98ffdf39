import { inTurn, waitFor } from '../../harness/wait.ts';
import { either, jpegOf, type Played, type Race, race, times, type Setup } from './race.ts';

interface Work {
  orderId: string;
  assignmentId: string;
  /** The worker who has it. */
  worker: string;
  admin: string;
  others: readonly [string, string];
}

const STATUS = 'PUT /api/workers/assignments/{id}/status';
const STAFF = { worker: 'QU-701', one: 'QU-702', two: 'QU-703' };

const idOf = async (setup: Setup, code: string): Promise<string> =>
  (await setup.rows<{ id: string }>('select account_id as id from auth.workers where code = $1', [code]))[0]!
    .id;

/** Paid orders that one worker has. */
async function assigned(setup: Setup, rounds: number): Promise<Work[]> {
  const admin = await setup.put('admin', 'field@races.test');
  const worker = await setup.put('worker', 'field@races.test', STAFF.worker);
  await setup.put('worker', 'one@races.test', STAFF.one);
  await setup.put('worker', 'two@races.test', STAFF.two);
  const workerId = await idOf(setup, STAFF.worker);
  const others = [await idOf(setup, STAFF.one), await idOf(setup, STAFF.two)] as const;
  const work = await inTurn(rounds, async () => {
    const { orderId } = await setup.driver.buy('field@races.test');
    const params = { id: orderId };
    // Known to assignments, and given out there by itself or by us.
    await waitFor(`the worker of ${orderId}`, async () => {
      const given = await setup.call('PUT /api/admin/orders/{id}/assignment', {
        params,
        token: admin,
        body: { workerId, reason: 'For this race' },
      });
      return given.status === 200;
    });
    return { orderId, assignmentId: `assignment-${orderId}`, worker, admin, others };
  });
  await setup.settled();
  return work;
}

interface Standing {
  orderId: string;
  status: string;
  worker: string | null;
  timeline: { type: string; from?: string; to?: string }[];
  /** In assignments. */
  fieldStatus: string;
  fieldWorker: string | null;
  heldBy: string | null;
  photos: number;
}

/** How an order stands, and how the field says it does. */
async function standings(setup: Setup, played: readonly Played<{ orderId: string }>[]): Promise<Standing[]> {
  await setup.settled();
  return setup.rows<Standing>(
    `select o.id as "orderId", o.status, o.worker ->> 'workerId' as worker, o.timeline, a.status as "fieldStatus",
       a.worker_id as "fieldWorker", a.history -> -1 -> 'worker' ->> 'workerId' as "heldBy",
       jsonb_array_length(o.photos)::int as photos
     from orders.orders o join assignments.assignments a on a.order_id = o.id
     where o.id = any($1)`,
    [played.map(({ round }) => round.orderId)],
  );
}

/** Orders and the field agree, and the history is one that can have happened. */
function faultsOf(standing: Standing): string[] {
  const { orderId, status, timeline, fieldStatus, worker, fieldWorker, heldBy } = standing;
  const steps = timeline.filter(({ type }) => type === 'status_changed');
  const broken = steps.find((step, at) => at > 0 && step.from !== steps[at - 1]!.to);
  return [
    ...(status === fieldStatus ? [] : [`order ${orderId} is ${status}, in the field ${fieldStatus}`]),
    ...(worker === fieldWorker ? [] : [`order ${orderId} is ${worker}'s, in the field ${fieldWorker}'s`]),
    ...(fieldWorker === heldBy ? [] : [`order ${orderId}: the list of holders ends with ${heldBy}`]),
    ...(steps.at(-1)?.to === status ? [] : [`order ${orderId}: its history does not end in ${status}`]),
    ...(broken ? [`order ${orderId}: a step from ${broken.from} after another one`] : []),
  ];
}

export const workerOrAdmin: Race = race<Work>({
  name: 'status: by the worker and by an admin',
  effect: 'a history without a gap, and one status everywhere',
  prepare: assigned,
  shots: (setup, { orderId, assignmentId, worker, admin }, clients) =>
    times(clients, (client) =>
      either(
        client,
        () =>
          setup.call(STATUS, {
            params: { id: assignmentId },
            token: worker,
            body: { status: either(client / 2, 'planted', 'completed') },
          }),
        () =>
          setup.call('PUT /api/admin/orders/{id}/status', {
            params: { id: orderId },
            token: admin,
            body: { status: either((client - 1) / 2, 'completed', 'pending'), reason: 'As the desk has it' },
          }),
      ),
    ),
  judge: async (setup, played) => (await standings(setup, played)).flatMap(faultsOf),
});

export const twoWorkers: Race = race<Work & { revision?: string }>({
  name: 'assignment: given to two workers',
  effect: 'one of them has it, by the first decision on what was read',
  async prepare(setup, rounds) {
    const work = await assigned(setup, rounds);
    return inTurn(work.length, async (at) => {
      const answer = await setup.call('GET /api/admin/orders/{id}/assignment', {
        params: { id: work[at]!.orderId },
        token: work[at]!.admin,
      });
      return { ...work[at]!, revision: answer.headers.get('etag') ?? '' };
    });
  },
  shots: (setup, { orderId, admin, others, revision }, clients) =>
    times(
      clients,
      (client) => () =>
        setup.call('PUT /api/admin/orders/{id}/assignment', {
          params: { id: orderId },
          token: admin,
          headers: { 'If-Match': revision ?? '' },
          body: { workerId: either(client, ...others), reason: 'Nearer' },
        }),
    ),
  async judge(setup, played) {
    const counts = played.flatMap(({ round, answers }) => {
      const changed = answers.filter(({ status, body }) => status === 200 && body.changed);
      const holder = changed[0]?.body.assignment.worker.workerId;
      return changed.length === 1 && holder ? [] : [`order ${round.orderId}: given ${changed.length} times`];
    });
    return [...counts, ...(await standings(setup, played)).flatMap(faultsOf)];
  },
});

interface Shooting extends Work {
  /** The picture, and what the phone called it. */
  text: string;
  clientId: string;
}

export const samePhoto: Race = race<Shooting>({
  name: 'photo: sent by many at once',
  effect: 'kept once, shown once',
  async prepare(setup, rounds) {
    const work = await assigned(setup, rounds);
    return inTurn(work.length, async (at) => {
      const one = work[at]!;
      const planted = await setup.call(STATUS, {
        params: { id: one.assignmentId },
        token: one.worker,
        body: { status: 'planted' },
      });
      if (planted.status !== 200) throw new Error(`planted: ${planted.status}`);
      return { ...one, text: crypto.randomUUID(), clientId: crypto.randomUUID() };
    });
  },
  shots(setup, { assignmentId, worker, text, clientId }, clients) {
    const bytes = jpegOf(text);
    return times(clients, () => async () => {
      const form = new FormData();
      form.append('photos', new Blob([new Uint8Array(await bytes)]), 'planted.jpg');
      form.append('details', JSON.stringify([{ clientId }]));
      return setup.call('POST /api/workers/assignments/{id}/photos', {
        params: { id: assignmentId },
        token: worker,
        form,
      });
    });
  },
  async judge(setup, played) {
    const shown = await standings(setup, played);
    const kept = await setup.rows<{ id: string; n: number }>(
      `select order_id as id, count(*)::int as n from media.photos where order_id = any($1) group by 1`,
      [played.map(({ round }) => round.orderId)],
    );
    return played.flatMap(({ round: { orderId }, answers }) => {
      const fresh = answers.filter(({ status, body }) => status === 201 && !body.photos[0].duplicate).length;
      const count = kept.find(({ id }) => id === orderId)?.n ?? 0;
      const seen = shown.find((one) => one.orderId === orderId)?.photos ?? 0;
      if (count === 1 && seen === 1 && fresh === 1) return [];
      return [`order ${orderId}: ${count} photos kept, ${seen} shown, ${fresh} times called new`];
    });
  },
});
