import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { someOrder } from './builders.ts';
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

const settle = () => service.settle();

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
