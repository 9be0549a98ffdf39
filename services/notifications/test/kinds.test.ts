import { LANGUAGES, type Language } from '@arboleda/contracts/roles.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { MailKind } from '../mails/index.ts';
import { MAIL_KINDS } from '../mails/kinds.ts';
import { AT, newEmail, someOrder, someWorker } from './builders.ts';
import { openHarness } from './harness.ts';

jest.setTimeout(60_000);

let service: Awaited<ReturnType<typeof openHarness>>;
beforeAll(async () => {
  service = await openHarness();
  await service.start();
});
afterAll(() => service.close());

type Published = Awaited<ReturnType<typeof service.publish>>[];

/** An order, a worker and an account of one language, and how each kind of mail comes about. */
function story(language: Language) {
  const order = someOrder({ language, region: 'Salento' });
  const transfer = someOrder({ language, paymentMethod: 'manual_bancolombia' });
  const [ana, former] = [someWorker(), someWorker({ name: 'Carlos Gil' })];
  const { orderId } = order.created;
  const account = { accountId: `a-${language}`, role: 'customer' as const, name: 'Lucía Peña', language };
  const link = { token: 'the-token', expiresAt: new Date(Date.now() + 86_400_000).toISOString() };
  const visit = { visitId: 'v-1', orderId, purchaseId: 'b-1', number: 2, of: 3, worker: ana };
  const mailed = () => ({ ...account, ...link, email: newEmail() });
  const { publish } = service;
  const worker = (one: typeof ana) => ({ ...one, language, active: true, capacityTrees: 10 });
  const begin = [
    () => publish('worker.registered', worker(ana)),
    () => publish('worker.registered', worker(former)),
    () => publish('order.created', order.created),
    () => publish('payment.submitted', transfer.submitted),
  ];

  /** What is published for a kind, to whom it goes, and what only this mail says. */
  const kinds: Record<MailKind, { to: string; publish: () => Promise<Published[number]>; says: Record<Language, string> }> = {
    receipt: { to: order.email, publish: begin[2]!, says: { en: 'Your 5 trees are paid for', es: 'Tus 5 árboles están pagados' } },
    'transfer-received': { to: transfer.email, publish: begin[3]!, says: { en: 'within 24-48 hours', es: 'en 24 a 48 horas' } },
    'transfer-rejected': {
      to: transfer.email,
      publish: () => publish('payment.rejected', { orderId: transfer.created.orderId, paymentId: 'p', reason: 'Not found: «<b>1</b>»', by: { role: 'admin' }, at: AT }),
      says: { en: 'To try again', es: 'Para intentarlo de nuevo' },
    },
    'transfer-approved': { to: transfer.email, publish: () => publish('order.created', transfer.created), says: { en: 'We found your money', es: 'Encontramos tu dinero' } },
    assigned: { to: order.email, publish: () => publish('order.assigned', { ...order.step(ana), previousWorker: former, by: { role: 'admin' }, reason: 'Closer' }), says: { en: 'Ana Ríos will plant', es: 'Ana Ríos va a sembrar' } },
    'worker-assigned': { to: ana.email, publish: () => publish('order.assigned', { ...order.step(ana), previousWorker: former, by: { role: 'admin' }, reason: 'Closer' }), says: { en: 'you have 5 trees to plant', es: 'tienes 5 árboles por sembrar' } },
    'worker-unassigned': { to: former.email, publish: () => publish('order.assigned', { ...order.step(ana), previousWorker: former, by: { role: 'admin' }, reason: 'Closer' }), says: { en: 'Another planter has it now', es: 'Ahora lo tiene otra persona' } },
    planted: { to: order.email, publish: () => publish('order.planted', { ...order.step(ana), location: 'Cocora' }), says: { en: 'See where they grow', es: 'Ver dónde crecen' } },
    photos: { to: order.email, publish: () => publish('photo.uploaded', order.photo()), says: { en: '1 new photo of your trees', es: '1 foto nueva de tus árboles' } },
    completed: { to: order.email, publish: () => publish('order.completed', order.step(ana)), says: { en: 'Your order is complete', es: 'Tu pedido está completo' } },
    'photo-package': {
      to: order.email,
      publish: () => publish('photo_package.purchased', {
        ...{ orderId, purchaseId: 'b-1', photoPackageType: 'first_year', amountMinor: 1500, currency: 'USD' },
        ...{ transactionId: 'pi_9', customer: order.created.customer, language, purchasedAt: AT },
      }),
      says: { en: 'You will see your 5 trees grow', es: 'Vas a ver crecer tus 5 árboles' },
    },
    'growth-update': { to: order.email, publish: () => publish('growth_visit.completed', { ...visit, photos: 4, at: AT }), says: { en: 'Growth update 2 of 3', es: 'Visita 2 de 3' } },
    'growth-visit-due': { to: ana.email, publish: () => publish('growth_visit.due', { ...visit, dueAt: AT, trees: 5, location: 'Cocora', reminders: 1 }), says: { en: 'a growth visit is still waiting', es: 'hay una visita que todavía espera' } },
    refunded: {
      to: order.email,
      publish: () => publish('payment.refunded', { orderId, paymentId: order.succeeded.paymentId, refundId: 'r', amountMinor: 100_00, currency: 'COP', refundedMinor: 100_00, isFull: false, reason: 'asked', at: AT }),
      says: { en: 'back to you', es: 'Te devolvimos' },
    },
    ...accounts(),
  }; // prettier-ignore
  return { begin, kinds };

  function accounts() {
    const [verify, reset, invite, change] = [mailed(), mailed(), mailed(), mailed()];
    const [from, email, protectedBy] = [newEmail(), newEmail(), newEmail()];
    return {
      'verify-email': { to: verify.email, publish: () => publish('email.verification_requested', verify), says: { en: 'Verify this address', es: 'Verificar este correo' } },
      'reset-password': { to: reset.email, publish: () => publish('password.reset_requested', { ...reset, role: 'admin' as const }), says: { en: '/reset-password#role=admin&token=the-token', es: '/reset-password#role=admin&token=the-token' } },
      'worker-invited': { to: invite.email, publish: () => publish('worker.invited', { ...invite, role: 'worker' as const, code: 'QU-014' }), says: { en: 'Worker id: QU-014', es: 'Código: QU-014' } },
      'confirm-email': { to: change.email, publish: () => publish('email.change_requested', change), says: { en: '/confirm-email#token=the-token', es: '/confirm-email#token=the-token' } },
      'email-changed': { to: from, publish: () => publish('email.changed', { ...account, from, to: newEmail(), fromVerified: true, at: AT }), says: { en: 'has another address now', es: 'tiene ahora otro correo' } },
      'password-changed': { to: email, publish: () => publish('password.changed', { ...account, email, at: AT }), says: { en: 'Your password was changed'.slice(5), es: 'ambió tu contraseña' } },
      'second-factor-changed': { to: protectedBy, publish: () => publish('second_factor.changed', { ...account, role: 'admin' as const, email: protectedBy, enabled: false, at: AT }), says: { en: 'your password alone is enough to log in', es: 'basta tu contraseña para entrar' } },
    }; // prettier-ignore
  }
}

describe.each(LANGUAGES)('every kind of mail in %s', (language) => {
  test('is mailed once to whom it is for, however often its event comes', async () => {
    const { begin, kinds } = story(language);
    const published: Published = [];
    for (const start of begin) published.push(await start());
    await service.allSent();
    const done = new Set<unknown>(begin);
    for (const kind of MAIL_KINDS) {
      const { publish } = kinds[kind];
      // One event may be several people's news.
      const same = kind === 'worker-assigned' || kind === 'worker-unassigned';
      if (!done.has(publish) && !same) published.push(await publish());
    }
    for (const kind of MAIL_KINDS) await arrived(kinds[kind]);
    await service.allSent();
    for (let time = 0; time < 3; time++) await service.republish(...(published as never[]));
    await service.settle();

    for (const kind of MAIL_KINDS) {
      const mails = (await service.mailsTo(kinds[kind].to)).filter(({ text }) =>
        text.includes(kinds[kind].says[language]),
      );
      expect([kind, mails.length]).toEqual([kind, 1]);
      expect(mails[0]!.html).toContain(`<html lang="${language}">`);
      expect(mails[0]!.headers['auto-submitted']).toBe('auto-generated');
      expect([kind, 'list-unsubscribe' in mails[0]!.headers]).toEqual([
        kind,
        kind === 'photos' || kind === 'growth-update',
      ]);
    }
    const all = [...new Set(MAIL_KINDS.map((kind) => kinds[kind].to))];
    const counts = await Promise.all(all.map(async (to) => (await service.mailsTo(to)).length));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(MAIL_KINDS.length);
  });

  const arrived = ({ to, says }: { to: string; says: Record<Language, string> }) =>
    service.inbox.next((mail) => mail.to[0]!.address === to && mail.text.includes(says[language]));
});

test('what an admin wrote arrives as text, and begins no header', async () => {
  const order = someOrder({ paymentMethod: 'manual_bancolombia' });
  await service.publish('payment.submitted', order.submitted);
  await service.publish('payment.rejected', {
    ...{ orderId: order.created.orderId, paymentId: 'p', by: { role: 'admin' }, at: AT },
    reason: '<script>alert(1)</script>\r\nBcc: all@example.org',
  });
  const mails = await service.someMailsTo(order.email, 2);
  const rejected = mails.find(({ subject }) => subject.startsWith('We could not'))!;
  expect(rejected.html).toContain('&lt;script&gt;');
  expect(rejected.html).not.toContain('<script');
  expect(rejected.headers).not.toHaveProperty('bcc');
  expect(rejected.text).toContain('https://arboleda.test/plant-trees');
  expect(rejected.text).toContain(order.link);
});
