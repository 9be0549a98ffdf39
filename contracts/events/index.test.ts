import { describe, expect, test } from '@jest/globals';
import { ZodError } from 'zod';
import { type EventType, EVENTS, keyOf, type NewEvent, parseEvent } from './index.ts';

const orderId = '65f0c0ffee0123456789abcd';
const at = '2026-11-21T15:00:00.000Z';
const worker = {
  workerId: 'w1',
  code: 'QU-014',
  name: 'Ana Ruiz',
  email: 'ana@arboleda.test',
  region: 'Quindío',
};
const planted = {
  id: 'event-1',
  type: 'order.planted',
  version: 1,
  occurredAt: at,
  key: orderId,
  sequence: 3,
  correlationId: 'c-1',
  data: { orderId, assignmentId: 'a1', statusRevision: 1, worker, at, location: 'Salento' },
};

/** Paths where validation fails, in the envelope or in the data. */
function faults(event: unknown): string[] {
  try {
    parseEvent(event);
    return [];
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    return error.issues.map((issue) => issue.path.join('.'));
  }
}

describe('reading an event', () => {
  test('keeps the trace context, and drops a malformed one without losing the event', () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    expect(parseEvent({ ...planted, traceparent }).traceparent).toBe(traceparent);
    expect(parseEvent({ ...planted, traceparent: 'nonsense' }).traceparent).toBeUndefined();
    expect(parseEvent(planted)).not.toHaveProperty('traceparent');
  });

  test('returns what was published', () => {
    expect(parseEvent(planted)).toEqual(planted);
  });

  test('drops unknown fields of a newer publisher', () => {
    const newer = { ...planted, traceState: 'x', data: { ...planted.data, altitudeMetres: 1800 } };
    expect(parseEvent(newer)).toEqual(planted);
  });

  test('refuses an unknown type', () => {
    expect(faults({ ...planted, type: 'order.felled' })).toEqual(['type']);
  });

  test.each(['id', 'version', 'occurredAt', 'key', 'sequence', 'correlationId'])(
    'refuses an envelope without %s',
    (field) => {
      expect(faults({ ...planted, [field]: undefined })).toEqual([field]);
    },
  );

  test.each([
    ['an order id that is none', { orderId: 'ABC' }, 'orderId'],
    ['a negative revision', { statusRevision: -1 }, 'statusRevision'],
    ['no worker', { worker: undefined }, 'worker'],
    ['a day that is none', { at: 'yesterday' }, 'at'],
    ['a place off the globe', { coordinates: { latitude: 91, longitude: 0 } }, 'coordinates.latitude'],
  ])('refuses %s', (_what, wrong, path) => {
    expect(faults({ ...planted, data: { ...planted.data, ...wrong } })).toEqual([path]);
  });

  test.each([undefined, null, 'text', 7, {}])('refuses %p, which is no event', (value) => {
    expect(() => parseEvent(value)).toThrow(ZodError);
  });
});

describe('the key of an event', () => {
  test('is the aggregate id: order, worker or account', () => {
    expect(keyOf({ type: 'order.planted', data: planted.data })).toBe(orderId);
    const account = { workerId: 'w1', name: '', active: true } as NewEvent<'worker.updated'>['data'];
    expect(keyOf({ type: 'worker.updated', data: account })).toBe('w1');
    const customer = { accountId: 'c1', name: '', email: '', language: 'es' } as const;
    expect(keyOf({ type: 'customer.registered', data: customer })).toBe('c1');
  });

  test('is the order for all events of an order, which keeps them in order', () => {
    const aboutOrders = (Object.keys(EVENTS) as EventType[]).filter((type) =>
      /^(order|payment|photo)\./.test(type),
    );
    expect(aboutOrders.length).toBeGreaterThan(5);
    for (const type of aboutOrders) expect(`${type} ${EVENTS[type].key}`).toBe(`${type} orderId`);
  });

  test('is a required field of the event', () => {
    for (const [type, { key, data }] of Object.entries(EVENTS)) {
      const missing = data.safeParse({}).error?.issues.map((issue) => issue.path.join('.')) ?? [];
      expect(`${type}: ${missing.includes(key)}`).toBe(`${type}: true`);
    }
  });
});
