import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { assignment } from '../test/fixtures.ts';
import { fakeUploads } from '../test/uploads.ts';
import { fakeWorkerApi, file, open, press, setUpPhone, signal } from '../test/worker-portal.tsx';
import { phoneStore } from './outbox/use-outbox.ts';

let uploads: ReturnType<typeof fakeUploads>;

beforeEach(async () => {
  await setUpPhone();
  uploads = fakeUploads();
});

afterEach(cleanup);

const planted = () => [assignment({ status: 'planted' })];

const pick = async (...files: File[]) =>
  fireEvent.change(await screen.findByLabelText('Choose from the gallery'), { target: { files } });

test('sends each photo separately with progress, and shows its thumbnail when ready', async () => {
  const kept = planted();
  fakeWorkerApi(kept);
  await open();
  await pick(file('one.jpg'), file('two.jpg'));
  await screen.findAllByText('Sending, 0%');
  expect(uploads.requests.map(({ path }) => path)).toEqual(['/api/workers/assignments/a1/photos']);
  act(() => uploads.progress(0.4));
  await screen.findByText('Sending, 40%');
  kept[0] = { ...kept[0]!, photos: ['one-kept.jpg'] };
  act(() => uploads.answer(201, { photos: [{ filename: 'one-kept.jpg', duplicate: false, flags: [] }] }));
  const thumbnail = await screen.findByRole<HTMLImageElement>('img', { name: 'Photo 1' });
  expect(thumbnail.src).toContain('/api/photos/one-kept.jpg?w=320');
  await waitFor(() => expect(uploads.requests.map(({ name }) => name)).toEqual(['one.jpg', 'two.jpg']));
  const [first, second] = uploads.requests.map(({ details }) => details);
  expect(first).toMatchObject({ takenAt: '2026-03-30T15:00:00.000Z' });
  expect(first!.clientId).not.toBe(second!.clientId);
});

test('a refused photo shows the reason, blocks no other, and can be dismissed', async () => {
  fakeWorkerApi(planted());
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

test('refuses a photo that is too large before sending', async () => {
  fakeWorkerApi(planted());
  await open();
  await pick(file('huge.jpg', 15_000_001));
  await screen.findByText('This photo is larger than 15 MB.');
  expect(uploads.requests).toEqual([]);
});

test.each([
  ['IMG_1.HEIC', '\0\0\0\x18ftypheic', /This photo is in a format \(HEIC\) that we cannot read/],
  ['photo.jpg', '\0\0\0\x18ftypmif1', /This photo is in a format \(HEIC\) that we cannot read/],
  ['scan.tif', 'II*\0', 'This file is not a JPEG, PNG, GIF, WebP or AVIF photo.'],
  ['empty.jpg', '', 'This file is not a JPEG, PNG, GIF, WebP or AVIF photo.'],
])(
  '%s, which neither phone nor server can read, is refused at once, also without signal',
  async (name, content, why) => {
    fakeWorkerApi(planted());
    await open();
    await screen.findByRole('article');
    act(() => signal(false));
    await pick(new File([content], name, { type: 'image/jpeg' }));
    await screen.findByText(why);
    expect(screen.getByText('Not accepted')).toBeTruthy();
    act(() => signal(true));
    await press('Remove');
    await waitFor(() => expect(screen.queryByText('Not accepted')).toBeNull());
    expect(uploads.requests).toEqual([]);
  },
);

test('a photo the phone cannot decode waits to be sent, and says so', async () => {
  fakeWorkerApi(planted());
  await open();
  await screen.findByRole('article');
  act(() => signal(false));
  await pick(new File(['\0\0\0\x18ftypavif'], 'one.avif', { type: 'image/avif' }));
  await screen.findByText('Waiting for signal');
  expect(screen.getByText(/This phone cannot show this photo/)).toBeTruthy();
});

test('repeats a photo with a lost answer as the same photo', async () => {
  fakeWorkerApi(planted());
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

/** Sends a photo that the server stores as kept.jpg. */
async function sendOne(flags: string[] = []) {
  await pick(file('one.jpg'));
  await waitFor(() => expect(uploads.requests).toHaveLength(1));
  const [{ details }] = uploads.requests as [(typeof uploads.requests)[number]];
  act(() => uploads.answer(201, { photos: [{ filename: 'kept.jpg', duplicate: false, flags }] }));
  await screen.findByText('Sent');
  return details!.clientId!;
}

test('a sent photo stays on the phone until the server shows it', async () => {
  let state: 'accepted' | 'ready' = 'accepted';
  const { requests } = fakeWorkerApi(planted(), undefined, [], () => state);
  await open();
  const id = await sendOne();
  const looks = () => requests.filter(({ key }) => key === 'GET /api/workers/photos/{filename}').length;
  await waitFor(() => expect(looks()).toBeGreaterThan(0));
  expect(await phoneStore().file(id)).toBeDefined();
  state = 'ready';
  await waitFor(async () => expect(await phoneStore().file(id)).toBeUndefined(), { timeout: 15_000 });
  expect(screen.getByText('Sent')).toBeTruthy();
}, 30_000);

test('asks to retake a photo that cannot be shown', async () => {
  fakeWorkerApi(planted(), undefined, [], () => 'unshowable');
  await open();
  await sendOne();
  await screen.findByText('This photo could not be shown. Please take it again.');
  await press('Remove');
  await waitFor(() => expect(screen.queryByText('Not accepted')).toBeNull());
});

test('asks for another photo on any phone while the server cannot show one', async () => {
  const photo = { filename: 'a.jpg', originalName: 'IMG_1.jpg', uploadedAt: '2026-11-30T15:00:00Z' };
  const assignmentId = planted()[0]!._id;
  fakeWorkerApi(planted(), undefined, [], undefined, [
    { ...photo, assignmentId },
    { ...photo, assignmentId: 'of another order' },
    { ...photo, assignmentId, growthVisitId: 'a visit' },
  ]);
  await open();
  await screen.findByText(/^A photo that you sent on .*30.* cannot be shown\. Please take another one/);
});

test('resends a photo the server does not know', async () => {
  fakeWorkerApi(planted(), undefined, [], () => 'unknown');
  await open();
  const id = await sendOne();
  await waitFor(() => expect(uploads.requests).toHaveLength(2));
  expect(uploads.requests[1]!.details?.clientId).toBe(id);
});

test('photos of a reassigned order go to the team', async () => {
  const kept = planted();
  fakeWorkerApi(kept);
  await open();
  await screen.findByRole('article');
  act(() => signal(false));
  await pick(file('one.jpg'));
  await screen.findByText('Waiting for signal');
  kept.length = 0;
  act(() => signal(true));
  await screen.findByRole('heading', { name: 'No longer on your list' });
  await waitFor(() => expect(uploads.requests).toHaveLength(1));
  const photo = { filename: 'kept.jpg', duplicate: false, flags: ['after-reassignment'] };
  act(() => uploads.answer(201, { photos: [photo] }));
  await screen.findByText('Handed over to the team');
  await press('Remove');
  await waitFor(() => expect(screen.queryByText('No longer on your list')).toBeNull());
});

test('announces a duplicate photo', async () => {
  fakeWorkerApi([assignment({ status: 'planted', photos: ['p.jpg'] })]);
  await open();
  await pick(file('p.jpg'));
  await waitFor(() => expect(uploads.requests).toHaveLength(1));
  act(() => uploads.answer(201, { photos: [{ filename: 'p.jpg', duplicate: true, flags: [] }] }));
  await screen.findByText('Already sent');
});

test('hides a thumbnail that does not load', async () => {
  fakeWorkerApi([assignment({ status: 'planted', photos: ['gone.jpg'] })]);
  await open();
  const thumbnail = await screen.findByRole<HTMLImageElement>('img', { name: 'Photo 1' });
  fireEvent.error(thumbnail);
  expect(thumbnail.hidden).toBe(true);
});
