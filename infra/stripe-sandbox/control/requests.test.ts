import { expect, test } from '@jest/globals';
import {
  closeRequest,
  disputeRequest,
  modeRequest,
  releaseRequest,
  repeatRequest,
  settleRequest,
} from './requests.ts';

test('what is left out has a sensible meaning', () => {
  expect(modeRequest(undefined)).toEqual({ mode: undefined, url: undefined });
  expect(releaseRequest({})).toEqual({ events: undefined, order: undefined });
  expect(repeatRequest({})).toEqual({ times: 1 });
  expect(disputeRequest({ charge: 'ch_1' })).toEqual({
    charge: 'ch_1',
    amount: undefined,
    reason: 'fraudulent',
  });
  expect(closeRequest({})).toEqual({ outcome: 'lost' });
  expect(settleRequest({})).toEqual({ outcome: 'succeeded' });
});

test.each([
  [() => modeRequest({ mode: 'explode' }), /mode must be one of deliver, hold, lose/],
  [() => modeRequest({ url: 'shop' }), /url must be an address/],
  [() => releaseRequest({ order: 'random' }), /order must be one of/],
  [() => releaseRequest({ events: 'evt_1' }), /list of event ids/],
  [() => repeatRequest({ times: 0 }), /from 1 to 100/],
  [() => repeatRequest({ times: 101 }), /from 1 to 100/],
  [() => disputeRequest({}), /charge must be/],
  [() => disputeRequest({ charge: 'ch_1', amount: 1.5 }), /whole number/],
  [() => closeRequest({ outcome: 'drawn' }), /outcome must be one of/],
  [() => settleRequest({ outcome: 'lost' }), /outcome must be one of/],
])('what is wrong is said: case %#', (ask, message) => expect(ask).toThrow(message));
