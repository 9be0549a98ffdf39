import { expect, test } from '@jest/globals';
import { mailboxOf } from './mailbox.ts';

const SAME_MAILBOX = [
  ['Ana@Example.org', 'ana@example.org'],
  ['ana+tree1@example.org', 'ana@example.org'],
  ['ana+a+b@example.org', 'ana@example.org'],
  ['a.n.a+x@gmail.com', 'ana@gmail.com'],
  ['A.N.A@GoogleMail.com', 'ana@gmail.com'],
  ['ａｎａ@example.org', 'ana@example.org'],
  ['a_n-a.x@pm.me', 'anax@proton.me'],
  ['ana+1@me.com', 'ana@icloud.com'],
] as const;

test.each(SAME_MAILBOX)('%s is %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});

test.each([
  ['a.na@example.org', 'ana@example.org'],
  ['ana@gmail.com', 'ana@example.org'],
  ['+ana@example.org', '+eva@example.org'],
])('%s and %s are two', (one, other) => {
  expect(mailboxOf(one)).not.toBe(mailboxOf(other));
});
