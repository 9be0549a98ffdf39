import { MAX_PHOTO_BYTES as CONTRACT_MAX_PHOTO_BYTES } from '@arboleda/contracts/endpoints/media.ts';
import { expect, test } from '@jest/globals';
import { ApiProblem } from '../api/problem.ts';
import { failureState, isOpen, MAX_PHOTO_BYTES, type QueuedPhoto, queueReducer } from './photo-queue.ts';

const photo = (id: number, state: QueuedPhoto['state'] = { step: 'sending', share: 0 }): QueuedPhoto => ({
  id,
  assignmentId: 'a1',
  file: new File(['x'], `${id}.jpg`),
  preview: `blob:${id}`,
  state,
});

test('each photo has a state of its own', () => {
  const queue = queueReducer([photo(1), photo(2)], {
    type: 'set',
    id: 2,
    state: { step: 'sent', filename: 'a.jpg', duplicate: false },
  });
  expect(queue.map(({ state }) => state.step)).toEqual(['sending', 'sent']);
});

test('photos are added at the end and taken away by themselves', () => {
  const queue = queueReducer([photo(1)], { type: 'add', photos: [photo(2), photo(3)] });
  expect(queueReducer(queue, { type: 'remove', id: 2 }).map(({ id }) => id)).toEqual([1, 3]);
});

test('a refusal is kept with its reason', () => {
  const why = new ApiProblem({ type: 'photo-damaged', status: 422, title: 'This photo is damaged.' });
  expect(failureState(why)).toEqual({ step: 'refused', why });
});

test.each([
  ['no signal', new ApiProblem({ type: 'network', status: 0, title: '' })],
  ['a busy server', new ApiProblem({ type: 'unavailable', status: 503, title: '' })],
  ['too many at once', new ApiProblem({ type: 'too-many-requests', status: 429, title: '' })],
  ['a session that ended', new ApiProblem({ type: 'unauthenticated', status: 401, title: '' })],
  ['an answer that cannot be read', new TypeError('photos is undefined')],
])('%s is no refusal: the photo can be sent again', (_what, error) => {
  expect(failureState(error)).toEqual({ step: 'failed' });
});

test('a photo that was sent leaves the queue when its thumbnail is there; a repeated one says so', () => {
  const sent = photo(1, { step: 'sent', filename: 'a.jpg', duplicate: false });
  expect(isOpen(sent, [])).toBe(true);
  expect(isOpen(sent, ['a.jpg'])).toBe(false);
  expect(isOpen(photo(2, { step: 'sent', filename: 'a.jpg', duplicate: true }), ['a.jpg'])).toBe(true);
  expect(isOpen(photo(3), ['a.jpg'])).toBe(true);
});

test('a photo may weigh here what it may weigh at the server', () => {
  expect(MAX_PHOTO_BYTES).toBe(CONTRACT_MAX_PHOTO_BYTES);
});
