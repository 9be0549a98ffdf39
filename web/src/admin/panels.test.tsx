import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { call } from '../api/client.ts';
import { Toasts } from '../design/components/Toasts.tsx';
import { ADMIN, decided, flaggedPhoto, refusal } from '../test/fixtures.ts';
import { renderScreen } from '../test/render.tsx';
import { fakeApi, lastOf } from '../test/server.ts';
import { actionsOf } from './list/cells/Account.tsx';
import type { Mail } from './mails/mails.ts';
import { MailsPanel } from './mails/MailsPanel.tsx';
import type { FlaggedPhoto } from './photos/photos.ts';
import { PhotosPanel } from './photos/PhotosPanel.tsx';
import type { Worker } from './workers/workers.ts';
import { WorkersPanel } from './workers/WorkersPanel.tsx';

afterEach(cleanup);

const session = { person: ADMIN, call, logIn: () => undefined, logOut: () => undefined };

function Address() {
  return <output data-testid="address">{useLocation().search}</output>;
}

describe('MailsPanel', () => {
  const mail = (changes: Partial<Mail> = {}): Mail => ({
    id: 'mail-1',
    kind: 'planted',
    orderId: '65f0c0ffee0000000006bbe0',
    to: { name: 'Emma Clarke', address: 'emma@mail.test' },
    language: 'en',
    queuedAt: '2026-11-20T15:00:00Z',
    sentAt: '2026-11-20T15:00:01Z',
    state: 'sent',
    attempts: 1,
    ...changes,
  });

  const open = (at = '/') =>
    renderScreen(
      <>
        <MailsPanel session={session} />
        <Address />
      </>,
      { texts: ['admin', 'panels'], at },
    );

  test('a bounced email shows the reason and since when its address fails', async () => {
    const bounced = mail({
      state: 'bounced',
      error: '550 no such box',
      addressFailedAt: '2026-11-20T16:00:00Z',
    });
    fakeApi({ 'GET /api/admin/mails': () => ({ body: { mails: [bounced] } }) });
    await open();
    const row = within(await screen.findByRole('row', { name: /Emma Clarke/ }));
    for (const text of ['Came back', '550 no such box', 'Email to this address bounced on 20 November 2026.'])
      expect(row.getByText(text)).toBeTruthy();
  });

  test('filter, search and page apply on the server and live in the address', async () => {
    const requests = fakeApi({
      'GET /api/admin/mails': ({ url }) => ({
        body: { mails: [mail()], nextCursor: url.includes('cursor') ? undefined : 'next one' },
      }),
    });
    await open('/?state=bounced');
    await screen.findByRole('row', { name: /Emma Clarke/ });
    fireEvent.change(screen.getByLabelText('Address or order'), { target: { value: ' emma ' } });
    await waitFor(() =>
      expect(lastOf(requests, 'GET /api/admin/mails')!.url).toBe('/api/admin/mails?state=bounced&q=emma'),
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Next' }));
    await waitFor(() => expect(lastOf(requests, 'GET /api/admin/mails')!.url).toContain('cursor=next+one'));
    expect(screen.getByTestId('address').textContent).toBe('?state=bounced&q=emma&cursor=next+one&page=2');
    fireEvent.click(screen.getByRole('button', { name: 'Previous' }));
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('?state=bounced&q=emma'));
  });

  test('resends an email once after confirmation', async () => {
    const requests = fakeApi({
      'GET /api/admin/mails': () => ({ body: { mails: [mail()] } }),
      'POST /api/admin/mails/{id}/resend': () => ({
        status: 202,
        body: { mail: mail({ resendOf: 'mail-1' }) },
      }),
    });
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Send again to Emma Clarke' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Send this email again?' }));
    expect(dialog.getByText(/“Trees planted”/)).toBeTruthy();
    const confirm = dialog.getByRole('button', { name: 'Send again' });
    fireEvent.click(confirm);
    fireEvent.click(confirm);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(requests.filter(({ key }) => key.startsWith('POST'))).toHaveLength(1);
  });

  test('explains why an email cannot be repeated', async () => {
    fakeApi({
      'GET /api/admin/mails': () => ({ body: { mails: [mail()] } }),
      'POST /api/admin/mails/{id}/resend': () => refusal(409, 'mail-not-repeatable'),
    });
    await open('/?mail=mail-1');
    const dialog = within(await screen.findByRole('dialog', { name: 'Send this email again?' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Send again' }));
    await dialog.findByText('This email cannot be sent again.');
  });

  test('shows the empty state, and can reload after a failure', async () => {
    let online = false;
    fakeApi({ 'GET /api/admin/mails': () => (online ? { body: { mails: [] } } : 'lost') });
    await open();
    await screen.findByText('We could not load this');
    online = true;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('No emails found');
  });
});

describe('PhotosPanel', () => {
  beforeEach(() => {
    URL.createObjectURL = () => 'blob:picture';
    URL.revokeObjectURL = () => undefined;
  });

  const LIST = 'GET /api/admin/photos';

  const PICTURE = 'GET /api/admin/photos/{filename}';

  const HIDE = 'POST /api/admin/photos/{id}/hide';

  const RESTORE = 'POST /api/admin/photos/{id}/restore';

  const NAME = 'Photo of order 06BBE0';

  const open = (at = '/') =>
    renderScreen(
      <Toasts>
        <PhotosPanel session={session} />
        <Address />
      </Toasts>,
      { texts: ['admin', 'panels'], at },
    );

  const picture = () => ({ body: new Blob(['jpeg'], { type: 'image/jpeg' }) });

  const list = (...photos: FlaggedPhoto[]) => ({ body: { photos } });

  const openPhoto = async () => {
    fireEvent.click(await screen.findByRole('button', { name: /^Photo of order 06BBE0 by/ }));
    return within(await screen.findByRole('dialog', { name: NAME }));
  };

  test('shows order, worker, day and flags of a photo', async () => {
    fakeApi({ [LIST]: () => list(flaggedPhoto()), [PICTURE]: picture });
    await open();
    const card = within((await screen.findByText('Order 06BBE0')).closest('li')!);
    expect(await card.findByRole('img', { name: 'Photo of order 06BBE0 by Marleny Ospina' })).toBeTruthy();
    for (const text of ['Far from the planting', 'Taken before the order', /Marleny Ospina, 1 May 2020/])
      expect(card.getByText(text)).toBeTruthy();
    expect(card.queryByText('Hidden')).toBeNull();
  });

  test('reason and state apply on the server and live in the address', async () => {
    const requests = fakeApi({ [LIST]: () => list() });
    await open();
    await screen.findByText('Nothing to review');
    fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'used-elsewhere' } });
    fireEvent.click(screen.getByRole('button', { name: 'Hidden' }));
    await waitFor(() =>
      expect(lastOf(requests, LIST)!.url).toBe('/api/admin/photos?limit=24&flag=used-elsewhere&hidden=true'),
    );
    expect(screen.getByTestId('address').textContent).toBe('?flag=used-elsewhere&hidden=true');
  });

  test('hiding needs a reason, happens once on a double click, and shows on the card', async () => {
    let photo = flaggedPhoto();
    const requests = fakeApi({
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
    fireEvent.change(dialog.getByLabelText('Why hide it?'), {
      target: { value: ' It is of another year. ' },
    });
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

  test('a hidden photo shows who hid it and why, and can be shown again with a reason', async () => {
    const decision = decided(true, 'It is of another year.');
    const photo = flaggedPhoto({ hidden: decision, decisions: [decision] });
    const requests = fakeApi({
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

  test('marks a photo without a rendition', async () => {
    fakeApi({
      [LIST]: () => list(flaggedPhoto({ isReady: false, flags: ['cannot-be-shown'] })),
      [PICTURE]: picture,
    });
    await open();
    await screen.findByText(/This file can’t be shown/);
  });

  test('an automatically hidden photo can stay hidden after a decision', async () => {
    const decision = { ...decided(true, ''), by: { role: 'system' as const } };
    const photo = flaggedPhoto({ flags: ['after-reassignment'], hidden: decision, decisions: [decision] });
    const requests = fakeApi({
      [LIST]: () => list(photo),
      [PICTURE]: picture,
      [HIDE]: () => ({ body: { photo } }),
    });
    await open();
    const dialog = await openPhoto();
    expect(dialog.getByText(/It comes from someone who no longer has the order/)).toBeTruthy();
    fireEvent.change(dialog.getByLabelText('Why show it, or keep it hidden?'), {
      target: { value: 'Planted twice.' },
    });
    fireEvent.click(dialog.getByRole('button', { name: 'Keep it hidden' }));
    await screen.findByText('The photo is hidden.');
    expect(requests.find(({ key }) => key === HIDE)!.body).toEqual({ reason: 'Planted twice.' });
  });

  test.each([
    ['a refusal', refusal(403, 'forbidden', 'You may not do this.'), /not allowed|may not/i],
    ['a lost connection', 'lost' as const, /We got no answer/],
  ])('reports %s while hiding, and keeps the input', async (_what, reply, sentence) => {
    fakeApi({ [LIST]: () => list(flaggedPhoto()), [PICTURE]: picture, [HIDE]: () => reply });
    await open();
    const dialog = await openPhoto();
    const reason = dialog.getByLabelText<HTMLTextAreaElement>('Why hide it?');
    fireEvent.change(reason, { target: { value: 'Blurred.' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Hide the photo' }));
    expect((await dialog.findByRole('alert')).textContent).toMatch(sentence);
    expect(reason.value).toBe('Blurred.');
  });

  test('shows a text for a picture that cannot be loaded', async () => {
    fakeApi({ [LIST]: () => list(flaggedPhoto()), [PICTURE]: () => refusal(404, 'not-found') });
    await open();
    await screen.findByText('This picture could not be loaded.');
    cleanup();
    fakeApi({ [LIST]: () => list(flaggedPhoto({ isReady: false })) });
    await open();
    await screen.findByText('The picture is being made');
  });
});

describe('WorkersPanel', () => {
  const worker = (changes: Partial<Worker> = {}): Worker => ({
    id: 'w1',
    workerId: 'QU-014',
    name: 'Mateo Ríos',
    email: 'mateo@mail.test',
    emailVerified: true,
    region: 'Quindío',
    capacityTrees: 1000,
    language: 'es',
    active: true,
    invitationPending: false,
    createdAt: '2026-11-20T15:00:00Z',
    revision: 3,
    ...changes,
  });

  const WORKLOADS = {
    body: {
      workers: [
        {
          workerId: 'w1',
          code: 'QU-014',
          name: 'Mateo Ríos',
          region: 'Quindío',
          active: true,
          capacityTrees: 1000,
          openTrees: 37,
          openAssignments: 2,
          freeTrees: 963,
          visitsDue: 1,
          treesPlanted: 26,
        },
      ],
    },
  };

  const served = (workers: Worker[]) => ({
    'GET /api/admin/workers/workloads': () => WORKLOADS,
    'GET /api/admin/workers': () => ({ body: { workers } }),
  });

  const open = (at = '/') =>
    renderScreen(<WorkersPanel session={session} />, { texts: ['admin', 'panels'], at });

  test('shows each worker with their workload', async () => {
    fakeApi(served([worker()]));
    await open();
    const row = within(await screen.findByRole('row', { name: /Mateo Ríos/ }));
    await row.findByText('37 of 1,000');
    for (const text of ['QU-014', 'Quindío', 'Active', '2 assignments, 1 visit due', '26'])
      expect(row.getByText(text)).toBeTruthy();
  });

  test.each([
    [{ active: true, invitationPending: true }, ['edit', 'invite', 'remove']],
    [{ active: false, invitationPending: true }, ['edit', 'reactivate', 'remove']],
    [{ active: true, invitationPending: false }, ['edit', 'deactivate']],
    [{ active: false, invitationPending: false }, ['edit', 'reactivate']],
  ])('to somebody like %j can be done %j', (who, acts) => {
    expect(actionsOf(who)).toEqual(acts);
  });

  test('deactivation explains what happens to open work, and checks the version that was seen', async () => {
    const requests = fakeApi({
      ...served([worker()]),
      'PUT /api/admin/workers/{id}': () => ({ body: { worker: worker({ active: false }) } }),
    });
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Deactivate: Mateo Ríos' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Deactivate Mateo Ríos?' }));
    await dialog.findByText(/2 open assignments \(37 trees\)/);
    expect(dialog.getByText(/1 growth visit goes to someone else/)).toBeTruthy();
    const confirm = dialog.getByRole('button', { name: 'Deactivate' });
    fireEvent.click(confirm);
    fireEvent.click(confirm);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const sent = requests.filter(({ key }) => key.startsWith('PUT'));
    expect(sent.map(({ body, headers }) => [body, headers['If-Match']])).toEqual([
      [{ active: false }, '"3"'],
    ]);
  });

  test('shows missing and duplicate values beside their fields', async () => {
    const requests = fakeApi({
      ...served([]),
      'POST /api/admin/workers': () => refusal(409, 'worker-email-taken'),
    });
    await open('/?worker=new');
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a worker' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Add and invite' }));
    expect(await dialog.findAllByText('Please fill this in')).toHaveLength(3);
    expect(requests.some(({ key }) => key.startsWith('POST'))).toBe(false);
    const type = (label: string, value: string) =>
      fireEvent.change(dialog.getByLabelText(label), { target: { value } });
    type('Name', ' Rosa Chocué ');
    type('Email', 'rosa@mail.test');
    type('Region', 'Cauca');
    type('Capacity', '800');
    fireEvent.click(dialog.getByRole('button', { name: 'Add and invite' }));
    await dialog.findByText('There is a worker with this email already.');
    expect(requests.find(({ key }) => key.startsWith('POST'))!.body).toEqual({
      name: 'Rosa Chocué',
      email: 'rosa@mail.test',
      region: 'Cauca',
      capacityTrees: 800,
      language: 'es',
    });
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toContain('Rosa Chocué');
  });

  test('reports a concurrent change of a worker and overwrites nothing', async () => {
    fakeApi({
      ...served([worker()]),
      'PUT /api/admin/workers/{id}': () => refusal(412, 'precondition-failed'),
    });
    await open('/?worker=w1');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Mateo Ríos' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await dialog.findByText(/Someone else changed this worker in the meantime/);
  });
});
