import { waitFor } from '../../harness/wait.ts';
import { jpegOf } from './pictures.ts';
import { either, inTurn, type Played, type Race, race, times } from './race.ts';
import type { World } from './world.ts';

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

const idOf = async (world: World, code: string): Promise<string> =>
  (await world.rows<{ id: string }>('select account_id as id from auth.workers where code = $1', [code]))[0]!
    .id;

/** Paid orders that one worker has. */
async function assigned(world: World, rounds: number): Promise<Work[]> {
  const admin = await world.put('admin', 'field@races.test');
  const worker = await world.put('worker', 'field@races.test', { code: STAFF.worker });
  await world.put('worker', 'one@races.test', { code: STAFF.one });
  await world.put('worker', 'two@races.test', { code: STAFF.two });
  const workerId = await idOf(world, STAFF.worker);
  const others = [await idOf(world, STAFF.one), await idOf(world, STAFF.two)] as const;
  const work = await inTurn(rounds, async () => {
    const { orderId } = await world.driver.buy('field@races.test');
    const params = { id: orderId };
    // Known to assignments, and given out there by itself or by us.
    await waitFor(`the worker of ${orderId}`, async () => {
      const given = await world.call('PUT /api/admin/orders/{id}/assignment', {
        params,
        token: admin,
        body: { workerId, reason: 'For this race' },
      });
      return given.status === 200;
    });
    return { orderId, assignmentId: `assignment-${orderId}`, worker, admin, others };
  });
  await world.settled();
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
async function standings(world: World, played: readonly Played<{ orderId: string }>[]): Promise<Standing[]> {
  await world.settled();
  return world.rows<Standing>(
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
  shots: (world, { orderId, assignmentId, worker, admin }, clients) =>
    times(clients, (client) =>
      either(
        client,
        () =>
          world.call(STATUS, {
            params: { id: assignmentId },
            token: worker,
            body: { status: either(client / 2, 'planted', 'completed') },
          }),
        () =>
          world.call('PUT /api/admin/orders/{id}/status', {
            params: { id: orderId },
            token: admin,
            body: { status: either((client - 1) / 2, 'completed', 'pending'), reason: 'As the desk has it' },
          }),
      ),
    ),
  judge: async (world, played) => (await standings(world, played)).flatMap(faultsOf),
});

export const twoWorkers: Race = race<Work & { revision?: string }>({
  name: 'assignment: given to two workers',
  effect: 'one of them has it, by the first decision on what was read',
  async prepare(world, rounds) {
    const work = await assigned(world, rounds);
    return inTurn(work.length, async (at) => {
      const answer = await world.call('GET /api/admin/orders/{id}/assignment', {
        params: { id: work[at]!.orderId },
        token: work[at]!.admin,
      });
      return { ...work[at]!, revision: answer.headers.get('etag') ?? '' };
    });
  },
  shots: (world, { orderId, admin, others, revision }, clients) =>
    times(
      clients,
      (client) => () =>
        world.call('PUT /api/admin/orders/{id}/assignment', {
          params: { id: orderId },
          token: admin,
          headers: { 'If-Match': revision ?? '' },
          body: { workerId: either(client, ...others), reason: 'Nearer' },
        }),
    ),
  async judge(world, played) {
    const counts = played.flatMap(({ round, answers }) => {
      const changed = answers.filter(({ status, body }) => status === 200 && body.changed);
      const holder = changed[0]?.body.assignment.worker.workerId;
      return changed.length === 1 && holder ? [] : [`order ${round.orderId}: given ${changed.length} times`];
    });
    return [...counts, ...(await standings(world, played)).flatMap(faultsOf)];
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
  async prepare(world, rounds) {
    const work = await assigned(world, rounds);
    return inTurn(work.length, async (at) => {
      const one = work[at]!;
      const planted = await world.call(STATUS, {
        params: { id: one.assignmentId },
        token: one.worker,
        body: { status: 'planted' },
      });
      if (planted.status !== 200) throw new Error(`planted: ${planted.status}`);
      return { ...one, text: crypto.randomUUID(), clientId: crypto.randomUUID() };
    });
  },
  shots(world, { assignmentId, worker, text, clientId }, clients) {
    const bytes = jpegOf(text);
    return times(clients, () => async () => {
      const form = new FormData();
      form.append('photos', new Blob([new Uint8Array(await bytes)]), 'planted.jpg');
      form.append('details', JSON.stringify([{ clientId }]));
      return world.call('POST /api/workers/assignments/{id}/photos', {
        params: { id: assignmentId },
        token: worker,
        form,
      });
    });
  },
  async judge(world, played) {
    const shown = await standings(world, played);
    const kept = await world.rows<{ id: string; n: number }>(
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
