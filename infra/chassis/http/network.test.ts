import { expect, test } from '@jest/globals';
import { networkOf } from './network.ts';

test.each([
  ['190.24.8.1', '190.24.8.1'],
  ['::ffff:190.24.8.1', '190.24.8.1'],
  ['2800:e2:1280:a3f:1c2b:9:8:7', '2800:e2:1280:a3f'],
  ['2800:00e2:1280:0a3f::1', '2800:e2:1280:a3f'],
  ['2800:E2::5', '2800:e2:0:0'],
  ['::1', '0:0:0:0'],
  ['unknown', 'unknown'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
