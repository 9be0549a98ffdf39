import { expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { signatureHeader } from './signature.ts';

const stripe = new Stripe('sk_test_any');
const secret = 'whsec_demo';
const body = JSON.stringify({ id: 'evt_1', object: 'event', data: { object: { name: 'Guayacán' } } });
const nowS = () => Math.floor(Date.now() / 1000);

test('a signed webhook is accepted by the official package', () => {
  const event = stripe.webhooks.constructEvent(body, signatureHeader(body, secret, nowS()), secret);
  expect(event.id).toBe('evt_1');
});

test('another secret, a changed body or an old time are not', () => {
  const header = signatureHeader(body, secret, nowS());
  expect(() => stripe.webhooks.constructEvent(body, header, 'whsec_other')).toThrow(/signature/);
  expect(() => stripe.webhooks.constructEvent(body + ' ', header, secret)).toThrow(/signature/);
  const old = signatureHeader(body, secret, nowS() - 301);
  expect(() => stripe.webhooks.constructEvent(body, old, secret)).toThrow(/tolerance/);
});
