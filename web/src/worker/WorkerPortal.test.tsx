import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { keepToken } from '../session/token-store.ts';
import { assignment, refusal, STATS, tokenFor, visit, WORKER } from '../test/fixtures.ts';
import { fakeApi } from '../test/server.ts';
import { fakeUploads } from '../test/uploads.ts';
import { file, leavePage, open, press, fakeWorkerApi, signal, setUpPhone } from '../test/worker-portal.tsx';
import { reopenPhone } from './outbox/use-outbox.ts';

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
    await screen.findByText(/^Saved/);
    act(leavePage);
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
    act(leavePage);
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
    await screen.findByText(/^Saved/);
    act(leavePage);
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
    await screen.findByText(/^Saved/);
    act(leavePage);
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
    await screen.findByText('Saved. This order is finished.');
    act(leavePage);
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
    expect(alert.textContent).toContain('We told the team');
    expect(alert.textContent).toContain('This was reassigned in the meantime.');
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

  test('a session that ends early keeps waiting items and says so at login', async () => {
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
