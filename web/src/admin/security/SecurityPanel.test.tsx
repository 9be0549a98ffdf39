import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import decode from 'qr/decode.js';
import { call } from '../../api/client.ts';
import { ADMIN, refusal } from '../../test/fixtures.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { grouped, QrCode } from './SecondFactor.tsx';
import { SecurityPanel } from './SecurityPanel.tsx';

afterEach(cleanup);

const STATE = 'GET /api/auth/admin/second-factor';

const open = async () => {
  const tokens: string[] = [];
  const outs: true[] = [];
  const session = {
    person: ADMIN,
    call,
    logIn: (token: string) => tokens.push(token),
    logOut: () => outs.push(true),
  };
  await renderScreen(<SecurityPanel session={session} />, { texts: ['admin', 'panels'] });
  return { tokens, outs };
};

const part = (name: string) => within(screen.getByRole('region', { name }));

const type = (where: ReturnType<typeof part>, label: string, value: string) =>
  fireEvent.change(where.getByLabelText(label), { target: { value } });

const press = (where: ReturnType<typeof part>, name: string) =>
  fireEvent.click(where.getByRole('button', { name }));

test('sets up the second factor: password, key, first code, recovery codes shown once', async () => {
  let enabled = false;
  const requests = fakeApi({
    [STATE]: () => ({ body: { enabled, recoveryCodesLeft: enabled ? 2 : 0 } }),
    'POST /api/auth/admin/second-factor': () => ({
      body: { secret: 'ABCDEFGHIJ', otpauthUrl: 'otpauth://totp/Arboleda?secret=ABCDEFGHIJ' },
    }),
    'POST /api/auth/admin/second-factor/confirm': ({ body }) => {
      if ((body as { code: string }).code === '000000')
        return refusal(422, 'validation-failed', 'no', [
          { path: 'code', type: 'second-factor-invalid', message: 'no' },
        ]);
      enabled = true;
      return { body: { token: 'fresh', recoveryCodes: ['aaaa-bbbb', 'cccc-dddd'] } };
    },
  });
  const { tokens } = await open();
  await screen.findByText('Two-factor login is off');
  const factor = part('Two-factor login');
  press(factor, 'Set up');
  press(factor, 'Continue');
  expect(factor.getByText('Please fill this in')).toBeTruthy();
  type(factor, 'Current password', 'secret words');
  press(factor, 'Continue');
  await factor.findByText('ABCD EFGH IJ');
  expect(factor.getByRole('img', { name: 'QR code with the key for your authenticator app' })).toBeTruthy();
  expect(factor.getByRole('link', { name: 'Open in an app' }).getAttribute('href')).toMatch(/^otpauth:/);
  expect(factor.queryByText('Please fill this in')).toBeNull();
  expect(document.activeElement).toBe(factor.getByLabelText('Code'));
  type(factor, 'Code', '000000');
  await factor.findByText('This code is not valid, or was used before.');
  type(factor, 'Code', '123456');
  await factor.findByText('aaaa-bbbb');
  expect(tokens).toEqual(['fresh']);
  await factor.findByText('Two-factor login is on');
  press(factor, 'I have kept them');
  expect(factor.queryByText('aaaa-bbbb')).toBeNull();
  await factor.findByText('2 recovery codes are left.');
  expect(requests.filter(({ key }) => key.endsWith('/confirm'))).toHaveLength(2);
});

test('requires a long new password, and shows a wrong current one beside its field', async () => {
  const requests = fakeApi({
    [STATE]: () => ({ body: { enabled: false, recoveryCodesLeft: 0 } }),
    'PUT /api/auth/me/password': () =>
      refusal(422, 'validation-failed', 'no', [
        { path: 'currentPassword', type: 'wrong-password', message: 'no' },
      ]),
  });
  await open();
  const password = part('Password');
  type(password, 'Current password', 'old words here');
  type(password, 'New password', 'short');
  press(password, 'Change password');
  expect(password.getByText('Use at least 10 characters.')).toBeTruthy();
  type(password, 'New password', 'long enough words');
  press(password, 'Change password');
  await password.findByText('This is not your current password.');
  expect(requests.filter(({ key }) => key.startsWith('PUT'))).toHaveLength(1);
});

test('logging out everywhere asks first and ends this session too', async () => {
  fakeApi({
    [STATE]: () => ({ body: { enabled: true, recoveryCodesLeft: 8 } }),
    'POST /api/auth/me/log-out-everywhere': () => ({ body: {} }),
  });
  const { outs } = await open();
  press(part('Log out everywhere'), 'Log out everywhere…');
  const dialog = await screen.findByRole('dialog', { name: 'Log out everywhere?' });
  expect(outs).toEqual([]);
  fireEvent.click(within(dialog).getByRole('button', { name: 'End all sessions' }));
  await screen.findByText('Two-factor login is on');
  expect(outs).toEqual([true]);
});

const ADDRESS =
  'otpauth://totp/Arboleda:carolina%40arboleda.test?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Arboleda';

const PIXELS = 4;

function pictureOf(svg: SVGElement) {
  const modules = Number(svg.getAttribute('viewBox')!.split(' ')[2]);
  const side = modules * PIXELS;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  const dark = svg.querySelectorAll('path')[1]!.getAttribute('d')!;
  for (const [, x, y] of dark.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let at = 0; at < PIXELS * PIXELS; at++) {
      const column = Number(x) * PIXELS + (at % PIXELS);
      const row = Number(y) * PIXELS + Math.floor(at / PIXELS);
      data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
    }
  return { width: side, height: side, data };
}

test('the QR code decodes to its text, and has a name for screen readers', () => {
  render(<QrCode text={ADDRESS} label="QR code with the key" />);
  const svg = screen.getByRole('img', { name: 'QR code with the key' });
  expect(decode(pictureOf(svg as unknown as SVGElement))).toBe(ADDRESS);
  expect(svg.querySelectorAll('image, style, script')).toHaveLength(0);
});

test.each([
  ['ABCDEFGH', 'ABCD EFGH'],
  ['ABCDEFGHI', 'ABCD EFGH I'],
  ['ABCD EFGH', 'ABCD EFGH'],
  ['', ''],
])('reads %j as %j', (secret, read) => {
  expect(grouped(secret)).toBe(read);
});
