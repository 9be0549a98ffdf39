import { testOrderToken } from '@arboleda/chassis/testing/config.ts';
import { startWaitingJobs } from '@arboleda/chassis/testing/periodic.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { PHOTO_MAIL_JOB } from '../queue/photo-mail.ts';
import { ADMIN, AT, newEmail, someOrder, someWorker } from './builders.ts';
import { openHarness } from './harness.ts';

jest.setTimeout(60_000);

/** Photos wait until a test sends their email. */
const LONG = 3_600;

let service: Awaited<ReturnType<typeof openHarness>>;
beforeAll(async () => {
  service = await openHarness({ photoMailDelaySeconds: LONG });
  await service.start();
});
afterAll(() => service.close());

const mailsTo: typeof service.someMailsTo = (address, count) => service.someMailsTo(address, count);

const settle = () => service.settle();

describe('a donor', () => {
  test.each([
    ['en', 'Receipt for 5 trees', 'Thank you, Lucía.', /COP\s82,300/, 'Visa ···· 4242'],
    ['es', 'Recibo de 5 árboles', 'Gracias, Lucía.', /COP\s82\.300/, 'Visa ···· 4242'],
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

  test('is emailed the certificate they asked for and its revocation, and nothing for a new fact', async () => {
    const order = someOrder();
    const { orderId } = order.created;
    const code = (last: string) => `K7QF-M2XD-9WB${last}`;
    const issued = (version: number, because: 'requested' | 'record') =>
      service.publish('certificate.issued', {
        orderId,
        code: code(String(version)),
        version,
        because,
        at: AT,
      });
    await service.publish('order.created', order.created);
    await issued(1, 'requested');
    await issued(2, 'record');
    await issued(3, 'requested');
    await service.publish('certificate.revoked', {
      orderId,
      code: code('3'),
      cause: 'admin',
      reason: 'The name is somebody else’s',
      at: AT,
    });
    const mails = await mailsTo(order.email, 4);
    await settle();
    const subjects = mails.map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes('certificate')).sort()).toEqual([
      'The new version of your certificate',
      'Your certificate of planting',
      'Your certificate was revoked',
    ]);
    const [first] = mails.filter(({ subject }) => subject === 'Your certificate of planting');
    expect(first!.text).toContain(`/c/${code('1')}`);
    const [last] = mails.filter(({ subject }) => subject === 'Your certificate was revoked');
    expect(last!.text).toContain('The name is somebody else’s');
    expect(await service.mailsTo(order.email)).toHaveLength(4);
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
  /** Sends the email about an order's photos once so many are known. */
  async function announce(orderId: string, count: number): Promise<void> {
    await waitFor(async () => {
      const known = await service.query(
        'select from notifications.photos where order_id = $1 and told_by is null and not hidden',
        [orderId],
      );
      return known.length === count;
    });
    await startWaitingJobs(service.query, 'notifications', PHOTO_MAIL_JOB);
  }

  test('that arrive together are one email, and later ones another', async () => {
    const order = someOrder();
    await service.publish('order.created', order.created);
    for (const photo of [1, 2, 3, 4, 5].map(order.photo)) await service.publish('photo.uploaded', photo);
    await announce(order.created.orderId, 5);
    const first = await mailsTo(order.email, 2);
    expect(first.map(({ subject }) => subject)).toContain('5 new photos of your trees');
    await settle();
    expect(await service.mailsTo(order.email)).toHaveLength(2);
    await service.publish('photo.uploaded', order.photo());
    await announce(order.created.orderId, 1);
    const second = await mailsTo(order.email, 3);
    expect(second.map(({ subject }) => subject)).toContain('1 new photo of your trees');
  });

  test('are shown, three at most, by their public address and with their place; hidden ones are not', async () => {
    const order = someOrder();
    const ana = someWorker();
    await service.publish('order.created', order.created);
    await service.publish('order.assigned', order.step(ana));
    await service.publish('order.planted', { ...order.step(ana), location: 'Filandia' });
    // Taken back and planted again.
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
    await announce(order.created.orderId, 4);
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
    await service.publish('photo.uploaded', order.photo());
    await announce(order.created.orderId, 1);
    await service.publish('order.created', order.created);
    const mails = await mailsTo(order.email, 2);
    expect(mails.map((mail) => mail.subject)).toContain('1 new photo of your trees');
  });
});
