import { expect, test } from '@jest/globals';
import { gate } from '../../testing/gate.ts';
import { waitFor } from '../../testing/wait.ts';
import { type IntakeOptions, openIntake } from './intake.ts';
import type { Incoming, Place } from './messages.ts';

const here: Place = { topic: 'order.created', partition: 0 };
const there: Place = { topic: 'order.created', partition: 1 };
const message = (offset: number, key = `key ${offset}`, place = here): Incoming => ({
  ...place,
  offset,
  key,
  value: '',
  headers: {},
});
const settled = () => new Promise((resolve) => setImmediate(resolve));

function opened(options: Partial<IntakeOptions> = {}) {
  const handled: number[] = [];
  const said: string[] = [];
  const intake = openIntake({
    handle: async ({ offset }) => void handled.push(offset),
    dueAt: () => 0,
    atOnce: 8,
    mostHeld: 100,
    pause: ({ partition }) => void said.push(`pause ${partition}`),
    resume: ({ partition }) => void said.push(`resume ${partition}`),
    givenUp: ({ offset }) => void said.push(`gave up ${offset}`),
    progressed: () => undefined,
    forget: () => undefined,
    ...options,
  });
  intake.assign([here, there]);
  return { intake, handled, said };
}

test('commits up to the first that is not done', async () => {
  const slow = gate();
  const { intake } = opened({ handle: ({ offset }) => (offset === 6 ? slow.opened : Promise.resolve()) });
  intake.take(here, [message(5), message(6), message(7)]);
  await settled();
  expect(intake.uncommitted()).toEqual([{ ...here, offset: 6 }]);
  slow.open();
  await settled();
  expect(intake.uncommitted()).toEqual([{ ...here, offset: 8 }]);
  intake.committed([{ ...here, offset: 8 }]);
  expect(intake.uncommitted()).toEqual([]);
});

test('does not handle again what it reads again after the group gathered', async () => {
  const { intake, handled } = opened();
  intake.take(here, [message(5), message(6)]);
  intake.assign([here]);
  intake.take(here, [message(5), message(6), message(7)]);
  await settled();
  expect(handled).toEqual([5, 6, 7]);
});

test('leaves to others what it has lost: neither begins it nor says that it is done', async () => {
  const slow = gate();
  const { intake, handled } = opened({
    handle: async ({ offset }) => {
      await slow.opened;
      handled.push(offset);
    },
  });
  intake.take(here, [message(5, 'one key'), message(6, 'one key')]);
  intake.assign([there]);
  slow.open();
  await settled();
  expect(handled).toEqual([5]);
  expect(intake.uncommitted()).toEqual([]);
  intake.take(here, [message(7)]);
  await settled();
  expect(handled).toEqual([5]);
});

test('begins anew in a partition that was lost and came back', async () => {
  const { intake, handled } = opened();
  intake.take(here, [message(5)]);
  await settled();
  intake.assign([]);
  intake.assign([here]);
  intake.take(here, [message(5)]);
  await settled();
  expect(handled).toEqual([5, 5]);
});

test('begins anew in a topic that was made anew', async () => {
  const { intake, handled } = opened();
  intake.take(here, [message(50)]);
  await settled();
  intake.committed(intake.uncommitted());
  intake.take(here, [message(0)]);
  await settled();
  expect(handled).toEqual([50, 0]);
  expect(intake.uncommitted()).toEqual([{ ...here, offset: 1 }]);
});

test('reads no more of a partition than it can hold until half of that is done', async () => {
  const gates = Array.from({ length: 4 }, gate);
  const { intake, said } = opened({ mostHeld: 4, handle: ({ offset }) => gates[offset]!.opened });
  intake.take(here, [message(0), message(1), message(2), message(3)]);
  expect(said).toEqual(['pause 0']);
  gates[0]!.open();
  await settled();
  expect(said).toEqual(['pause 0']);
  gates[1]!.open();
  await settled();
  expect(said).toEqual(['pause 0', 'resume 0']);
});

test('a paused partition that is lost is not paused any more when it comes back', () => {
  const { intake, said } = opened({ mostHeld: 1, handle: () => new Promise(() => undefined) });
  intake.take(here, [message(0)]);
  intake.assign([]);
  expect(said).toEqual(['pause 0', 'resume 0']);
});

test('lets a message wait until it is due, and those behind it pass', async () => {
  const due = Date.now() + 60;
  const { intake, handled } = opened({ dueAt: ({ offset }) => (offset === 0 ? due : 0) });
  intake.take(here, [message(0), message(1)]);
  await settled();
  expect(handled).toEqual([1]);
  await waitFor(() => handled.length === 2);
  expect(Date.now()).toBeGreaterThanOrEqual(due - 1);
  expect(intake.uncommitted()).toEqual([{ ...here, offset: 2 }]);
});

test('what is given up holds back what is committed', async () => {
  const { intake, said } = opened({
    handle: ({ offset }) => (offset === 1 ? Promise.reject(new Error('stopping')) : Promise.resolve()),
  });
  intake.take(here, [message(0), message(1), message(2)]);
  await settled();
  expect(said).toEqual(['gave up 1']);
  expect(intake.uncommitted()).toEqual([{ ...here, offset: 1 }]);
});

test('stopped, it waits for what is in hand and takes nothing more', async () => {
  const slow = gate();
  const { intake } = opened({
    handle: () => slow.opened,
    dueAt: ({ offset }) => (offset === 2 ? Date.now() + 1e6 : 0),
  });
  intake.take(here, [message(0, 'one key'), message(1, 'one key'), message(2)]);
  let stopped = false;
  const stopping = intake.stop().then(() => (stopped = true));
  intake.take(there, [message(0, 'k', there)]);
  await settled();
  expect(stopped).toBe(false);
  slow.open();
  await stopping;
  expect(intake.uncommitted()).toEqual([{ ...here, offset: 1 }]);
});
