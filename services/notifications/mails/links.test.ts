import { expect, test } from '@jest/globals';
import { linksOf, unsubscribeUrl } from './links.ts';
import { SAMPLES } from './samples.ts';

const SITE = 'https://arboleda.test';
const expiresAt = '2026-11-22T20:00:00Z';

test('what proves who somebody is stands in the fragment, which no server sees', () => {
  const links = [
    linksOf({ kind: 'verify-email', facts: { token: 'a&b#c', expiresAt } }, SITE),
    linksOf({ kind: 'reset-password', facts: { token: 't', expiresAt, role: 'worker' } }, SITE),
    linksOf({ kind: 'worker-invited', facts: { token: 't', expiresAt, code: 'QU-1' } }, SITE),
    linksOf({ kind: 'confirm-email', facts: { token: 't', expiresAt, email: 'a@b.co' } }, SITE),
  ];
  expect(links.map(({ nextStep }) => nextStep)).toEqual([
    `${SITE}/verify-email#token=a%26b%23c`,
    `${SITE}/reset-password#role=worker&token=t`,
    `${SITE}/reset-password#role=worker&token=t`,
    `${SITE}/confirm-email#token=t`,
  ]);
});

test('a notice leads everybody to their own portal', () => {
  const portal = (role: 'customer' | 'worker' | 'admin') =>
    linksOf({ kind: 'password-changed', facts: { role, at: expiresAt } }, SITE).nextStep;
  expect(portal('customer')).toBe(`${SITE}/customer-portal`);
  expect(portal('worker')).toBe(`${SITE}/worker-portal`);
  expect(portal('admin')).toBe(`${SITE}/admin-dashboard`);
});

test('the private link is there, also where the next step is another', () => {
  const order = `${SITE}/orders/${SAMPLES.receipt.orderToken}`;
  expect(linksOf({ kind: 'receipt', facts: SAMPLES.receipt }, SITE)).toEqual({ nextStep: order });
  expect(linksOf({ kind: 'transfer-rejected', facts: SAMPLES['transfer-rejected'] }, SITE)).toEqual({
    nextStep: `${SITE}/plant-trees`,
    order,
  });
});

test('news can be stopped on a page, and by a mail program', () => {
  expect(linksOf({ kind: 'photos', facts: SAMPLES.photos }, SITE, 'the-token').preferences).toBe(
    `${SITE}/mail-preferences#token=the-token`,
  );
  expect(unsubscribeUrl(SITE, 'the-token')).toBe(`${SITE}/api/mail/unsubscribe/the-token`);
});
