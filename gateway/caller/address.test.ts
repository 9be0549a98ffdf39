import { describe, expect, test } from '@jest/globals';
import { callerKey, clientAddress, parseTrustedProxies } from './address.ts';

const trusted = parseTrustedProxies('10.0.0.0/8, 192.168.1.7, 2001:db8::/32');

describe('the address of a caller', () => {
  test.each([
    ['a stranger is who it is', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
    ['our proxy speaks for its caller', '10.1.1.1', '1.2.3.4', '1.2.3.4'],
    ['only the last untrusted hop counts', '10.1.1.1', '6.6.6.6, 1.2.3.4, 10.9.9.9', '1.2.3.4'],
    ['IPv4 written as IPv6 is the same', '::ffff:10.1.1.1', '::ffff:1.2.3.4', '1.2.3.4'],
    ['an IPv6 proxy counts too', '2001:db8::5', '2001:db9::1', '2001:db9::1'],
    ['nonsense is not followed', '10.1.1.1', 'unknown', '10.1.1.1'],
    ['a proxy without a word is the caller', '10.1.1.1', undefined, '10.1.1.1'],
  ])('%s', (_case, peer, forwardedFor, address) => {
    expect(clientAddress(peer, forwardedFor, trusted)).toBe(address);
  });
});

test.each(['10.0.0.0/33', '10.0.0.0/x', 'localhost', '2001:db8::/129'])(
  '%s is refused as a proxy',
  (entry) => {
    expect(() => parseTrustedProxies(entry)).toThrow(entry);
  },
);

test('a household’s IPv6 addresses count as one caller', () => {
  expect(callerKey('2001:db8:1:2:3:4:5:6')).toBe(callerKey('2001:0db8:1:2::9'));
  expect(callerKey('2001:db8:1:2::1')).not.toBe(callerKey('2001:db8:1:3::1'));
  expect(callerKey('::1')).toBe('0:0:0:0');
  expect(callerKey('203.0.113.9')).toBe('203.0.113.9');
});
