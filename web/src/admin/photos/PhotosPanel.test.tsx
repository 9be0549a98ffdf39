import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { call } from '../../api/client.ts';
import { Toasts } from '../../design/components/Toasts.tsx';
import { ADMIN, refusal } from '../../testing/people.ts';
import { decided, flaggedPhoto } from '../../testing/photos.ts';
import { renderScreen } from '../../testing/render.tsx';
import { answer } from '../../testing/server.ts';
import type { FlaggedPhoto } from './photos.ts';
import { PhotosPanel } from './PhotosPanel.tsx';

beforeEach(() => {
  URL.createObjectURL = () => 'blob:picture';
  URL.revokeObjectURL = () => undefined;
});
afterEach(cleanup);

const LIST = 'GET /api/admin/photos';
const PICTURE = 'GET /api/admin/photos/{filename}';
const HIDE = 'POST /api/admin/photos/{id}/hide';
const RESTORE = 'POST /api/admin/photos/{id}/restore';
const NAME = 'Photo of order 06BBE0';

const session = { person: ADMIN, call, logIn: () => undefined, logOut: () => undefined };
function Address() {
  return <output data-testid="address">{useLocation().search}</output>;
}
const open = (at = '/') =>
  renderScreen(
    <Toasts>
      <PhotosPanel session={session} />
      <Address />
    </Toasts>,
    { texts: ['admin', 'desk'], at },
  );
const picture = () => ({ body: new Blob(['jpeg'], { type: 'image/jpeg' }) });
const list = (...photos: FlaggedPhoto[]) => ({ body: { photos } });
const openPhoto = async () => {
  fireEvent.click(await screen.findByRole('button', { name: /^Photo of order 06BBE0 by/ }));
  return within(await screen.findByRole('dialog', { name: NAME }));
};

test('a photo has its card: order, worker, day, and what makes it worth a look', async () => {
  answer({ [LIST]: () => list(flaggedPhoto()), [PICTURE]: picture });
  await open();
  const card = within((await screen.findByText('Order 06BBE0')).closest('li')!);
  expect(await card.findByRole('img', { name: 'Photo of order 06BBE0 by Marleny Ospina' })).toBeTruthy();
  for (const text of ['Far from the planting', 'Taken before the order', /Marleny Ospina, 1 May 2020/])
    expect(card.getByText(text)).toBeTruthy();
  expect(card.queryByText('Hidden')).toBeNull();
});

test('reason and state are asked of the server and live in the address', async () => {
  const requests = answer({ [LIST]: () => list() });
  await open();
  await screen.findByText('Nothing to look at');
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'used-elsewhere' } });
  fireEvent.click(screen.getByRole('button', { name: 'Hidden' }));
  await waitFor(() =>
    expect(requests.at(-1)!.url).toBe('/api/admin/photos?limit=24&flag=used-elsewhere&hidden=true'),
  );
  expect(screen.getByTestId('address').textContent).toBe('?flag=used-elsewhere&hidden=true');
});

test('hiding needs a reason; a double click hides once, and the card then says so', async () => {
  let photo = flaggedPhoto();
  const requests = answer({
    [LIST]: () => list(photo),
    [PICTURE]: picture,
    [HIDE]: ({ body }) => {
      const decision = decided(true, (body as { reason: string }).reason);
      photo = flaggedPhoto({ hidden: decision, decisions: [decision] });
      return { body: { photo } };
    },
  });
  const hidden = () => requests.filter(({ key }) => key === HIDE);
  await open();
  const dialog = await openPhoto();
  for (const text of ['1,234 m', '4.600000, -75.400000 (by the file)', 'IMG_7.jpg'])
    expect(dialog.getByText(text)).toBeTruthy();
  const hide = dialog.getByRole('button', { name: 'Hide the photo' });
  fireEvent.click(hide);
  expect(dialog.getByText('Write why. It stays with the photo.')).toBeTruthy();
  expect(hidden()).toEqual([]);
  fireEvent.change(dialog.getByLabelText('Why hide it?'), { target: { value: ' It is of another year. ' } });
  fireEvent.click(hide);
  fireEvent.click(hide);
  await screen.findByText('The photo is hidden.');
  expect(hidden().map(({ url, body }) => [url, body])).toEqual([
    ['/api/admin/photos/65f0c0ffee0000000000f001/hide', { reason: 'It is of another year.' }],
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const card = within(screen.getByText('Order 06BBE0').closest('li')!);
  expect(await card.findByText('Hidden')).toBeTruthy();
});

test('a hidden photo tells who hid it and why, and is shown again with a reason', async () => {
  const decision = decided(true, 'It is of another year.');
  const photo = flaggedPhoto({ hidden: decision, decisions: [decision] });
  const requests = answer({
    [LIST]: () => list(photo),
    [PICTURE]: picture,
    [RESTORE]: () => ({ body: { photo: flaggedPhoto() } }),
  });
  await open();
  const dialog = await openPhoto();
  expect(dialog.getByText('It is of another year.').textContent).toContain('Hidden.');
  expect(dialog.getByText(/Lucía Restrepo, 22 November 2026/)).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Why show it again?'), {
    target: { value: 'It is of this order.' },
  });
  fireEvent.click(dialog.getByRole('button', { name: 'Show the photo again' }));
  await screen.findByText('The photo is shown again.');
  const sent = requests.find(({ key }) => key === RESTORE)!;
  expect(sent.body).toEqual({ reason: 'It is of this order.' });
});

test.each([
  ['a refusal', refusal(403, 'forbidden', 'You may not do this.'), /not allowed|may not/i],
  ['a lost connection', 'lost' as const, /No answer came/],
])('%s while hiding is told, and what was typed stays', async (_what, reply, sentence) => {
  answer({ [LIST]: () => list(flaggedPhoto()), [PICTURE]: picture, [HIDE]: () => reply });
  await open();
  const dialog = await openPhoto();
  const reason = dialog.getByLabelText<HTMLTextAreaElement>('Why hide it?');
  fireEvent.change(reason, { target: { value: 'Blurred.' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Hide the photo' }));
  expect((await dialog.findByRole('alert')).textContent).toMatch(sentence);
  expect(reason.value).toBe('Blurred.');
});

test('a picture that cannot be had leaves a word in its place', async () => {
  answer({ [LIST]: () => list(flaggedPhoto()), [PICTURE]: () => refusal(404, 'not-found') });
  await open();
  await screen.findByText('This picture could not be loaded.');
  cleanup();
  answer({ [LIST]: () => list(flaggedPhoto({ isReady: false })) });
  await open();
  await screen.findByText('The picture is being made');
});
