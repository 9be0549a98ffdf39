import { SERVICES } from '@arboleda/contracts/services.ts';
import { expect, test } from '@jest/globals';
import { type Answer, type Container, containerSentences } from './container-sentences.ts';

const NAMES = [...SERVICES, 'gateway', 'postgres', 'mongodb', 'kafka', 'minio', 'maildev'];
const ready: Answer = { readiness: '{"status":"ready"}', metrics: '' };
const waiting = (...names: string[]): Answer => ({
  readiness: JSON.stringify({ waitingFor: names }),
  metrics: '',
});

function tell(
  states: Record<string, Partial<Container>> = {},
  answers: Record<string, Answer | undefined> = {},
) {
  const containers = NAMES.map((Service) => ({
    Service,
    State: 'running',
    Health: 'healthy',
    ...states[Service],
  }));
  const running = [...SERVICES, 'gateway'].filter((name) => (states[name]?.State ?? 'running') === 'running');
  return containerSentences(
    containers,
    new Map(running.map((name) => [name, name in answers ? answers[name] : ready])),
  );
}

test('healthy containers are not spoken of', () => expect(tell()).toEqual([]));

test('an engine that does not run is one sentence, with all that wait for it', () => {
  const answers = { auth: waiting('kafka'), orders: waiting('kafka'), media: waiting('kafka') };
  expect(tell({ kafka: { State: 'exited', Health: '' } }, answers)).toEqual([
    'The container kafka does not run: docker compose up --detach kafka, and docker compose logs kafka says why it ended; auth, orders and media wait for it.',
  ]);
  expect(tell({ mongodb: { State: 'paused', Health: '' } }, { orders: waiting('mongodb') })).toEqual([
    'The container mongodb is paused: docker compose unpause mongodb; orders waits for it.',
  ]);
});

test('a service that has become ill of an engine is not spoken of by itself', () => {
  const ill = { Health: 'unhealthy' };
  const answers = { orders: waiting('kafka'), payments: waiting('kafka') };
  const sick = { orders: ill, payments: ill, gateway: ill };
  expect(tell({ ...sick, kafka: { State: 'exited', Health: '' } }, answers)).toEqual([
    expect.stringMatching(/^The container kafka does not run: .*; payments and orders wait for it\.$/),
  ]);
  expect(tell(sick, answers)).toEqual([
    expect.stringMatching(/^payments and orders cannot use kafka, though it runs/),
  ]);
});

test('an engine that runs and cannot be used points to its settings', () => {
  expect(tell({}, { media: waiting('minio'), payments: waiting('minio') })).toEqual([
    expect.stringMatching(
      /^payments and media cannot use minio, though it runs: see S3_ENDPOINT, .*bucket is there/,
    ),
  ]);
});

test('all containers stopped is one sentence', () => {
  const containers = NAMES.map((Service) => ({ Service, State: 'exited', Health: '' }));
  expect(containerSentences(containers, new Map())).toEqual([
    expect.stringMatching(/^None of the containers runs/),
  ]);
});

test('a service that ended, is ill, restarts, starts or says nothing', () => {
  expect(tell({ orders: { State: 'exited', Health: '' } })).toEqual([
    expect.stringMatching(/^The container orders does not run: docker compose up --detach orders/),
  ]);
  expect(tell({ orders: { Health: 'unhealthy' } })).toEqual([
    expect.stringMatching(/^The container orders runs and is unhealthy: docker compose logs orders/),
  ]);
  expect(tell({ orders: { State: 'restarting', Health: '' } })).toEqual([
    expect.stringMatching(/ends as soon as it starts/),
  ]);
  expect(tell({}, { orders: waiting('start') })).toEqual([
    'orders is still starting: look again in a minute.',
  ]);
  expect(tell({}, { orders: undefined })).toEqual([
    expect.stringMatching(/^orders does not answer inside its container/),
  ]);
});

test('the gateway is not spoken of when it only suffers from another', () => {
  const sick = { gateway: { Health: 'unhealthy' } };
  expect(tell(sick)).toEqual([expect.stringMatching(/^The container gateway runs and is unhealthy/)]);
  expect(tell({ ...sick, orders: { State: 'exited', Health: '' } })).toEqual([
    expect.stringMatching(/^The container orders/),
  ]);
});

test('one replica of several that does not run, and a container that was never made', () => {
  const healthy = NAMES.map((Service) => ({ Service, State: 'running', Health: 'healthy' }));
  const more = [...healthy, { Service: 'orders', State: 'exited', Health: '' }];
  expect(containerSentences(more, new Map())).toHaveLength(1);
  expect(
    containerSentences(
      healthy.filter(({ Service }) => Service !== 'media'),
      new Map(),
    ),
  ).toEqual(['There is no container of media: docker compose up --detach media makes one.']);
});

test('figures of a service are told with its name', () => {
  const dead = { ...ready, metrics: 'events_dead_letters{group="orders"} 2\n' };
  expect(tell({}, { orders: dead })).toEqual(['orders gave up 2 events: npm run dlq -- list says why.']);
});
