import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { assignment } from '../testing/assignments.ts';
import { takeUploads } from '../testing/uploads.ts';
import { file, open, press, serve, takePhone } from '../testing/worker-portal.tsx';

let uploads: ReturnType<typeof takeUploads>;
beforeEach(async () => {
  await takePhone();
  uploads = takeUploads();
});
afterEach(cleanup);

const planted = () => [assignment({ status: 'planted' })];
const pick = async (...files: File[]) =>
  fireEvent.change(await screen.findByLabelText('Choose from the gallery'), { target: { files } });

test('each photo is sent by itself with its progress, and shows its thumbnail when it is ready', async () => {
  const kept = planted();
  serve(kept);
  await open();
  await pick(file('one.jpg'), file('two.jpg'));
  await screen.findAllByText('Sending, 0%');
  expect(uploads.requests.map(({ path }) => path)).toEqual(['/api/workers/assignments/a1/photos']);
  act(() => uploads.progress(0.4));
  await screen.findByText('Sending, 40%');
  kept[0] = { ...kept[0]!, photos: ['one-kept.jpg'] };
  act(() => uploads.answer(201, { photos: [{ filename: 'one-kept.jpg', duplicate: false }] }));
  const thumbnail = await screen.findByRole<HTMLImageElement>('img', { name: 'Photo 1' });
  expect(thumbnail.src).toContain('/api/photos/one-kept.jpg?w=320');
  await waitFor(() => expect(uploads.requests.map(({ name }) => name)).toEqual(['one.jpg', 'two.jpg']));
  const [first, second] = uploads.requests.map(({ details }) => details);
  expect(first).toMatchObject({ takenAt: '2026-03-30T15:00:00.000Z' });
  expect(first!.clientId).not.toBe(second!.clientId);
});

test('a refused photo says why, holds up no other, and can be put away', async () => {
  serve(planted());
  await open();
  await pick(file('text.jpg'), file('good.jpg'));
  await waitFor(() => expect(uploads.requests).toHaveLength(1));
  act(() => uploads.answer(422, { type: 'photo-not-an-image', status: 422, title: 'x' }));
  const row = within(
    (await screen.findByText('This file is not a JPEG, PNG, GIF, WebP or AVIF photo.')).closest('li')!,
  );
  await waitFor(() => expect(uploads.requests).toHaveLength(2));
  fireEvent.click(row.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByText('Not accepted')).toBeNull());
});

test('a photo that is too heavy is refused before it costs data', async () => {
  serve(planted());
  await open();
  await pick(file('huge.jpg', 15_000_001));
  await screen.findByText('This photo is larger than 15 MB.');
  expect(uploads.requests).toEqual([]);
});

test('a photo whose answer is lost stays and is sent again as the same one', async () => {
  serve(planted());
  await open();
  await pick(file('one.jpg'));
  await waitFor(() => expect(uploads.requests).toHaveLength(1));
  act(() => uploads.lose());
  await screen.findByText('Failed to upload photos');
  await press('Try again');
  await waitFor(() => expect(uploads.requests).toHaveLength(2));
  const [first, second] = uploads.requests.map(({ details }) => details?.clientId);
  expect(first).toBe(second);
});

test('a photo that was sent before says so', async () => {
  serve([assignment({ status: 'planted', photos: ['p.jpg'] })]);
  await open();
  await pick(file('p.jpg'));
  await waitFor(() => expect(uploads.requests).toHaveLength(1));
  act(() => uploads.answer(201, { photos: [{ filename: 'p.jpg', duplicate: true }] }));
  await screen.findByText('Sent before. It is here already');
});

test('a thumbnail that does not load is hidden', async () => {
  serve([assignment({ status: 'planted', photos: ['gone.jpg'] })]);
  await open();
  const thumbnail = await screen.findByRole<HTMLImageElement>('img', { name: 'Photo 1' });
  fireEvent.error(thumbnail);
  expect(thumbnail.hidden).toBe(true);
});
