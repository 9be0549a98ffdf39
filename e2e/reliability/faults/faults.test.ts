import { expect, test } from '@jest/globals';
import { type Call, faultOf } from './calls.ts';

const call: Call = { name: 'log in', needs: ['PostgreSQL'], withinMs: 8_000, make: () => Promise.reject() };
const seen = { status: 503, ms: 10, hasRetryAfter: true };

test('an answer, and a clear refusal in time, are well', () => {
  expect(faultOf(call, { ...seen, status: 200 }, true)).toBeUndefined();
  expect(faultOf(call, seen, false)).toBeUndefined();
});

test.each([
  [{ ...seen, status: 0, failure: 'ECONNRESET' }, false, /ECONNRESET/],
  [{ ...seen, ms: 9_000 }, false, /too late/],
  [seen, true, /needs nothing that is away/],
  [{ ...seen, status: 500 }, false, /answered 500/],
  [{ ...seen, hasRetryAfter: false }, false, /without Retry-After/],
])('anything else is not: case %#', (one, isServable, fault) => {
  expect(faultOf(call, one, isServable)).toMatch(fault);
});
