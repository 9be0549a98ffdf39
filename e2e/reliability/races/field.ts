import { inTurn } from '../../harness/wait.ts';
import { pictureForm } from '@arboleda/cli/demo/photos.ts';
import { either, picture, type Played, type Race, race, type Setup } from './race.ts';

interface Work {
  orderId: string;
  assignmentId: string;
  worker: string;
  admin: string;
}

const WORKER = 'field@races.test';

/** Paid orders of one worker. */
async function assigned(setup: Setup, rounds: number): Promise<Work[]> {
  const admin = await setup.logIn('admin', WORKER);
  const worker = await setup.logIn('worker', WORKER, 'QU-701');
  const work = await inTurn(rounds, async () => {
    const { orderId } = await setup.driver.buy(WORKER);
    return { orderId, assignmentId: await setup.driver.give(admin, orderId, WORKER, worker), worker, admin };
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
  shown: number;
  kept: number;
}

/** How orders stand in orders, assignments and media. */
const standings = (setup: Setup, played: readonly Played<Work>[]): Promise<Standing[]> =>
  setup.rows<Standing>(
    `select o.id as "orderId", o.status, o.worker ->> 'workerId' as worker, o.timeline, a.status as "fieldStatus",
       a.worker_id as "fieldWorker", jsonb_array_length(o.photos)::int as shown,
       (select count(*)::int from media.photos p where p.order_id = o.id) as kept
     from orders.orders o join assignments.assignments a on a.order_id = o.id where o.id = any($1)`,
    [played.map(({ round }) => round.orderId)],
  );

/** Orders and assignments agree, and the history has no gap. */
function faultsOf({ orderId, status, timeline, fieldStatus, worker, fieldWorker }: Standing): string[] {
  const steps = timeline.filter(({ type }) => type === 'status_changed');
  const broken = steps.find((step, at) => at > 0 && step.from !== steps[at - 1]!.to);
  return [
    ...(status === fieldStatus ? [] : [`order ${orderId} is ${status}, in the field ${fieldStatus}`]),
    ...(worker === fieldWorker ? [] : [`order ${orderId} is ${worker}'s, in the field ${fieldWorker}'s`]),
    ...(steps.at(-1)?.to === status ? [] : [`order ${orderId}: its history does not end in ${status}`]),
    ...(broken ? [`order ${orderId}: a step from ${broken.from} after another one`] : []),
  ];
}

export const workerOrAdmin: Race = race<Work>({
  name: 'status: by the worker and by an admin',
  effect: 'a history without a gap, and one status everywhere',
  prepare: assigned,
  act: (setup, { orderId, assignmentId, worker, admin }, client) =>
    either(
      client,
      () =>
        setup.call('PUT /api/workers/assignments/{id}/status', {
          params: { id: assignmentId },
          token: worker,
          body: { status: either(client / 2, 'planted', 'completed') },
        }),
      () =>
        setup.call('PUT /api/admin/orders/{id}/status', {
          params: { id: orderId },
          token: admin,
          body: { status: either(client / 2, 'completed', 'pending'), reason: 'Corrected' },
        }),
    )(),
  judge: async (setup, played) => (await standings(setup, played)).flatMap(faultsOf),
});

export const samePhoto: Race = race<Work & { clientId: string }>({
  name: 'photo: sent by many at once',
  effect: 'kept once, shown once',
  async prepare(setup, rounds) {
    const work = await assigned(setup, rounds);
    return inTurn(work.length, async (at) => {
      const one = work[at]!;
      await setup.driver.plant(one.worker, one.assignmentId);
      return { ...one, clientId: crypto.randomUUID() };
    });
  },
  async act(setup, { assignmentId, worker, clientId }) {
    const details = JSON.stringify([{ clientId }]);
    return setup.call('POST /api/workers/assignments/{id}/photos', {
      params: { id: assignmentId },
      token: worker,
      form: pictureForm('photos', [await picture(clientId)], { details }),
    });
  },
  async judge(setup, played) {
    const found = await standings(setup, played);
    return played.flatMap(({ round: { orderId }, answers }) => {
      const fresh = answers.filter(({ status, body }) => status === 201 && !body.photos[0].duplicate).length;
      const { kept, shown } = found.find((one) => one.orderId === orderId)!;
      return kept === 1 && shown === 1 && fresh === 1
        ? []
        : [`order ${orderId}: ${kept} photos kept, ${shown} shown, ${fresh} times called new`];
    });
  },
});
