import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { assignment, refusal, visit } from '../test/fixtures.ts';
import { fakeUploads } from '../test/uploads.ts';
import { fakeWorkerApi, file, leavePage, open, press, setUpPhone, signal } from '../test/worker-portal.tsx';
import { reopenPhone } from './outbox/use-outbox.ts';
import { directionsAddress } from './PlaceFacts.tsx';
import type { Assignment } from './tasks.ts';

beforeEach(async () => {
  await setUpPhone();
  fakeUploads();
});

afterEach(cleanup);

const now = async () => within(await screen.findByRole('region', { name: 'Now' }));
const currentEmail = async () => (await now()).findByText(/@mail\.test$/);
const withPhoto: Partial<Assignment> = { status: 'planted', photos: ['p.jpg'] };

describe('the current task', () => {
  const first = assignment({ _id: 'first', customerEmail: 'first@mail.test' });
  const urgent = assignment({ _id: 'urgent', customerEmail: 'urgent@mail.test' });

  test('stays when other work comes first, also after a reload, until it is handed back', async () => {
    const kept = [first];
    fakeWorkerApi(kept);
    const before = await open();
    expect((await currentEmail()).textContent).toBe('first@mail.test');
    kept.unshift(urgent);
    act(() => signal(false));
    act(() => signal(true));
    before.unmount();
    await reopenPhone();

    const reloaded = await open();
    await screen.findByText('urgent@mail.test');
    expect((await currentEmail()).textContent).toBe('first@mail.test');
    kept.pop();
    reloaded.unmount();
    await reopenPhone();

    await open();
    await waitFor(async () => expect((await currentEmail()).textContent).toBe('urgent@mail.test'));
  });

  test('stays when another task in the list is completed', async () => {
    const other = assignment({ ...withPhoto, _id: 'other', customerEmail: 'other@mail.test' });
    fakeWorkerApi([first, other]);
    await open();
    await now();
    await press('Mark Complete');
    await screen.findByText('Saved. This order is finished.');
    act(leavePage);
    await screen.findByRole('region', { name: 'Done' });
    expect((await currentEmail()).textContent).toBe('first@mail.test');
  });
});

describe('a step just saved', () => {
  test('can be undone for 8 seconds, in which nothing is sent and the task stays in place', async () => {
    const { moves } = fakeWorkerApi([assignment(withPhoto)]);
    await open();
    await press('Mark Complete');
    await screen.findByText('Saved. This order is finished.');
    const undo = await screen.findByRole('button', { name: 'Undo' });
    expect(undo.getAttribute('aria-describedby')).toBe(
      screen.getByText('You can undo this for 8 seconds.', { selector: '[role=status]' }).id,
    );
    expect((await now()).getByText('Completed')).toBeTruthy();
    fireEvent.click(undo);
    await screen.findByText('Undone. Nothing was sent.');
    expect(document.activeElement?.textContent).toBe('Undone. Nothing was sent.');
    await (await now()).findByRole('button', { name: 'Mark Complete' });
    act(leavePage);
    expect(moves()).toEqual([]);
  });

  test('is sent by itself once the time is over', async () => {
    const { moves } = fakeWorkerApi([assignment(withPhoto)]);
    await open();
    await press('Mark Complete');
    await waitFor(() => expect(moves()).toEqual([{ status: 'completed' }]), { timeout: 15_000 });
    await screen.findByText('Nothing to plant right now');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  test('can be undone without signal', async () => {
    const { moves } = fakeWorkerApi([assignment(withPhoto)]);
    await open();
    await now();
    act(() => signal(false));
    await press('Mark Complete');
    await screen.findByText(/is saved on this phone and waits/);
    await press('Undo');
    await screen.findByText('Undone. Nothing was sent.');
    act(() => signal(true));
    act(leavePage);
    await (await now()).findByRole('button', { name: 'Mark Complete' });
    expect(moves()).toEqual([]);
  });

  test.each([
    ['a reload', reopenPhone],
    ['another page', async () => undefined],
  ])('is sent, and not lost, by %s', async (_what, go) => {
    const { moves } = fakeWorkerApi([assignment(withPhoto)]);
    const before = await open();
    await press('Mark Complete');
    await screen.findByText('Saved. This order is finished.');
    before.unmount();
    await go();
    if (go === reopenPhone) await open();
    await waitFor(() => expect(moves()).toEqual([{ status: 'completed' }]));
  });

  test('is sent at once when a photo follows it', async () => {
    const { moves } = fakeWorkerApi([assignment()]);
    await open();
    await press('Mark as Planted');
    await press('Save without a place');
    await screen.findByRole('button', { name: 'Undo' });
    fireEvent.change(await screen.findByLabelText('Choose from the gallery'), {
      target: { files: [file('one.jpg')] },
    });
    await waitFor(() => expect(moves()).toEqual([{ status: 'planted' }]), { timeout: 5_000 });
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  test('stays current while the server refuses it, with the reason', async () => {
    fakeWorkerApi([assignment(withPhoto), assignment({ _id: 'next' })], () =>
      refusal(409, 'transition-not-allowed'),
    );
    await open();
    await press('Mark Complete');
    await screen.findByText('Saved. This order is finished.');
    act(leavePage);
    await (await now()).findByText('Failed to update assignment status');
  });
});

test('asks before completing without a photo', async () => {
  const { moves } = fakeWorkerApi([assignment({ status: 'planted' })]);
  await open();
  await press('Mark Complete');
  const dialog = within(await screen.findByRole('dialog', { name: 'There is no photo yet' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  act(leavePage);
  await press('Mark Complete');
  await press('Complete without a photo');
  await screen.findByText('Saved. This order is finished.');
  act(leavePage);
  await waitFor(() => expect(moves()).toEqual([{ status: 'completed' }]));
});

describe('directions', () => {
  test('are offered for a plot or coordinates, not for a region', async () => {
    const coordinates = { latitude: 4.6, longitude: -75.4 };
    const region = 'Quindío, Colombia';
    fakeWorkerApi([assignment({ location: region })], undefined, [
      visit({ plot: 'La Carbonera', coordinates }),
    ]);
    await open();
    await screen.findByRole('article', { name: 'Growth visit' });
    expect(screen.getAllByRole('link', { name: 'Directions', hidden: true })).toHaveLength(1);
    expect((await now()).queryByRole('link', { name: 'Directions' })).toBeNull();
  });

  test('lead to the coordinates', () => {
    expect(directionsAddress({ plot: 'Salento', coordinates: { latitude: 4.6, longitude: -75.4 } })).toBe(
      'https://www.google.com/maps/dir/?api=1&destination=4.6%2C-75.4',
    );
  });

  test('use the plot without coordinates, and are missing without either', () => {
    expect(directionsAddress({ plot: 'La Carbonera, Salento' })).toContain('Salento%2C+Colombia');
    expect(directionsAddress({ plot: ' ' })).toBeUndefined();
    expect(directionsAddress({})).toBeUndefined();
  });
});
