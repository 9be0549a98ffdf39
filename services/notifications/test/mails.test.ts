import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { newEmail, someOrder, someWorker } from './builders.ts';
import { openHarness } from './harness.ts';

jest.setTimeout(60_000);

let service: Awaited<ReturnType<typeof openHarness>>;
let url: string;
beforeAll(async () => {
  service = await openHarness();
  ({ url } = await service.start());
});
afterAll(() => service.close());

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

  test('hears who will plant, where the trees are, and that all is done', async () => {
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
    const planted = byWords(/ya están en tierra/);
    expect(planted).toContain('Lugar: Vereda Cocora, Salento');
    expect(planted).toContain('Coordenadas: 4.600000, -75.500000');
    expect(byWords(/está completo/)).toContain('Completado: 21 de noviembre de 2026');
    for (const mail of mails) expect(mail.text).toContain(order.link);
  });

  test('with a name that is an attack gets a harmless mail', async () => {
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

  test('hears of an assignment in Spanish, with the way to the portal and nothing of the donor', async () => {
    const { order, mail } = await assign(someWorker());
    expect(mail.subject).toMatch(/^Pedido nuevo: 5 árboles/);
    expect(mail.text).toContain('https://arboleda.test/worker-portal');
    expect(mail.text).toContain('Región: Salento');
    expect(mail.text + mail.html).not.toContain(order.email);
    expect(mail.text + mail.html).not.toContain(order.created.orderToken);
  });

  test('hears of it in their own language, the newest that is known', async () => {
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
  test('that come together are one mail, and later ones another', async () => {
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

  test('that come before their order are told of when it is there', async () => {
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

describe('somebody with a new account', () => {
  const ask = (changes = {}) => ({
    accountId: 'a-1',
    role: 'customer' as const,
    name: 'Lucía Peña',
    email: newEmail(),
    language: 'en' as const,
    token: 'the-token',
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    ...changes,
  });

  test.each([
    ['en', 'Verify your email address'],
    ['es', 'Verifica tu correo'],
  ] as const)('gets the link in %s, its token where no server sees it', async (language, subject) => {
    const asked = ask({ language });
    await service.publish('email.verification_requested', asked);
    const [mail] = await mailsTo(asked.email);
    expect(mail!.subject).toBe(subject);
    expect(mail!.text).toContain('https://arboleda.test/verify-email#token=the-token');
  });

  test('leaves no token behind once the mail is sent', async () => {
    const asked = ask({ token: 'a-token-to-forget' });
    await service.publish('email.verification_requested', asked);
    await mailsTo(asked.email);
    await allSent();
    const rows = await service.query('select facts from notifications.mails where recipient_address = $1', [
      asked.email,
    ]);
    expect(JSON.stringify(rows)).not.toContain('a-token-to-forget');
  });

  test('gets no link that no longer works', async () => {
    const asked = ask({ expiresAt: new Date(Date.now() - 1000).toISOString() });
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

describe('messages that misbehave', () => {
  test('the same event five times is one mail', async () => {
    const order = someOrder();
    const created = await service.publish('order.created', order.created);
    const assigned = await service.publish('order.assigned', order.step());
    const photo = await service.publish('photo.uploaded', order.photo());
    await mailsTo(order.email, 3);
    for (let time = 0; time < 4; time++) await service.republish(created, assigned, photo);
    await settle();
    expect(await service.mailsTo(order.email)).toHaveLength(3);
  });

  test('what comes before its order waits for it', async () => {
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

  test('what is about no order ever becomes a dead letter and blocks nobody', async () => {
    const lost = await service.publish('order.completed', someOrder().step());
    await waitFor(
      async () => (await service.deadLetters()).some(({ event }) => event.id === lost.id),
      20_000,
    );
    await settle();
  });
});

test('it is ready when its engines answer', async () => {
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});
