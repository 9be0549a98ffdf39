import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { call } from '../../api/client.ts';
import { ADMIN, refusal } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render.tsx';
import { answer } from '../../testing/server.ts';
import type { Mail } from './mails.ts';
import { MailsPanel } from './MailsPanel.tsx';

afterEach(cleanup);

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
const session = { person: ADMIN, call, logIn: () => undefined, logOut: () => undefined };
function Address() {
  return <output data-testid="address">{useLocation().search}</output>;
}
const open = (at = '/') =>
  renderScreen(
    <>
      <MailsPanel session={session} />
      <Address />
    </>,
    { texts: ['admin', 'desk'], at },
  );

test('a mail that came back says why, and since when its address fails', async () => {
  const bounced = mail({
    state: 'bounced',
    error: '550 no such box',
    addressFailedAt: '2026-11-20T16:00:00Z',
  });
  answer({ 'GET /api/admin/mails': () => ({ body: { mails: [bounced] } }) });
  await open();
  const row = within(await screen.findByRole('row', { name: /Emma Clarke/ }));
  for (const text of ['Came back', '550 no such box', 'Mail to this address came back on 20 November 2026.'])
    expect(row.getByText(text)).toBeTruthy();
});

test('filter, search and page are asked of the server and live in the address', async () => {
  const requests = answer({
    'GET /api/admin/mails': ({ url }) => ({
      body: { mails: [mail()], nextCursor: url.includes('cursor') ? undefined : 'next one' },
    }),
  });
  await open('/?state=bounced');
  await screen.findByRole('row', { name: /Emma Clarke/ });
  fireEvent.change(screen.getByLabelText('Address or order'), { target: { value: ' emma ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Search' }));
  await waitFor(() => expect(requests.at(-1)!.url).toBe('/api/admin/mails?state=bounced&q=emma'));
  fireEvent.click(await screen.findByRole('button', { name: 'Older' }));
  await waitFor(() => expect(requests.at(-1)!.url).toContain('cursor=next+one'));
  expect(screen.getByTestId('address').textContent).toBe('?state=bounced&q=emma&after=next+one');
  fireEvent.click(screen.getByRole('button', { name: 'Newer' }));
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('?state=bounced&q=emma'));
});

test('a mail is sent again once, after a question', async () => {
  const requests = answer({
    'GET /api/admin/mails': () => ({ body: { mails: [mail()] } }),
    'POST /api/admin/mails/{id}/resend': () => ({
      status: 202,
      body: { mail: mail({ resendOf: 'mail-1' }) },
    }),
  });
  await open();
  fireEvent.click(await screen.findByRole('button', { name: 'Send again to Emma Clarke' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Send this mail again?' }));
  expect(dialog.getByText(/“Trees planted”/)).toBeTruthy();
  const confirm = dialog.getByRole('button', { name: 'Send again' });
  fireEvent.click(confirm);
  fireEvent.click(confirm);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(requests.filter(({ key }) => key.startsWith('POST'))).toHaveLength(1);
});

test('a mail that cannot be repeated says why', async () => {
  answer({
    'GET /api/admin/mails': () => ({ body: { mails: [mail()] } }),
    'POST /api/admin/mails/{id}/resend': () => refusal(409, 'mail-not-repeatable'),
  });
  await open('/?mail=mail-1');
  const dialog = within(await screen.findByRole('dialog', { name: 'Send this mail again?' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Send again' }));
  await dialog.findByText('This mail cannot be sent again.');
});

test('without mails it says so, and what cannot be loaded can be asked for again', async () => {
  let online = false;
  answer({ 'GET /api/admin/mails': () => (online ? { body: { mails: [] } } : 'lost') });
  await open();
  await screen.findByText('We could not load this');
  online = true;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('No mails found');
});
