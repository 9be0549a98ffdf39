import { type CallApi, Refused } from '@arboleda/contracts/client.ts';
import type { OrderChange } from '@arboleda/contracts/endpoints/orders/live.ts';
import { fieldPhoto, pictureForm } from '@arboleda/cli/demo/photos.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../api/filling.ts';
import { emailOf } from '../api/people.ts';
import type { Composed } from '../harness/compose.ts';
import { openInbox } from '../harness/inbox.ts';
import { waitFor } from '../harness/wait.ts';
import { type Office, openOffice } from './office.ts';

/** Services ask every 5 s whose sessions ended. */
const SESSIONS_END_WITHIN_MS = 15_000;
const LISTENERS = 6;
/** More often than there are replicas of any service. */
const ASKED_TIMES = 4;
const PLACE = { latitude: 4.6, longitude: -75.5 };

/** What no service can do alone: each test begins in one of them and looks at what becomes of it in the others. */
export function workTogether(scene: () => Composed): void {
  describe('services together', () => {
    let office: Office;
    beforeAll(async () => {
      office = await openOffice(scene());
    }, 300_000);

    const mail = async (to: string, like: RegExp) =>
      eventually(`a mail to ${to} like ${like}`, async () =>
        (await openInbox(scene().inboxUrl).all(to)).find(({ subject }) => like.test(subject)),
      );

    test('a transfer that an admin approves is an order with somebody who plants it, and the donor hears of both at once', async () => {
      const { call, admin, order, mails, objects } = office;
      const id = objects.transferOrderId;
      await call('POST /api/admin/manual-payments/verify/{id}', { token: admin, params: { id }, body: {} });
      await eventually('the order to be assigned', async () => (await order(id)).status === 'assigned');
      expect((await order(id)).manualPayment?.verificationStatus).toBe('approved');
      await eventually('the mail about it', async () =>
        (await mails(id)).some(({ kind, state }) => kind === 'transfer-approved' && state === 'sent'),
      );
      await mail('transfer@api.test', /^(Transfer approved|Transferencia aprobada)/);
    });

    test('the inbox shows mails to none but its own pages', async () => {
      const { inboxUrl } = scene();
      const status = async (origin?: string) =>
        (await fetch(`${inboxUrl}/email`, { headers: origin ? { origin } : {} })).status;
      expect(await status()).toBe(200);
      expect(await status(inboxUrl)).toBe(200);
      expect(await status('https://evil.example')).toBe(421);
    });

    test('an order whose money goes back before it is planted is nobody’s any more', async () => {
      const { call, admin, buy, order, payment, assignment } = office;
      const { orderId } = await buy('refund@api.test');
      await call('POST /api/admin/payments/{id}/refunds', {
        token: admin,
        params: { id: (await payment(orderId)).paymentId },
        body: { reason: 'Bought twice' },
      });
      await eventually('the order to be withdrawn', async () => (await order(orderId)).withdrawn);
      await eventually('its worker to be free of it', async () => {
        const { isWithdrawn, worker } = await assignment(orderId);
        return isWithdrawn && !worker;
      });
      await mail('refund@api.test', /^Refund/);
    });

    test('what an admin edits is what worker, payment and mails know; an older reading is refused', async () => {
      const { call, admin, worker, buy, order, payment, mails } = office;
      const { orderId } = await buy('typo@api.test');
      const { version } = await order(orderId);
      const edit = () =>
        call('PUT /api/admin/orders/{id}', {
          token: admin,
          params: { id: orderId },
          ifMatch: String(version),
          body: { trees: 9, customerEmail: 'right@api.test' },
        });
      expect((await edit()).order).toMatchObject({ trees: 9, customerEmail: 'right@api.test' });
      await expect(edit()).rejects.toMatchObject({ problem: { type: 'precondition-failed' } });

      await eventually('the worker’s list to follow', async () => {
        const { assignments } = await call('GET /api/workers/assignments', { token: worker });
        const own = assignments.find((one) => one.orderId === orderId);
        return own?.trees === 9 && own.customerEmail === 'right@api.test';
      });
      await eventually('the payment to follow', async () => {
        return (await payment(orderId)).customerEmail === 'right@api.test';
      });
      const receipt = await eventually('the receipt', async () => {
        return (await mails(orderId)).find(({ kind, state }) => kind === 'receipt' && state === 'sent');
      });
      await eventually('mails to follow', async () => {
        const again = { token: admin, params: { id: receipt.id } };
        return (await call('POST /api/admin/mails/{id}/resend', again)).mail.to.address === 'right@api.test';
      });
      await mail('right@api.test', /^Receipt for/);
    });

    test('who listens at one replica of orders hears of a change made at another', async () => {
      const { call, admin, buy, order } = office;
      const { orderId, orderToken } = await buy('live@api.test');
      const { revision } = await order(orderId);
      const leaving = new AbortController();
      const received = Array.from({ length: LISTENERS }, () =>
        hearChange(call, orderToken, leaving.signal, (change) => change.revision > revision),
      );
      try {
        const replicas = Array.from({ length: await scene().replicas('orders') }, (_, index) => index + 1);
        expect(replicas.length).toBeGreaterThan(1);
        await eventually('listeners at every replica', async () => {
          const asked = replicas.map((replica) => scene().figure('orders', replica, 'live_listeners'));
          return Math.min(...(await Promise.all(asked))) > 0;
        });
        const body = { status: 'planted' } as const;
        await call('PUT /api/admin/orders/{id}/status', { token: admin, params: { id: orderId }, body });
        const change = { orderId, status: 'planted', revision: revision + 1 };
        expect(await Promise.all(received)).toEqual(received.map(() => expect.objectContaining(change)));
      } finally {
        leaving.abort();
        await Promise.allSettled(received);
      }
    });

    test('photos of a growth visit make it done, in the order and for the donor, but not before its day', async () => {
      const { call, worker, order, objects } = office;
      const { visitId: first, orderId } = objects;
      const visits = async () => (await call('GET /api/workers/growth-visits', { token: worker })).visits;
      const send = async (id: string) => {
        const body = pictureForm('photos', [await fieldPhoto('ph-leaf.jpg', PLACE, new Date())]);
        return call('POST /api/workers/growth-visits/{id}/photos', { token: worker, params: { id }, body });
      };
      const later = (await visits()).find(({ state }) => state === 'scheduled')!;
      await expect(send(later._id)).rejects.toMatchObject({ problem: { type: 'growth-visit-not-due' } });
      expect((await send(first)).photos).toHaveLength(1);
      await eventually('the visit to be done', async () => {
        return (await visits()).find(({ _id }) => _id === first)?.state === 'done';
      });
      await eventually('the order to tell of it', async () => {
        const [purchase] = (await order(orderId)).growthPurchases;
        return purchase?.visits.find(({ number }) => number === 1)?.completedAt;
      });
      await mail(emailOf('customer', 'owner'), /^Growth update 1 of/);
    });

    test('the receipt of an order and the list of all can be saved', async () => {
      const { call, admin, customer, objects } = office;
      const params = { id: objects.orderId };
      const receipt = await call('GET /api/customers/orders/{id}/receipt', { token: customer, params });
      expect(await receipt.slice(0, 5).text()).toBe('%PDF-');
      const list = await call('GET /api/admin/orders/export', { token: admin });
      expect(await list.text()).toContain(objects.orderId);
    });

    test('who logs out everywhere is let in by no replica of any service', async () => {
      const { call, admin, people, objects } = office;
      const token = await people.token('admin', 'other');
      const ofOrder = { token, params: { id: objects.orderId } };
      /** One call to each service that knows people. */
      const askAll = () => [
        call('GET /api/admin/workers', { token, query: { limit: 1 } }),
        call('GET /api/admin/orders/{id}/payment', ofOrder),
        call('GET /api/admin/orders/{id}', ofOrder),
        call('GET /api/admin/orders/{id}/assignment', ofOrder),
        call('GET /api/admin/orders/{id}/photos', ofOrder),
        call('GET /api/admin/orders/{id}/mails', ofOrder),
      ];
      const answers = () => Promise.all(Array.from({ length: ASKED_TIMES }, askAll).flat().map(isLetIn));
      expect(new Set(await answers())).toEqual(new Set([true]));
      await call('POST /api/auth/me/log-out-everywhere', { token });
      const isOut = async () => !(await answers()).includes(true);
      await waitFor('every service to refuse', isOut, SESSIONS_END_WITHIN_MS);
      expect(await isLetIn(call('GET /api/admin/workers', { token: admin }))).toBe(true);
    });
  });
}

/**
 * Listens for changes of an order by its private link until there is one like this.
 * @throws when the stream ends before
 */
async function hearChange(
  call: CallApi,
  token: string,
  signal: AbortSignal,
  isIt: (change: OrderChange) => boolean,
): Promise<OrderChange> {
  const messages = await call('GET /api/track/{token}/events', { params: { token }, signal });
  for await (const { data } of messages) if (isIt(data)) return data;
  throw new Error('the stream ended before the change was received');
}

const isLetIn = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refused && error.status === 401) return false;
      throw error;
    },
  );
