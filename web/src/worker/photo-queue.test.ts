import { expect, test } from '@jest/globals';
import { ApiProblem } from '../api/problem.ts';
import { failureState, queueReducer, type QueuedPhoto } from './photo-queue.ts';

const photo = (id: number): QueuedPhoto => ({
  id,
  file: new File(['x'], `${id}.jpg`),
  preview: `blob:${id}`,
  state: { step: 'sending', share: 0 },
});

test('each photo has a state of its own', () => {
  const queue = queueReducer([photo(1), photo(2)], {
    type: 'set',
    id: 2,
    state: { step: 'sent', filename: 'a.jpg' },
  });
  expect(queue.map(({ state }) => state.step)).toEqual(['sending', 'sent']);
});

test('a photo that the server refuses tells the worker why, by the sentence about the file', () => {
  const error = new ApiProblem({
    type: 'validation-failed',
    status: 422,
    title: 'Please check',
    errors: [{ path: 'photos.0', message: 'This photo is damaged.' }],
  });
  expect(failureState(error)).toEqual({ step: 'refused', why: 'This photo is damaged.' });
});

test.each([
  ['no signal', new ApiProblem({ type: 'network', status: 0, title: '' })],
  ['a busy server', new ApiProblem({ type: 'unavailable', status: 503, title: '' })],
  ['too many at once', new ApiProblem({ type: 'too-many-requests', status: 429, title: '' })],
])('%s is no refusal: the photo can be sent again', (_what, error) => {
  expect(failureState(error)).toEqual({ step: 'failed' });
});
