import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { idsOf, newIds } from './ids.ts';

describe.each([
  ['new ones', newIds],
  ['those of words', () => idsOf('some words')],
])('names of a payment and its order, %s', (_what, make) => {
  test('are a UUID, 24 hexadecimal digits and 128 bits', () => {
    const { paymentId, orderId, orderToken } = make();
    expect(z.uuid().safeParse(paymentId).success).toBe(true);
    expect(orderId).toMatch(/^[0-9a-f]{24}$/);
    expect(Buffer.from(orderToken, 'base64url')).toHaveLength(16);
  });

  test('have a token that nobody can know', () => {
    expect(make().orderToken).not.toBe(make().orderToken);
  });
});

test('the same words give the same names, others give others', () => {
  const { paymentId, orderId } = idsOf('some words');
  expect(idsOf('some words')).toMatchObject({ paymentId, orderId });
  for (const other of [idsOf('other words'), newIds()]) {
    expect(other.paymentId).not.toBe(paymentId);
    expect(other.orderId).not.toBe(orderId);
  }
});
