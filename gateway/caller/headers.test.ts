import { describe, expect, test } from '@jest/globals';
import { answerHeaders, upstreamHeaders } from './headers.ts';

const FACTS = { correlationId: 'c1', address: '203.0.113.9', countryHeader: undefined };

test('a service hears what the gateway knows, not what a caller claims of it', () => {
  const claimed = { 'x-forwarded-for': '6.6.6.6', 'x-correlation-id': 'mine', cookie: 'a=b', accept: 'x' };
  expect(upstreamHeaders(claimed, FACTS)).toEqual({
    accept: 'x',
    'x-correlation-id': 'c1',
    'x-forwarded-for': '203.0.113.9',
  });
});

describe('a caller gets of the headers of an answer', () => {
  test('what the service says of it, each time that it says it', () => {
    expect(answerHeaders(200, { etag: '"1"', 'set-cookie': ['a=1', 'b=2'], 'content-length': '2' })).toEqual(
      ['etag', '"1"', 'set-cookie', 'a=1', 'set-cookie', 'b=2', 'content-length', '2'], // prettier-ignore
    );
  });

  test('nothing of the hop behind the gateway, and nothing that the gateway says itself', () => {
    const inner = {
      connection: 'close',
      'keep-alive': 'timeout=5',
      'transfer-encoding': 'chunked',
      trailer: 'x-sum',
      server: 'orders-3',
      'x-powered-by': 'Express',
      'x-correlation-id': 'theirs',
      'ratelimit-limit': '9',
      'x-frame-options': 'ALLOW',
      'access-control-allow-origin': '*',
    };
    expect(answerHeaders(200, inner)).toEqual([]);
  });

  test('no length of what has no content', () => {
    expect(answerHeaders(204, { 'content-length': '0' })).toEqual([]);
  });
});
