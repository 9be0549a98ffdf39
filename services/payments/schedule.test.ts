import { describe, expect, test } from '@jest/globals';
import type { PaymentState } from './payment.ts';
import { nextCheck } from './schedule.ts';

const createdAt = new Date('2026-11-01T00:00:00Z');
const HOUR_MS = 60 * 60 * 1000;
const open: PaymentState = { status: 'open', intentId: 'pi_1' };
const after = (ms: number) => new Date(createdAt.getTime() + ms);
const pauseMs = (state: PaymentState, ageMs: number): number | undefined => {
  const next = nextCheck(state, createdAt, after(ageMs), 30_000);
  return next && next.getTime() - createdAt.getTime() - ageMs;
};

describe('Stripe is asked about a payment', () => {
  test.each([
    [0, 30_000],
    [60_000, 30_000],
    [HOUR_MS, HOUR_MS / 4],
    [10 * 24 * HOUR_MS, 6 * HOUR_MS],
  ])('of age %d ms after another %d ms', (ageMs, expected) => {
    expect(pauseMs(open, ageMs)).toBe(expected);
    expect(pauseMs({ ...open, status: 'processing' }, ageMs)).toBe(expected);
  });

  test('less than two hundred times in all', () => {
    let ageMs = 0;
    let checks = 0;
    for (let pause = pauseMs(open, 0); pause !== undefined; pause = pauseMs(open, ageMs)) {
      ageMs += pause;
      checks++;
    }
    expect(ageMs).toBeGreaterThan(30 * 24 * HOUR_MS);
    expect(checks).toBeLessThan(200);
  });

  test.each<[PaymentState]>([
    [{ status: 'succeeded', intentId: 'pi_1', paidAt: '2026-11-01T00:00:00Z' }],
    [{ status: 'canceled', intentId: 'pi_1', canceledAt: '2026-11-01T00:00:00Z' }],
  ])('no more when it is %j', (state) => {
    expect(nextCheck(state, createdAt, after(0), 30_000)).toBeUndefined();
  });
});
