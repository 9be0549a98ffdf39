import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { minute, packagePurchased, photo } from './builders.ts';
import { openAssignments } from './fixture.ts';

export const ANA = { workerId: 'ana', region: 'Quindío' };
export const LUIS = { workerId: 'luis', region: 'Huila' };

export type GrowthHarness = Awaited<ReturnType<typeof openGrowthHarness>>;

/** The service with a clock that the test controls; hourly jobs run ten times a second. */
export async function openGrowthHarness() {
  let now = new Date(minute(0));
  const options = { clock: () => now, serveVisitsMs: 100 };
  const field = await openAssignments(options);

  const ask = async (workerId: string, query: Record<string, string | number> = {}) =>
    field.call('GET /api/workers/growth-visits', { token: await field.tokenOf(workerId), query });
  const visitsOf = (workerId: string, ready: (list: Listed) => boolean): Promise<Listed> =>
    waitFor(async () => {
      const { body } = await ask(workerId);
      return ready(body) && body;
    });
  return {
    field,
    ask,
    visitsOf,
    setNow: (instant: string) => void (now = new Date(instant)),
    /** Moves the clock to the evening of a day. */
    on: (day: string) => void (now = new Date(`${day}T20:00:00.000Z`)),
    /** Another process on the same engines. */
    openReplica: () => openAssignments({ ...options, databaseUrl: field.platform.databaseUrl }),

    /** A planted order of Ana's with a package, by default of three updates; its visits are listed. */
    async bought(more: Partial<EventData<'photo_package.purchased'>> = {}) {
      await field.known(ANA);
      const { orderId, assignmentId } = await field.assignedOrder();
      now = new Date(minute(20));
      await field.move('ana', assignmentId, { status: 'planted' });
      await field.publish(packagePurchased(orderId, more));
      const { data } = await field.probe.next('growth_visit.scheduled', ({ key }) => key === orderId);
      await visitsOf('ana', ({ visits }) => visits.length === data.visits.length);
      return { orderId, assignmentId, visits: data.visits, ids: data.visits.map(({ visitId }) => visitId) };
    },

    internal: async (id: string) =>
      field.call('GET /internal/growth-visits/{id}', {
        params: { id },
        token: await field.identity.serviceToken('media', 'assignments'),
      }),
    dueOf: (visitId: string, workerId: string) =>
      field.probe.next(
        'growth_visit.due',
        ({ data }) => data.visitId === visitId && data.worker.workerId === workerId,
      ),
    noticesOf: (visitId: string) =>
      field.probe.all('growth_visit.due').filter(({ data }) => data.visitId === visitId),
  };
}
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- expectations look into it in every direction
type Listed = any;

/** A photo of a visit, by Ana by default. */
export const visited = (
  orderId: string,
  growthVisitId: string,
  more: Partial<EventData<'photo.uploaded'>> = {},
) =>
  photo(orderId, {
    growthVisitId,
    workerId: 'ana',
    photoId: `of-${growthVisitId}`,
    filename: `${growthVisitId}.jpg`,
    ...more,
  });
