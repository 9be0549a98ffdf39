import { describe, expect, test } from '@jest/globals';
import { withContext } from '../context.ts';
import { anOrderId, someNews } from '../testing/events.ts';
import { toEnvelope } from './envelope.ts';

const now = new Date('2026-05-01T12:00:00.000Z');

describe('an envelope', () => {
  test('says whose the event is, when it was, and what led to it', () => {
    const orderId = anOrderId();
    const event = withContext({ correlationId: 'corr-1', causationId: 'cause-1' }, () =>
      toEnvelope(someNews(orderId), 3, now),
    );
    expect(event).toEqual({
      id: expect.stringMatching(/^[\w-]{36}$/),
      type: 'payment.failed',
      version: 1,
      occurredAt: '2026-05-01T12:00:00.000Z',
      key: orderId,
      sequence: 3,
      correlationId: 'corr-1',
      causationId: 'cause-1',
      data: someNews(orderId).data,
    });
  });

  test('has no cause when no event led to it, but something to be followed by', () => {
    const event = toEnvelope(someNews(anOrderId()), 0, now);
    expect('causationId' in event).toBe(false);
    expect(event.correlationId).not.toBe('');
  });

  test('tells the span it was decided in, while somebody traces', () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const event = withContext({ correlationId: 'corr-1', traceparent }, () =>
      toEnvelope(someNews(anOrderId()), 0, now),
    );
    expect(event.traceparent).toBe(traceparent);
    expect(toEnvelope(someNews(anOrderId()), 0, now)).not.toHaveProperty('traceparent');
  });

  test('is another for each event', () => {
    const news = someNews(anOrderId());
    expect(toEnvelope(news, 0, now).id).not.toBe(toEnvelope(news, 0, now).id);
  });

  test('is refused to what contracts do not know', () => {
    expect(() => toEnvelope(someNews('not an order'), 0, now)).toThrow();
    expect(() => toEnvelope(someNews(anOrderId()), -1, now)).toThrow();
  });
});
