import { expect, test } from '@jest/globals';
import { isDisputeNews } from './dispute.ts';

test.each([
  [undefined, 'needs_response', true],
  ['needs_response', 'needs_response', false],
  ['needs_response', 'under_review', true],
  ['under_review', 'needs_response', false],
  ['warning_closed', 'needs_response', true],
  ['needs_response', 'warning_closed', false],
  ['won', 'under_review', false],
  ['won', 'lost', true],
  ['lost', 'appeal_needs_response', true],
  ['appeal_under_review', 'won', true],
  ['under_review', 'a_status_of_tomorrow', true],
])('after %s, %s is news: %s', (known, seen, expected) => {
  expect(isDisputeNews(known, seen)).toBe(expected);
});
