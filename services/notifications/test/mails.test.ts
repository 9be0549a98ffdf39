import { TEST_MAIL_TOKENS, testOrderToken } from '@arboleda/chassis/testing/config.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { type Language, LANGUAGES } from '@arboleda/contracts/roles.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { MailKind } from '../mails/index.ts';
import { MAIL_KINDS } from '../mails/kinds.ts';
import { ADMIN, AT, newEmail, someOrder, someWorker } from './builders.ts';
import { openHarness } from './harness.ts';

jest.setTimeout(60_000);

let service: Awaited<ReturnType<typeof openHarness>>;
let url: string;
beforeAll(async () => {
  service = await openHarness();
  ({ url } = await service.start());
});
afterAll(() => service.close());

describe('emails', () => {
  const mailsTo: typeof service.someMailsTo = (address, count) => service.someMailsTo(address, count);

  const allSent = () => service.allSent();

  const settle = () => service.settle();

  describe('a donor', () => {
    test.each([
      ['en', 'Receipt for 5 trees', 'Thank you, Lucía.', /COP\s82,300\.00/, 'Visa ···· 4242'],
      ['es', 'Recibo de 5 árboles', 'Gracias, Lucía.', /COP\s82\.300,00/, 'Visa ···· 4242'],
    ] as const)('gets a receipt in their language: %s', async (language, subject, title, paid, card) => {
      const order = someOrder({ language, card: { brand: 'visa', last4: '4242' } });
      await service.publish('order.created', order.created);
      const [mail] = await mailsTo(order.email);
      expect(mail!.subject).toBe(
        `${subject} · ${language === 'en' ? 'order' : 'pedido'} ${order.created.orderId.slice(-6).toUpperCase()}`,
      );
      expect(mail!.to).toEqual([{ name: 'Lucía Peña', address: order.email }]);
      for (const body of [mail!.text, mail!.html]) {
        expect(body).toContain(title);
        expect(body).toMatch(paid);
        expect(body).toContain(card);
        expect(body).toContain(order.link);
      }
      expect(mail!.headers['x-correlation-id']).toBe('test-order.created');
      expect(mail!.headers['message-id']).toMatch(/^<[\w-]{32}@arboleda\.test>$/);
    });

    test('is told who will plant, where the trees are, and when all is done', async () => {
      const order = someOrder({ language: 'es' });
      const ana = someWorker();
      await service.publish('order.created', order.created);
      await service.publish('order.assigned', order.step(ana));
      await service.publish('order.planted', {
        ...order.step(ana),
        location: 'Vereda Cocora, Salento',
        coordinates: { latitude: 4.6, longitude: -75.5 },
      });
      await service.publish('order.completed', order.step(ana));
      const mails = await mailsTo(order.email, 4);
      const byWords = (words: RegExp) => mails.find((mail) => words.test(mail.subject))!.text;
      expect(byWords(/va a sembrar/)).toContain('Ana Ríos va a sembrar tus 5 árboles.');
      const planted = byWords(/ya están sembrados/);
      expect(planted).toContain('Lugar: Vereda Cocora, Salento');
      expect(planted).toContain('Coordenadas: 4.600000, -75.500000');
      expect(byWords(/está completo/)).toContain('Completado: 21 de noviembre de 2026');
      for (const mail of mails) expect(mail.text).toContain(order.link);
    });

    test('with a malicious name gets a harmless email', async () => {
      const order = someOrder({
        customer: { name: '<b>Eve</b>, Bcc: all@example.org', email: newEmail() },
      });
      await service.publish('order.created', order.created);
      const [mail] = await mailsTo(order.email);
      expect(mail!.html).not.toContain('<b>Eve');
      expect(mail!.headers).not.toHaveProperty('bcc');
      expect(mail!.to).toHaveLength(1);
    });
  });

  describe('a worker', () => {
    const assign = async (worker: ReturnType<typeof someWorker>) => {
      const order = someOrder({ language: 'en', region: 'Salento' });
      await service.publish('order.created', order.created);
      await service.publish('order.assigned', order.step(worker));
      const [mail] = await mailsTo(worker.email);
      return { order, mail: mail! };
    };
    const account = (worker: ReturnType<typeof someWorker>, language: 'en' | 'es') => ({
      ...worker,
      language,
      active: true,
      capacityTrees: 100,
    });

    test('gets an assignment in Spanish, with a link to the portal and no donor data', async () => {
      const { order, mail } = await assign(someWorker());
      expect(mail.subject).toMatch(/^Pedido nuevo: 5 árboles/);
      expect(mail.text).toContain('https://arboleda.test/worker-portal');
      expect(mail.text).toContain('Región: Salento');
      expect(mail.text + mail.html).not.toContain(order.email);
      expect(mail.text + mail.html).not.toContain(testOrderToken(order.created.orderId));
    });

    test('gets it in their own language, as last known', async () => {
      const worker = someWorker();
      await service.publish('worker.updated', account(worker, 'en'), 2);
      await waitFor(
        async () =>
          (await service.query('select from notifications.workers where id = $1', [worker.workerId])).length,
      ).then(() => service.publish('worker.registered', account(worker, 'es'), 0));
      await settle();
      const { mail } = await assign(worker);
      expect(mail.subject).toMatch(/^New order: 5 trees/);
    });
  });

  describe('photos', () => {
    test('that arrive together are one email, and later ones another', async () => {
      const order = someOrder();
      await service.publish('order.created', order.created);
      for (const photo of [1, 2, 3, 4, 5].map(order.photo)) await service.publish('photo.uploaded', photo);
      const [, first] = await mailsTo(order.email, 2);
      expect(first!.subject).toBe('5 new photos of your trees');
      await settle();
      expect(await service.mailsTo(order.email)).toHaveLength(2);
      await service.publish('photo.uploaded', order.photo());
      const [, , second] = await mailsTo(order.email, 3);
      expect(second!.subject).toBe('1 new photo of your trees');
    });

    test('are shown, three at most, by their public address and with their place; hidden ones are not', async () => {
      const order = someOrder();
      const ana = someWorker();
      await service.publish('order.created', order.created);
      await service.publish('order.assigned', order.step(ana));
      await service.publish('order.planted', { ...order.step(ana), location: 'Vereda Cocora, Salento' });
      await mailsTo(order.email, 3);
      const photos = [1, 2, 3, 4, 5].map(order.photo);
      await service.publish('photo.uploaded', photos[0]!);
      await service.publish(
        'photo.hidden',
        {
          orderId: order.created.orderId,
          assignmentId: 'a-1',
          photoId: photos[0]!.photoId,
          filename: photos[0]!.filename,
          by: ADMIN,
          at: AT,
          reason: 'Blurred',
        },
        1,
      );
      await waitFor(
        async () =>
          (
            await service.query('select hidden from notifications.photos where id = $1', [photos[0]!.photoId])
          )[0]?.hidden,
      );
      for (const photo of photos.slice(1)) await service.publish('photo.uploaded', photo);
      const mail = (await mailsTo(order.email, 4)).find(({ subject }) => /new photo/.test(subject))!;
      expect(mail.subject).toBe('4 new photos of your trees');
      expect(mail.text).toContain('Place: Vereda Cocora, Salento');
      const sources = [...mail.html.matchAll(/<img[^>]* src="([^"]+)"/g)].map(([, src]) =>
        src!.replace('&#x3D;', '='),
      );
      expect(sources).toHaveLength(3);
      for (const src of sources) {
        const named = photos.slice(1).filter(({ filename }) => src.includes(filename));
        expect(named.map(({ filename }) => `https://arboleda.test/api/photos/${filename}?w=800`)).toEqual([
          src,
        ]);
      }
      expect(mail.html).not.toContain(photos[0]!.filename);
      expect(mail.html).toContain('alt="Photo 1 of 3: your trees, Vereda Cocora, Salento"');
    });

    test('that arrive before their order are announced afterwards', async () => {
      const order = someOrder();
      const photo = await service.publish('photo.uploaded', order.photo());
      await waitFor(
        async () =>
          (await service.query('select from notifications.photos where event_id = $1', [photo.id])).length ===
          1,
      );
      await service.publish('order.created', order.created);
      const mails = await mailsTo(order.email, 2);
      expect(mails.map((mail) => mail.subject)).toContain('1 new photo of your trees');
    });
  });

  describe('a new account’s owner', () => {
    const ask = async ({
      token = 'the-token',
      ...changes
    }: { token?: string; language?: Language; expiresAt?: string } = {}) => {
      const email = newEmail();
      return {
        accountId: 'a-1',
        role: 'customer' as const,
        name: 'Lucía Peña',
        email,
        language: 'en' as const,
        sealedToken: await TEST_MAIL_TOKENS.seal(token, email),
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
        ...changes,
      };
    };

    test.each([
      ['en', 'Verify your email address'],
      ['es', 'Verifica tu correo'],
    ] as const)('gets the link in %s, its token where no server sees it', async (language, subject) => {
      const asked = await ask({ language });
      await service.publish('email.verification_requested', asked);
      const [mail] = await mailsTo(asked.email);
      expect(mail!.subject).toBe(subject);
      expect(mail!.text).toContain('https://arboleda.test/verify-email#token=the-token');
    });

    test('leaves no token in the database once the email is sent', async () => {
      const asked = await ask({ token: 'a-token-to-forget' });
      await service.publish('email.verification_requested', asked);
      await mailsTo(asked.email);
      await allSent();
      const rows = await service.query('select facts from notifications.mails where recipient_address = $1', [
        asked.email,
      ]);
      expect(JSON.stringify(rows)).not.toContain('a-token-to-forget');
    });

    test('gets nothing for another’s sealed token in their event', async () => {
      const [owner, thief] = [await ask(), newEmail()];
      await service.publish('email.verification_requested', { ...owner, email: thief });
      const [row] = await waitFor(async () => {
        const rows = await service.query(
          'select error, facts from notifications.mails where recipient_address = $1 and error is not null',
          [thief],
        );
        return rows.length > 0 && rows;
      });
      expect(row.error).toContain('for somebody else');
      // The queued token is sealed, too.
      expect(row.facts.token).toBe(owner.sealedToken);
      expect(await service.mailsTo(thief)).toEqual([]);
      await service.query('delete from notifications.mails where recipient_address = $1', [thief]);
    });

    test('gets no expired link', async () => {
      const asked = await ask({ expiresAt: new Date(Date.now() - 1000).toISOString() });
      await service.publish('email.verification_requested', asked);
      const [row] = await waitFor(async () => {
        const rows = await service.query(
          'select dropped_because, facts from notifications.mails where recipient_address = $1 and dropped_at is not null',
          [asked.email],
        );
        return rows.length > 0 && rows;
      });
      expect(row).toMatchObject({ dropped_because: 'pointless', facts: { expiresAt: asked.expiresAt } });
      expect(row.facts).not.toHaveProperty('token');
      expect(await service.mailsTo(asked.email)).toEqual([]);
    });
  });

  describe('unusual deliveries', () => {
    test('the same event five times is one email', async () => {
      const order = someOrder();
      const created = await service.publish('order.created', order.created);
      const assigned = await service.publish('order.assigned', order.step());
      const photo = await service.publish('photo.uploaded', order.photo());
      await mailsTo(order.email, 3);
      for (let time = 0; time < 4; time++) await service.republish(created, assigned, photo);
      await settle();
      expect(await service.mailsTo(order.email)).toHaveLength(3);
    });

    test('an event before its order waits for it', async () => {
      const order = someOrder();
      await service.publish('order.planted', order.step());
      await service.publish('order.assigned', order.step());
      await service.publish('order.created', order.created);
      const subjects = (await mailsTo(order.email, 3)).map((mail) => mail.subject).sort();
      expect(subjects).toEqual([
        'Ana Ríos will plant your 5 trees',
        expect.stringMatching(/^Receipt/),
        'Your 5 trees are in the ground',
      ]);
    });

    test('an event about an order that never arrives becomes a dead letter and blocks nothing', async () => {
      const lost = await service.publish('order.completed', someOrder().step());
      await waitFor(
        async () => (await service.deadLetters()).some(({ event }) => event.id === lost.id),
        20_000,
      );
      await settle();
    });
  });

  test('the service is ready when its engines answer', async () => {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });
});

describe('kinds of email', () => {
  type Published = Awaited<ReturnType<typeof service.publish>>[];

  /** An order, a worker and an account in one language, and the events of each kind of email. */
  async function story(language: Language) {
    const order = someOrder({ language, region: 'Salento' });
    const transfer = someOrder({ language, method: { kind: 'transfer', bank: 'bancolombia' } });
    const [ana, former] = [someWorker(), someWorker({ name: 'Carlos Gil' })];
    const { orderId } = order.created;
    const account = { accountId: `a-${language}`, role: 'customer' as const, name: 'Lucía Peña', language };
    const link = { expiresAt: new Date(Date.now() + 86_400_000).toISOString() };
    const visit = { visitId: 'v-1', orderId, purchaseId: 'b-1', number: 2, of: 3, worker: ana };
    const mailed = async () => {
      const email = newEmail();
      return { ...account, ...link, email, sealedToken: await TEST_MAIL_TOKENS.seal('the-token', email) };
    };
    const links = await Promise.all([mailed(), mailed(), mailed(), mailed()]);
    const { publish } = service;
    const worker = (one: typeof ana) => ({ ...one, language, active: true, capacityTrees: 10 });
    const begin = [
      () => publish('worker.registered', worker(ana)),
      () => publish('worker.registered', worker(former)),
      () => publish('order.created', order.created),
      () => publish('payment.submitted', transfer.submitted),
    ];

    /** Per kind: the event, the recipient, and text that only this email contains. */
    const kinds: Record<
      MailKind,
      { to: string; publish: () => Promise<Published[number]>; says: Record<Language, string> }
    > = {
      receipt: {
        to: order.email,
        publish: begin[2]!,
        says: { en: 'We have your payment for your 5 trees', es: 'Recibimos el pago de tus 5 árboles' },
      },
      'transfer-received': {
        to: transfer.email,
        publish: begin[3]!,
        says: { en: 'within 24-48 hours', es: 'en 24 a 48 horas' },
      },
      'transfer-rejected': {
        to: transfer.email,
        publish: () =>
          publish('payment.rejected', {
            orderId: transfer.created.orderId,
            paymentId: 'p',
            reason: 'Not found: «<b>1</b>»',
            by: { role: 'admin' },
            at: AT,
          }),
        says: { en: 'To try again', es: 'Para intentarlo de nuevo' },
      },
      'transfer-approved': {
        to: transfer.email,
        publish: () => publish('order.created', transfer.created),
        says: { en: 'We found your money', es: 'Encontramos tu dinero' },
      },
      assigned: {
        to: order.email,
        publish: () =>
          publish('order.assigned', {
            ...order.step(ana),
            previousWorker: former,
            by: { role: 'admin' },
            reason: 'Closer',
          }),
        says: { en: 'Ana Ríos will plant', es: 'Ana Ríos va a sembrar' },
      },
      'worker-assigned': {
        to: ana.email,
        publish: () =>
          publish('order.assigned', {
            ...order.step(ana),
            previousWorker: former,
            by: { role: 'admin' },
            reason: 'Closer',
          }),
        says: { en: 'you have 5 trees to plant', es: 'tienes 5 árboles por sembrar' },
      },
      'worker-unassigned': {
        to: former.email,
        publish: () =>
          publish('order.assigned', {
            ...order.step(ana),
            previousWorker: former,
            by: { role: 'admin' },
            reason: 'Closer',
          }),
        says: { en: 'Another planter has it now', es: 'Ahora lo tiene otra persona' },
      },
      planted: {
        to: order.email,
        publish: () => publish('order.planted', { ...order.step(ana), location: 'Cocora' }),
        says: { en: 'See where they grow', es: 'Ver dónde crecen' },
      },
      photos: {
        to: order.email,
        publish: () => publish('photo.uploaded', order.photo()),
        says: { en: '1 new photo of your trees', es: '1 foto nueva de tus árboles' },
      },
      completed: {
        to: order.email,
        publish: () => publish('order.completed', order.step(ana)),
        says: { en: 'Your order is complete', es: 'Tu pedido está completo' },
      },
      'photo-package': {
        to: order.email,
        publish: () =>
          publish('photo_package.purchased', {
            orderId,
            purchaseId: 'b-1',
            photoPackageType: 'first_year',
            amountMinor: 1500,
            currency: 'USD',
            transactionId: 'pi_9',
            customer: order.created.customer,
            language,
            purchasedAt: AT,
          }),
        says: { en: 'You will see your 5 trees grow', es: 'Vas a ver crecer tus 5 árboles' },
      },
      'growth-update': {
        to: order.email,
        publish: () => publish('growth_visit.completed', { ...visit, photos: 4, at: AT }),
        says: { en: 'Growth update 2 of 3', es: 'Visita 2 de 3' },
      },
      'growth-visit-due': {
        to: ana.email,
        publish: () =>
          publish('growth_visit.due', { ...visit, dueAt: AT, trees: 5, location: 'Cocora', reminders: 1 }),
        says: { en: 'a growth visit is still waiting', es: 'hay una visita que todavía espera' },
      },
      refunded: {
        to: order.email,
        publish: () =>
          publish('payment.refunded', {
            orderId,
            paymentId: order.succeeded.paymentId,
            refundId: 'r',
            amountMinor: 100_00,
            currency: 'COP',
            paidMinor: 823_00,
            refundedMinor: 100_00,
            isFull: false,
            reason: 'asked',
            at: AT,
          }),
        says: { en: 'back to you', es: 'Te devolvimos' },
      },
      'dispute-lost': {
        to: order.email,
        publish: () =>
          publish('payment.disputed', {
            orderId,
            paymentId: order.succeeded.paymentId,
            disputeId: 'd',
            amountMinor: 823_00,
            currency: 'COP',
            paidMinor: 823_00,
            lostMinor: 823_00,
            reason: 'fraudulent',
            status: 'lost',
            at: AT,
          }),
        says: { en: 'Your bank took back', es: 'Tu banco retiró' },
      },
      'refund-failed': {
        to: order.email,
        publish: () =>
          publish('payment.refund_failed', {
            orderId,
            paymentId: order.succeeded.paymentId,
            refundId: 'r',
            amountMinor: 100_00,
            currency: 'COP',
            paidMinor: 823_00,
            reason: 'expired_or_canceled_card',
            at: AT,
          }),
        says: { en: 'back to us', es: 'Tu banco nos regresó' },
      },
      ...accounts(),
    };
    return { begin, kinds };

    function accounts() {
      const [verify, reset, invite, change] = links;
      const [from, email, protectedBy] = [newEmail(), newEmail(), newEmail()];
      return {
        'verify-email': {
          to: verify.email,
          publish: () => publish('email.verification_requested', verify),
          says: { en: 'Verify this address', es: 'Verificar este correo' },
        },
        'reset-password': {
          to: reset.email,
          publish: () => publish('password.reset_requested', { ...reset, role: 'admin' as const }),
          says: {
            en: '/reset-password#role=admin&token=the-token',
            es: '/reset-password#role=admin&token=the-token',
          },
        },
        'worker-invited': {
          to: invite.email,
          publish: () => publish('worker.invited', { ...invite, role: 'worker' as const, code: 'QU-014' }),
          says: { en: 'Worker id: QU-014', es: 'Código: QU-014' },
        },
        'confirm-email': {
          to: change.email,
          publish: () => publish('email.change_requested', change),
          says: { en: '/confirm-email#token=the-token', es: '/confirm-email#token=the-token' },
        },
        'email-changed': {
          to: from,
          publish: () =>
            publish('email.changed', { ...account, from, to: newEmail(), fromVerified: true, at: AT }),
          says: { en: 'has another address now', es: 'tiene ahora otro correo' },
        },
        'password-changed': {
          to: email,
          publish: () => publish('password.changed', { ...account, email, at: AT }),
          says: { en: 'Your password was changed'.slice(5), es: 'ambió tu contraseña' },
        },
        'second-factor-changed': {
          to: protectedBy,
          publish: () =>
            publish('second_factor.changed', {
              ...account,
              role: 'admin' as const,
              email: protectedBy,
              enabled: false,
              at: AT,
            }),
          says: { en: 'your password alone is enough to log in', es: 'basta tu contraseña para entrar' },
        },
      };
    }
  }

  describe.each(LANGUAGES)('every kind of email in %s', (language) => {
    test('is sent once to its recipient, however often its event is delivered', async () => {
      const { begin, kinds } = await story(language);
      const published: Published = [];
      for (const start of begin) published.push(await start());
      await service.allSent();
      const done = new Set<unknown>(begin);
      for (const kind of MAIL_KINDS) {
        const { publish } = kinds[kind];
        // One event may cause emails to several people.
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

  test('an admin’s text arrives as text, and cannot inject headers', async () => {
    const order = someOrder({ method: { kind: 'transfer', bank: 'bancolombia' } });
    await service.publish('payment.submitted', order.submitted);
    await service.publish('payment.rejected', {
      orderId: order.created.orderId,
      paymentId: 'p',
      by: { role: 'admin' },
      at: AT,
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
});
