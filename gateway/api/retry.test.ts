import { describe, expect, test } from '@jest/globals';
import { type FailedAttempt, mayRetry } from './retry.ts';

const attempt = (parts: Partial<FailedAttempt> = {}): FailedAttempt => ({
  method: 'GET',
  hasBody: false,
  wasConnected: true,
  wasReused: false,
  wasAnswered: false,
  code: 'ECONNRESET',
  attempts: 1,
  hasOther: true,
  ...parts,
});

describe('a call is sent to another replica', () => {
  test.each<[string, Partial<FailedAttempt>]>([
    ['when it only reads and its connection broke', {}],
    ['when its connection broke while it was being written', { code: 'EPIPE' }],
    ['when it removes, which can be done twice', { method: 'DELETE' }],
    [
      'whatever it is, when there was no connection',
      { method: 'POST', hasBody: true, wasConnected: false, code: 'ECONNREFUSED' },
    ],
    ['or the same one, when only the idle connection was stale', { wasReused: true, hasOther: false }],
  ])('%s', (_when, parts) => {
    expect(mayRetry(attempt(parts))).toBe(true);
  });
});

describe('a call is not sent again', () => {
  test.each<[string, Partial<FailedAttempt>]>([
    ['when it may have been received and would count twice', { method: 'POST', wasReused: true }],
    ['when part of its body is gone', { hasBody: true }],
    ['when its answer had begun', { wasAnswered: true }],
    ['when what came was no HTTP', { code: 'HPE_INVALID_CONSTANT' }],
    ['when the only replica refuses connections', { wasConnected: false, hasOther: false }],
    ['when the only replica breaks new connections', { hasOther: false }],
    ['for ever', { attempts: 3 }],
  ])('%s', (_when, parts) => {
    expect(mayRetry(attempt(parts))).toBe(false);
  });
});
