import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { keepToken } from '../session/token-store.ts';
import { assignment, refusal, STATS, tokenFor, visit, WORKER } from '../testing/fixtures.ts';
import { fakeApi } from '../testing/server.ts';
import { fakeUploads } from '../testing/uploads.ts';
import { file, open, press, fakeWorkerApi, signal, setUpPhone } from '../testing/worker-portal.tsx';
import { directionsAddress } from './PlaceFacts.tsx';
import { phoneStore, reopenPhone } from './outbox/use-outbox.ts';

let uploads: ReturnType<typeof fakeUploads>;

beforeEach(async () => {
  await setUpPhone();
  uploads = fakeUploads();
});

afterEach(cleanup);

describe('WorkerPortal', () => {
  test('shows greeting, code, email and both tiles', async () => {
    fakeWorkerApi([assignment()]);
    await open();
    expect(await screen.findByRole('heading', { level: 1, name: 'Hello, Mateo' })).toBeTruthy();
    for (const text of ['Your plantings · Worker ID QU-014', 'mateo@mail.test', '412'])
      await screen.findByText(text);
  });

  test('an assignment shows trees, place, customer and time', async () => {
    fakeWorkerApi([assignment()]);
    await open();
    const card = within(await screen.findByRole('article', { name: 'Plant 5 trees' }));
    for (const text of ['Assigned', 'La Carbonera, Salento', 'emma@mail.test', 'Since 30 Nov'])
      expect(card.getByText(text)).toBeTruthy();
  });

  test('offers no photos before planting', async () => {
    fakeWorkerApi([assignment()]);
    await open();
    await screen.findByRole('article');
    expect(screen.queryByRole('button', { name: 'Take a photo' })).toBeNull();
  });

  const PLACE = { latitude: 4.637214, longitude: -75.487031, accuracy: 8 };

  /** Scripted answer of the phone's GPS. */
  function gps(says: typeof PLACE | 'denied') {
    const ask = (found: PositionCallback, failed?: PositionErrorCallback | null) => {
      if (says === 'denied') failed?.({ code: 1 } as GeolocationPositionError);
      else found({ coords: says } as GeolocationPosition);
      return 1;
    };
    Object.defineProperty(navigator, 'geolocation', {
      configurable: true,
      value: { watchPosition: ask, getCurrentPosition: ask, clearWatch: () => undefined },
    });
  }

  beforeEach(() => gps(PLACE));

  const plantHere = async () => {
    await press('Mark as Planted');
    await screen.findByText('Place ready, ± 8 m');
    await press('Save as planted');
  };

  test('marking as planted sends place and note once, and focuses the next step', async () => {
    const { moves, steps } = fakeWorkerApi([assignment({ _id: 'other', trees: 1 }), assignment()]);
    await open();
    const card = within(await screen.findByRole('article', { name: 'Plant 5 trees' }));
    fireEvent.click(card.getByRole('button', { name: 'Mark as Planted' }));
    await card.findByText('Place ready, ± 8 m');
    fireEvent.change(card.getByLabelText('Note for the team'), { target: { value: ' Rain at night. ' } });
    fireEvent.click(card.getByRole('button', { name: 'Save as planted' }));
    await screen.findByText('Saved. Now take the photos.');
    expect(document.activeElement?.textContent).toBe('Saved. Now take the photos.');
    const now = within(screen.getByRole('region', { name: 'Now' }));
    await waitFor(() => expect(now.getByRole('article', { name: '5 trees' })).toBeTruthy());
    expect(now.getByRole('button', { name: 'Take a photo' })).toBeTruthy();
    await waitFor(() => expect(moves()).toHaveLength(1));
    const { latitude, longitude } = PLACE;
    expect(moves()).toEqual([
      { status: 'planted', notes: 'Rain at night.', coordinates: { latitude, longitude, accuracyMetres: 8 } },
    ]);
    expect(steps()[0]!.headers['Idempotency-Key']).toMatch(/^[\w-]{36}$/);
  });

  test('denied GPS explains what to do, and the place can be typed', async () => {
    gps('denied');
    const { moves } = fakeWorkerApi([assignment()]);
    await open();
    await press('Mark as Planted');
    await screen.findByText(/This phone isn’t allowed to share its location/);
    const type = (label: string, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    type('Latitude', '4.637214');
    type('Longitude', '75.487031');
    type('How to find it', 'Behind the barn');
    await press('Save as planted');
    await screen.findByText(/begins with a minus/);
    expect(moves()).toEqual([]);
    type('Longitude', '-75,487031');
    await press('Save as planted');
    await waitFor(() => expect(moves()).toHaveLength(1));
    expect(moves()[0]).toEqual({
      status: 'planted',
      coordinates: { latitude: 4.637214, longitude: -75.487031 },
      location: 'Behind the barn',
    });
  });

  test('offers to swap exchanged coordinates with one press', async () => {
    gps('denied');
    const { moves } = fakeWorkerApi([assignment()]);
    await open();
    await press('Mark as Planted');
    const type = (label: string, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    type('Latitude', '-75.487031');
    type('Longitude', '4.637214');
    await press('Save as planted');
    await screen.findByText(/look swapped/);
    expect(moves()).toEqual([]);
    await press('Swap them');
    expect(document.activeElement).toBe(screen.getByLabelText('Latitude'));
    await press('Save as planted');
    await waitFor(() => expect(moves()).toHaveLength(1));
    expect(moves()[0]).toEqual({
      status: 'planted',
      coordinates: { latitude: 4.637214, longitude: -75.487031 },
    });
  });

  test('a completed assignment moves to the end and still accepts photos', async () => {
    const { moves } = fakeWorkerApi([assignment({ status: 'planted', photos: ['p.jpg'] })]);
    await open();
    await press('Mark Complete');
    await screen.findByText('Nothing to plant right now');
    await waitFor(() => expect(moves()).toEqual([{ status: 'completed' }]));
    const done = within(screen.getByRole('region', { name: 'Done' }));
    expect(done.getByText('Completed')).toBeTruthy();
    expect(done.getByText('Add more photos')).toBeTruthy();
  });

  test('a refused step shows the reason, is reverted, and can be dismissed', async () => {
    fakeWorkerApi([assignment()], () => refusal(409, 'assigned-to-another'));
    await open();
    await plantHere();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Failed to update assignment status');
    expect(alert.textContent).toContain('The team was told');
    expect(alert.textContent).toContain('This was given to somebody else meanwhile.');
    expect(screen.getByRole('article', { name: 'Plant 5 trees' })).toBeTruthy();
    await press('Remove');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  test('a temporary failure keeps the step, and a retry sends the same one', async () => {
    let isBroken = true;
    const { steps } = fakeWorkerApi([assignment()], () =>
      isBroken
        ? { status: 500, body: {} as never }
        : ({ body: { assignment: assignment({ status: 'planted' }) } } as never),
    );
    await open();
    await plantHere();
    await screen.findByText('Failed to update assignment status');
    isBroken = false;
    await press('Try again');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(new Set(steps().map(({ headers }) => headers['Idempotency-Key'])).size).toBe(1);
  });

  test('offline work survives a reload and is sent once online', async () => {
    const kept = [assignment()];
    const { moves } = fakeWorkerApi(kept);
    const first = await open();
    await screen.findByRole('article', { name: 'Plant 5 trees' });
    act(() => signal(false));
    await plantHere();
    await screen.findByText(/“Planted” is saved on this phone/);
    first.unmount();
    await reopenPhone();

    await open();
    await screen.findByText('No signal. You can keep working.');
    await screen.findByText(/“Planted” is saved on this phone/);
    const tiles = screen.getByText('Trees Planted').parentElement!;
    expect(tiles.textContent).toContain('417');
    expect(moves()).toEqual([]);
    act(() => signal(true));
    await waitFor(() => expect(moves()).toHaveLength(1));
    await waitFor(() => expect(screen.queryByText(/is saved on this phone/)).toBeNull());
  });

  test('logging out with unsent items asks first, keeps them, and hides them from the next worker', async () => {
    fakeWorkerApi([assignment()]);
    const first = await open();
    await screen.findByRole('article', { name: 'Plant 5 trees' });
    act(() => signal(false));
    await plantHere();
    await screen.findByText(/“Planted” is saved on this phone/);
    await press('Log out');
    await screen.findByText('1 thing has not been sent yet');
    await press('Log out anyway');
    await screen.findByLabelText('Worker ID or email');
    expect(screen.queryByText(/still on this phone/)).toBeNull();
    first.unmount();

    signal(true);
    keepToken('worker', tokenFor('w2'));
    const requests = fakeApi({
      'GET /api/auth/worker/verify': () => ({ body: { worker: { ...WORKER, id: 'w2', name: 'Rosa' } } }),
      'GET /api/workers/assignments': () => ({ body: { assignments: [], stats: STATS } }),
      'GET /api/workers/growth-visits': () => ({
        body: { visits: [], counts: { due: 0, scheduled: 0, done: 0 } },
      }),
    });
    const second = await open();
    await screen.findByRole('heading', { level: 1, name: 'Hello, Rosa' });
    await screen.findByText('Nothing to plant right now');
    expect(screen.queryByText(/is saved on this phone/)).toBeNull();
    expect(requests.filter(({ key }) => key.startsWith('PUT'))).toEqual([]);
    second.unmount();

    keepToken('worker', tokenFor(WORKER.id));
    const { moves } = fakeWorkerApi([assignment()]);
    await open();
    await waitFor(() => expect(moves()).toHaveLength(1));
  });

  test('a session that ends early keeps waiting items and says so at log-in', async () => {
    fakeWorkerApi([assignment()], () => refusal(401, 'unauthenticated'));
    await open();
    await screen.findByRole('article');
    fakeApi({
      'GET /api/workers/assignments': () => refusal(401, 'unauthenticated'),
      'GET /api/workers/growth-visits': () => refusal(401, 'unauthenticated'),
      'PUT /api/workers/assignments/{id}/status': () => refusal(401, 'unauthenticated'),
    });
    await plantHere();
    await screen.findByLabelText('Worker ID or email');
    await screen.findByText('1 thing is still on this phone. Log in and it is sent.');
  });

  test('due growth visits are tasks with photos and no steps', async () => {
    fakeWorkerApi([], undefined, [
      visit(),
      visit({ _id: 'v2', number: 2, state: 'scheduled', dueAt: '2099-03-15T15:00:00Z' }),
    ]);
    await open();
    const card = within(await screen.findByRole('article', { name: 'Growth visit' }));
    expect(card.getByText('Order 06BBE0, 5 trees, visit 1 of 3')).toBeTruthy();
    expect(card.getByText('Due since 28 November 2026')).toBeTruthy();
    expect(card.queryByRole('button', { name: 'Mark Complete' })).toBeNull();
    fireEvent.change(card.getByLabelText('Choose from the gallery'), {
      target: { files: [file('one.jpg')] },
    });
    await waitFor(() =>
      expect(uploads.requests.map(({ path }) => path)).toEqual(['/api/workers/growth-visits/v1/photos']),
    );
    const later = within(screen.getByRole('region', { name: 'Growth visits to come' }));
    expect(later.getByText('Due on 15 March 2099')).toBeTruthy();
  });

  test('says that assignments are safe when they cannot be loaded', async () => {
    fakeApi({
      'GET /api/auth/worker/verify': () => ({ body: { worker: WORKER } }),
      'GET /api/workers/assignments': () => 'lost',
    });
    await open();
    await screen.findByText('We could not load your assignments');
  });

  test('without storage says so and sends immediately', async () => {
    await reopenPhone();
    Object.defineProperty(globalThis, 'indexedDB', { configurable: true, writable: true, value: undefined });
    const { moves } = fakeWorkerApi([assignment()]);
    await open();
    await screen.findByText(/This browser keeps nothing/);
    await plantHere();
    await waitFor(() => expect(moves()).toHaveLength(1));
  });
});

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
  await screen.findByRole('heading', { name: 'Not on your list any more' });
  await waitFor(() => expect(uploads.requests).toHaveLength(1));
  const photo = { filename: 'kept.jpg', duplicate: false, flags: ['after-reassignment'] };
  act(() => uploads.answer(201, { photos: [photo] }));
  await screen.findByText('Handed over to the team');
  await press('Remove');
  await waitFor(() => expect(screen.queryByText('Not on your list any more')).toBeNull());
});

test('announces a duplicate photo', async () => {
  fakeWorkerApi([assignment({ status: 'planted', photos: ['p.jpg'] })]);
  await open();
  await pick(file('p.jpg'));
  await waitFor(() => expect(uploads.requests).toHaveLength(1));
  act(() => uploads.answer(201, { photos: [{ filename: 'p.jpg', duplicate: true, flags: [] }] }));
  await screen.findByText('Sent before. It is here already');
});

test('hides a thumbnail that does not load', async () => {
  fakeWorkerApi([assignment({ status: 'planted', photos: ['gone.jpg'] })]);
  await open();
  const thumbnail = await screen.findByRole<HTMLImageElement>('img', { name: 'Photo 1' });
  fireEvent.error(thumbnail);
  expect(thumbnail.hidden).toBe(true);
});

test('directions lead to the coordinates', () => {
  expect(directionsAddress({ location: 'Salento', coordinates: { latitude: 4.6, longitude: -75.4 } })).toBe(
    'https://www.google.com/maps/dir/?api=1&destination=4.6%2C-75.4',
  );
});

test('without coordinates directions use the place name, and without either there are none', () => {
  expect(directionsAddress({ location: 'La Carbonera, Salento' })).toContain('Salento%2C+Colombia');
  expect(directionsAddress({ location: ' ' })).toBeUndefined();
});
