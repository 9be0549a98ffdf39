import { startWaitingJobs } from '@arboleda/chassis/testing/periodic.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { PHOTO_MAIL_JOB } from '../queue/photo-mail.ts';
import { ADMIN, AT, newEmail, someOrder, someWorker } from './builders.ts';
import { openAdminClient } from './admin-client.ts';
import { openHarness } from './harness.ts';

jest.setTimeout(60_000);

let service: Awaited<ReturnType<typeof openHarness>>;
let url: string;
let adminClient: Awaited<ReturnType<typeof openAdminClient>>;
beforeAll(async () => {
  service = await openHarness();
  ({ url } = await service.start());
  adminClient = await openAdminClient(service, url);
});
afterAll(() => service.close());

describe('assignments', () => {
  const subjectsTo = async (address: string) =>
    (await service.mailsTo(address)).map((mail) => mail.subject).sort();

  /** A paid, assigned order. */
  async function assigned() {
    const [order, worker] = [someOrder({ language: 'en' }), someWorker()];
    await service.publish('order.created', order.created);
    await service.publish('order.assigned', order.step(worker));
    await service.someMailsTo(order.email, 2);
    await service.someMailsTo(worker.email);
    return { order, worker };
  }

  test('a transfer’s reference is included only when it cannot be a message of its sender', async () => {
    const textOf = async (referenceNumber: string) => {
      const order = someOrder({ language: 'en' });
      await service.publish('payment.submitted', { ...order.submitted, referenceNumber });
      return (await service.someMailsTo(order.email))[0]!.text;
    };
    expect(await textOf('ARB-7K3Q9F')).toContain('ARB-7K3Q9F');
    expect(await textOf('Claim your prize 1 at evil.example')).not.toContain('evil');
    expect(await textOf('evil.example/1')).not.toContain('evil');
  });

  describe('an order that loses its worker', () => {
    test('by an admin who reassigns it notifies all three people', async () => {
      const { order, worker } = await assigned();
      const other = someWorker({ name: 'Carlos Gil' });
      const reassigned = { ...order.step(other, 1), previousWorker: worker, by: ADMIN, reason: 'Closer by' };
      await service.publish('order.assigned', reassigned);
      const [, , toDonor] = await service.someMailsTo(order.email, 3);
      expect(toDonor!.text).toContain('has taken over your order from Ana Ríos');
      const [toOther] = await service.someMailsTo(other.email);
      expect(toOther!.text).toContain('«Closer by»');
      const [, toFormer] = await service.someMailsTo(worker.email, 2);
      expect(toFormer!.text).toMatch(/Ahora lo tiene otra persona[^]*«Closer by»/);
    });

    test('after planting stays planted', async () => {
      const { order, worker } = await assigned();
      await service.publish('order.planted', order.step(worker, 1));
      await service.someMailsTo(order.email, 3);
      const other = someWorker({ name: 'Carlos Gil' });
      await service.publish('order.assigned', { ...order.step(other, 2), previousWorker: worker, by: ADMIN });
      const mails = await service.someMailsTo(order.email, 4);
      expect(mails.map(({ subject }) => subject)).toContain('Carlos Gil now looks after your 5 trees');
    });

    test('because of a refund is not planted: worker and donor are notified', async () => {
      const { order, worker } = await assigned();
      await service.publish('payment.succeeded', order.succeeded);
      const { orderId } = order.created;
      const refund = {
        orderId,
        paymentId: order.succeeded.paymentId,
        refundId: 'r-1',
        paidMinor: 8_230_000,
        reason: 'asked for',
        at: AT,
      };
      const all = {
        amountMinor: 8_230_000,
        currency: 'COP' as const,
        refundedMinor: 8_230_000,
        isFull: true,
      };
      await service.allSent();
      await service.publish('payment.refunded', { ...refund, ...all });
      await service.publish(
        'order.status_changed',
        order.status('assigned', 'pending', 2, { withdrawn: true }),
      );
      const [, toWorker] = await service.someMailsTo(worker.email, 2);
      expect(toWorker!.text).toContain('Se devolvió el dinero antes de la siembra');
      const mails = await service.someMailsTo(order.email, 3);
      expect(mails.find(({ subject }) => subject.startsWith('Refund'))!.text).toContain(
        'your 5 trees will not be planted',
      );
      // An assignment that was on its way when the order was withdrawn.
      const late = someWorker();
      await service.publish('order.assigned', order.step(late, 2));
      await service.settle();
      expect(await subjectsTo(late.email)).toEqual([]);
      expect(await subjectsTo(order.email)).toHaveLength(3);
    });

    test('whose donor withdraws tells both, and the refund says why nobody plants', async () => {
      const { order, worker } = await assigned();
      const { paymentId } = order.succeeded;
      const { orderId } = order.created;
      await service.allSent();
      await service.publish('order.status_changed', order.status('assigned', 'pending', 2, { held: true }));
      await service.publish('order.withdrawal_requested', {
        orderId,
        method: { kind: 'card' },
        requestedAt: AT,
        refundBy: '2026-12-23T04:59:59.999Z',
      });
      const [, toWorker] = await service.someMailsTo(worker.email, 2);
      expect(toWorker!.text).toContain('El donante se retracta de la compra');
      const asked = await service.someMailsTo(order.email, 3);
      const withdrawal = asked.find(({ subject }) => subject.startsWith('You cancelled'))!;
      expect(withdrawal.text).toContain('By 22 December 2026 at the latest');
      await service.publish(
        'order.status_changed',
        order.status('pending', 'pending', 3, { withdrawn: true }),
      );
      await service.settle();
      await service.publish('payment.refunded', {
        orderId,
        paymentId,
        refundId: `r-${orderId}`,
        amountMinor: 8_230_000,
        paidMinor: 8_230_000,
        currency: 'COP',
        refundedMinor: 8_230_000,
        isFull: true,
        reason: 'Withdrawal',
        at: AT,
      });
      const mails = await service.someMailsTo(order.email, 4);
      expect(mails.find(({ subject }) => subject.startsWith('Refund'))!.text).toContain(
        'You cancelled this purchase, so your 5 trees will not be planted.',
      );
    });

    test('and becomes pending again notifies only the worker', async () => {
      const { order, worker } = await assigned();
      await service.publish(
        'order.status_changed',
        order.status('assigned', 'pending', 2, { reason: 'Wrong region' }),
      );
      const [, toWorker] = await service.someMailsTo(worker.email, 2);
      expect(toWorker!.text).toMatch(/La oficina lo retomó[^]*«Wrong region»/);
      await service.settle();
      expect(await subjectsTo(order.email)).toHaveLength(2);
    });

    test('is not announced to a worker by an older decision that arrives late', async () => {
      const { order, worker } = await assigned();
      const [second, third] = [someWorker(), someWorker()];
      await service.publish('order.assigned', { ...order.step(third, 2), previousWorker: second, by: ADMIN });
      await service.someMailsTo(third.email);
      await service.publish('order.assigned', {
        ...order.step(second, 1),
        previousWorker: worker,
        by: ADMIN,
      });
      await service.settle();
      expect(await subjectsTo(second.email)).toEqual([expect.stringMatching(/^Ya no es tuyo/)]);
    });
  });

  describe('a status set by an admin', () => {
    test('is announced to the donor like the worker’s step: planted, with worker and place', async () => {
      const { order } = await assigned();
      const place = { location: 'Cocora', coordinates: { latitude: 4.6, longitude: -75.5 } };
      await service.publish('order.updated', order.updated(place), 3);
      await service.allSent();
      await service.publish('order.status_changed', order.status('assigned', 'planted', 2));
      const mails = await service.someMailsTo(order.email, 3);
      const { text } = mails.find(({ subject }) => subject.includes('in the ground'))!;
      expect(text).toContain('Place: Cocora');
      expect(text).toContain('Planted by: Ana Ríos');
      await service.publish('order.status_changed', order.status('planted', 'completed', 3));
      await service.someMailsTo(order.email, 4);
    });

    test('is announced once, even when the worker did the same at that moment', async () => {
      const { order, worker } = await assigned();
      await service.publish('order.planted', order.step(worker, 1));
      await service.publish('order.status_changed', order.status('assigned', 'planted', 2));
      await service.publish('order.completed', order.step(worker, 2));
      await service.publish('order.status_changed', order.status('planted', 'completed', 3));
      await service.someMailsTo(order.email, 4);
      await service.settle();
      expect(await subjectsTo(order.email)).toHaveLength(4);
    });

    test('is not announced when it goes back or is outdated', async () => {
      const { order } = await assigned();
      await service.publish('order.status_changed', order.status('assigned', 'assigned', 5));
      await service.publish('order.status_changed', order.status('completed', 'planted', 6));
      await waitFor(async () => {
        const [row] = await service.query('select status_revision from notifications.orders where id = $1', [
          order.created.orderId,
        ]);
        return row.status_revision === 6;
      });
      await service.publish('order.status_changed', order.status('planted', 'completed', 4));
      await service.settle();
      expect(await subjectsTo(order.email)).toHaveLength(2);
    });

    test('of a worker’s own step is announced by the worker’s event', async () => {
      const { order } = await assigned();
      const byWorker = order.status('assigned', 'planted', 2, { by: { role: 'worker', id: 'w-1' } });
      await service.publish('order.status_changed', byWorker);
      await service.settle();
      expect(await subjectsTo(order.email)).toHaveLength(2);
    });
  });

  describe('photos', () => {
    test('of a growth visit cause no separate email', async () => {
      const { order } = await assigned();
      await service.publish('photo.uploaded', { ...order.photo(), growthVisitId: 'v-1' });
      await service.settle();
      expect(await subjectsTo(order.email)).toHaveLength(2);
    });

    test('hidden by an admin before the announcement are not counted', async () => {
      const slow = await openHarness({ photoMailDelaySeconds: 3_600, inbox: service.inbox });
      const kept = async (hidden: boolean) =>
        (await slow.query('select from notifications.photos where hidden = $1', [hidden])).length;
      const announceNow = () => startWaitingJobs(slow.query, 'notifications', PHOTO_MAIL_JOB);
      try {
        await slow.start();
        const order = someOrder({ language: 'en' });
        await slow.publish('order.created', order.created);
        await slow.someMailsTo(order.email);
        const photos = [order.photo(), order.photo(), order.photo()];
        for (const photo of photos) await slow.publish('photo.uploaded', photo);
        await waitFor(async () => (await kept(false)) === 3);
        const { photoId, filename } = photos[0]!;
        const hidden = { orderId: order.created.orderId, assignmentId: 'a-1', photoId, filename };
        await slow.publish('photo.hidden', { ...hidden, by: ADMIN, reason: 'A person is on it', at: AT });
        await waitFor(async () => (await kept(true)) === 1);
        await announceNow();
        const [, mail] = await slow.someMailsTo(order.email, 2);
        expect(mail!.subject).toBe('2 new photos of your trees');
        await slow.publish('photo.restored', { ...hidden, by: ADMIN, reason: 'They agreed', at: AT });
        await slow.publish('photo.uploaded', order.photo());
        await waitFor(async () => (await kept(false)) === 4);
        await announceNow();
        const [, , later] = await slow.someMailsTo(order.email, 3);
        expect(later!.subject).toBe('2 new photos of your trees');
        // Two topics may overtake each other.
        await slow.publish('photo.restored', { ...hidden, by: ADMIN, reason: 'They agreed', at: AT }, 5);
        await slow.publish('photo.hidden', { ...hidden, by: ADMIN, reason: 'A person is on it', at: AT }, 4);
        await slow.allSent();
        expect(await slow.query('select hidden from notifications.photos where id = $1', [photoId])).toEqual([
          { hidden: false },
        ]);
      } finally {
        await slow.close();
      }
    });
  });

  describe('growth packages', () => {
    const buy = (order: ReturnType<typeof someOrder>) =>
      service.publish('photo_package.purchased', {
        orderId: order.created.orderId,
        purchaseId: 'b-1',
        photoPackageType: 'first_year',
        amountMinor: 1500,
        currency: 'USD',
        transactionId: 'pi_9',
        customer: order.created.customer,
        language: 'en',
        purchasedAt: '2026-12-24T15:00:00.000Z',
      });

    test('bought before planting list the months after it', async () => {
      const order = someOrder({ language: 'en' });
      await service.publish('order.created', order.created);
      await buy(order);
      const mails = await service.someMailsTo(order.email, 2);
      expect(mails.find(({ subject }) => subject.startsWith('First year'))!.text).toContain(
        '3, 6 and 12 months after planting',
      );
    });

    test('bought after planting list the dates, from the later of the two', async () => {
      const { order, worker } = await assigned();
      await service.publish('order.planted', order.step(worker, 1));
      await service.someMailsTo(order.email, 3);
      await buy(order);
      const mails = await service.someMailsTo(order.email, 4);
      expect(mails.find(({ subject }) => subject.startsWith('First year'))!.text).toContain(
        '2027: March, June and December',
      );
    });

    test('that are refunded announce the cancelled visits, without the trees', async () => {
      const order = someOrder({ language: 'en' });
      await service.publish('payment.succeeded', order.succeeded);
      await service.publish('order.created', order.created);
      const all = { amountMinor: 1500, currency: 'USD' as const, refundedMinor: 1500, isFull: true };
      await service.publish('payment.refunded', {
        orderId: order.created.orderId,
        refundId: 'r-1',
        reason: 'asked for',
        at: AT,
        paidMinor: 1500,
        photoPackage: { purchaseId: 'b-1', photoPackageType: 'first_year' },
        ...all,
      });
      const mails = await service.someMailsTo(order.email, 2);
      const { text } = mails.find(({ subject }) => subject.startsWith('Refund'))!;
      expect(text).toContain('Growth visits that have not been made yet are cancelled');
      expect(text).toContain('First year');
      expect(text).not.toContain('planted.');
    });
  });

  test('a transfer approved before its submission arrives is not announced as pending', async () => {
    const order = someOrder({ method: { kind: 'transfer', bank: 'bancolombia' } });
    await service.publish('order.created', order.created, 2);
    await service.someMailsTo(order.email);
    await service.publish('payment.submitted', { ...order.submitted, trees: 99 });
    await service.settle();
    expect(await subjectsTo(order.email)).toEqual([expect.stringMatching(/^Transfer approved: 5 trees/)]);
  });
});

describe('requesting an email again', () => {
  describe('a customer', () => {
    const again = async (id: string, person: { email?: string; emailVerified?: boolean }, key?: string) =>
      request(url, 'POST /api/customers/orders/{id}/resend-mail', {
        params: { id },
        token: await service.identity.token({ role: 'customer', ...person }),
        headers: key === undefined ? {} : { 'Idempotency-Key': key },
      });

    test('gets the receipt of their order again, at most three times an hour', async () => {
      const { order, orderId } = await adminClient.paid();
      await service.publish('order.assigned', order.step());
      await service.someMailsTo(order.email, 2);
      for (let count = 3; count <= 5; count++) {
        await service.allSent();
        const answer = await again(orderId, { email: order.email.toUpperCase() });
        expect([answer.status, answer.body]).toEqual([202, {}]);
        const mails = await service.someMailsTo(order.email, count);
        expect(mails.filter(({ subject }) => subject.startsWith('Receipt'))).toHaveLength(count - 1);
      }
      await service.allSent();
      const refusal = await again(orderId, { email: order.email });
      expect([refusal.status, refusal.body.type]).toEqual([429, 'too-many-requests']);
      expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(3000);
      await service.settle();
      expect(await service.mailsTo(order.email)).toHaveLength(5);
      // An admin's resend ignores this limit.
      const { id } = (await adminClient.mailsOf(orderId)).find(
        ({ kind }: { kind: string }) => kind === 'receipt',
      );
      expect(
        (await adminClient.asAdmin('POST /api/admin/mails/{id}/resend', { params: { id } })).status,
      ).toBe(202);
    });

    test('of a transfer gets the latest email about the money', async () => {
      const order = someOrder({ language: 'en', method: { kind: 'transfer', bank: 'bancolombia' } });
      const { orderId } = order.created;
      await service.publish('payment.submitted', order.submitted);
      await service.someMailsTo(order.email);
      await service.publish('order.created', order.created);
      await service.someMailsTo(order.email, 2);
      await service.allSent();
      await again(orderId, { email: order.email });
      const mails = await service.someMailsTo(order.email, 3);
      expect(mails.map(({ subject }) => subject.split(/[:·]/)[0]!.trim()).sort()).toEqual([
        'Transfer approved',
        'Transfer approved',
        'We have your transfer',
      ]);
    });

    test('repeats a request without another email', async () => {
      const { order, orderId } = await adminClient.paid();
      for (let time = 0; time < 5; time++) {
        expect((await again(orderId, { email: order.email }, 'the-same-key')).status).toBe(202);
        await service.allSent();
      }
      await service.settle();
      expect(await service.mailsTo(order.email)).toHaveLength(2);
    });

    test('gets the same answer for another’s order, an unknown one, and before verification', async () => {
      const { order, orderId } = await adminClient.paid();
      const answers = await Promise.all([
        again(orderId, { email: newEmail() }),
        again('f'.repeat(24), { email: order.email }),
        again('no-id', { email: order.email }),
        again(orderId, { email: order.email, emailVerified: false }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      await service.settle();
      expect(await service.mailsTo(order.email)).toHaveLength(1);
    });

    test('is the only one who may request it', async () => {
      const { orderId } = await adminClient.paid();
      const key = 'POST /api/customers/orders/{id}/resend-mail';
      expect((await request(url, key, { params: { id: orderId } })).status).toBe(401);
      expect((await request(url, key, { params: { id: orderId }, token: adminClient.token })).status).toBe(
        403,
      );
    });
  });
});
