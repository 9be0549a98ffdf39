import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { keepToken } from '../session/token-store.ts';
import { assignment, STATS } from '../testing/assignments.ts';
import { refusal, WORKER } from '../testing/people.ts';
import { renderScreen } from '../testing/render.tsx';
import { answer } from '../testing/server.ts';
import { takeUploads } from '../testing/uploads.ts';
import type { Assignment } from './assignments.ts';
import { WorkerPortal } from './WorkerPortal.tsx';

let uploads: ReturnType<typeof takeUploads>;
beforeEach(() => {
  localStorage.clear();
  keepToken('worker', 'kept');
  uploads = takeUploads();
});
afterEach(cleanup);

const STATUS = 'PUT /api/workers/assignments/{id}/status';

/** A server that keeps assignments and moves them, unless told what to answer instead. */
function serve(kept: Assignment[], status?: () => ReturnType<typeof refusal> | 'lost') {
  const requests = answer({
    'GET /api/auth/worker/verify': () => ({ body: { worker: WORKER } }),
    'GET /api/workers/assignments': () => ({ body: { assignments: kept, stats: STATS } }),
    [STATUS]: ({ url, body }: { url: string; body: unknown }) => {
      if (status) return status();
      const at = kept.findIndex(({ _id }) => url.includes(_id));
      kept[at] = { ...kept[at]!, ...(body as { status: 'planted' }) };
      return { body: { assignment: kept[at] } };
    },
  });
  return { requests, moves: () => requests.filter(({ key }) => key === STATUS).map(({ body }) => body) };
}
const open = () => renderScreen(<WorkerPortal />, { texts: ['portal', 'worker'] });
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

test('greets, shows code, email and both tiles', async () => {
  serve([assignment()]);
  await open();
  expect(await screen.findByRole('heading', { level: 1, name: 'Hello, Mateo' })).toBeTruthy();
  for (const text of ['Your plantings · Worker ID QU-014', 'mateo@mail.test', '412'])
    await screen.findByText(text);
});

test('an assignment says what, where, for whom and since when', async () => {
  serve([assignment()]);
  await open();
  const card = within(await screen.findByRole('article', { name: 'Plant 5 trees' }));
  for (const text of ['Assigned', 'La Carbonera, Salento', 'emma@mail.test', 'Since 30 November 2026'])
    expect(card.getByText(text)).toBeTruthy();
});

test('before planting there are no photos to take', async () => {
  serve([assignment()]);
  await open();
  await screen.findByRole('article');
  expect(screen.queryByRole('button', { name: 'Take a photo' })).toBeNull();
});

test('marking as planted sends the note, keeps the card on top and moves the focus to what comes next', async () => {
  const { moves } = serve([assignment({ _id: 'other', trees: 1 }), assignment()]);
  await open();
  const card = within(await screen.findByRole('article', { name: 'Plant 5 trees' }));
  fireEvent.change(card.getByLabelText('Note for the team'), { target: { value: ' Rain at night. ' } });
  fireEvent.click(card.getByRole('button', { name: 'Mark as Planted' }));
  await screen.findByText('Saved. Now take the photos.');
  expect(moves()).toEqual([{ status: 'planted', notes: 'Rain at night.' }]);
  expect(document.activeElement?.textContent).toBe('Saved. Now take the photos.');
  const now = within(screen.getByRole('region', { name: 'Now' }));
  await waitFor(() => expect(now.getByRole('article', { name: '5 trees' })).toBeTruthy());
  expect(now.getByRole('button', { name: 'Take a photo' })).toBeTruthy();
});

test('a completed assignment goes to the end and can still take photos', async () => {
  const { moves } = serve([assignment({ status: 'planted', photos: ['p.jpg'] })]);
  await open();
  await press('Mark Complete');
  await screen.findByText('Nothing to plant right now');
  expect(moves()).toEqual([{ status: 'completed' }]);
  const done = within(screen.getByRole('region', { name: 'Done' }));
  expect(done.getByText('Completed')).toBeTruthy();
  expect(done.getByText('Add more photos')).toBeTruthy();
});

test.each([
  [
    'the server refuses the step',
    () => refusal(409, 'transition-not-allowed'),
    /not possible in the current status/,
  ],
  [
    'the server has no words',
    () => ({ status: 500, body: {} as never }),
    /Failed to update assignment status/,
  ],
  ['there is no signal', () => 'lost' as const, /No signal. Nothing was changed/],
])('when %s the worker is told, and nothing moves', async (_what, reply, text) => {
  serve([assignment()], reply);
  await open();
  await press('Mark as Planted');
  expect((await screen.findByRole('alert')).textContent).toMatch(text);
  expect(screen.getByRole('article', { name: 'Plant 5 trees' })).toBeTruthy();
});

test('assignments that cannot be loaded are said to be safe', async () => {
  answer({
    'GET /api/auth/worker/verify': () => ({ body: { worker: WORKER } }),
    'GET /api/workers/assignments': () => 'lost',
  });
  await open();
  await screen.findByText('We could not load your assignments');
});

const planted = () => [assignment({ status: 'planted' })];
const pick = async (...files: File[]) =>
  fireEvent.change(await screen.findByLabelText('Choose from the gallery'), { target: { files } });
const file = (name: string, bytes = 10) => new File([new Uint8Array(bytes)], name, { type: 'image/jpeg' });

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
});

test('a refused photo says why, holds up no other, and can be put away', async () => {
  serve(planted());
  await open();
  await pick(file('text.jpg'), file('good.jpg'));
  await waitFor(() => expect(uploads.requests).toHaveLength(1));
  act(() => uploads.answer(422, { type: 'photo-not-an-image', status: 422, title: 'x' }));
  await screen.findByText('This file is not a JPEG, PNG, GIF, WebP or AVIF photo.');
  await waitFor(() => expect(uploads.requests).toHaveLength(2));
  await press('Remove');
  expect(screen.queryByText('Not accepted')).toBeNull();
});

test('a photo that is too heavy is refused before it costs data', async () => {
  serve(planted());
  await open();
  await pick(file('huge.jpg', 15_000_001));
  await screen.findByText('This photo is larger than 15 MB.');
  expect(uploads.requests).toEqual([]);
});

test('without signal the photo stays and is sent again on demand', async () => {
  serve(planted());
  await open();
  await pick(file('one.jpg'));
  await waitFor(() => expect(uploads.requests).toHaveLength(1));
  act(() => uploads.lose());
  await screen.findByText('Failed to upload photos');
  await press('Try again');
  await waitFor(() => expect(uploads.requests).toHaveLength(2));
});

test('a photo that was sent before says so', async () => {
  serve([assignment({ status: 'planted', photos: ['p.jpg'] })]);
  await open();
  await pick(file('p.jpg'));
  await waitFor(() => expect(uploads.requests).toHaveLength(1));
  act(() => uploads.answer(201, { photos: [{ filename: 'p.jpg', duplicate: true }] }));
  await screen.findByText('Sent before. It is here already');
});

test('a photo on its way survives its assignment moving to the end', async () => {
  serve(planted());
  await open();
  await pick(file('one.jpg'));
  await screen.findByText('Sending, 0%');
  await press('Mark Complete');
  const done = within(await screen.findByRole('region', { name: 'Done' }));
  expect(done.getByText('Sending, 0%')).toBeTruthy();
});

test('a thumbnail that does not load is hidden', async () => {
  serve([assignment({ status: 'planted', photos: ['gone.jpg'] })]);
  await open();
  const thumbnail = await screen.findByRole<HTMLImageElement>('img', { name: 'Photo 1' });
  fireEvent.error(thumbnail);
  expect(thumbnail.hidden).toBe(true);
});
