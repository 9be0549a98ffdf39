import { afterEach, expect, jest, test } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { ApiProblem } from '../api/problem.ts';
import type { PortalCall } from '../session/session.ts';
import { page } from '../test/admin-orders.tsx';
import { adminOrder, refusal } from '../test/fixtures.ts';
import { fakeApi } from '../test/server.ts';
import { answerStepUps, withStepUp } from './step-up.ts';

jest.unstable_mockModule('./StepUp.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module: /StepUp.js');
});
const { openDashboard, verify } = await import('../test/admin-dashboard.tsx');

afterEach(cleanup);
afterEach(() => void jest.useRealTimers());

const refused: PortalCall = () =>
  Promise.reject(new ApiProblem({ type: 'step-up-required', status: 403, title: 'Again' }));
const ask = () => withStepUp(refused)('GET /api/admin/orders/export');

test('a call that needs the dialog fails when its file cannot be loaded, and the dashboard stays', async () => {
  fakeApi({
    'GET /api/auth/admin/verify': verify,
    'GET /api/admin/orders/manage': () => page(adminOrder()),
    'GET /api/admin/orders/export': () => refusal(403, 'step-up-required'),
  });
  await openDashboard();
  fireEvent.click(await screen.findByRole('button', { name: /CSV/ }));
  await screen.findByText('The file could not be written. Try again.');
  screen.getByRole('row', { name: /06BBE0/ });
});

test('a call fails as without network when the dialog does not load in time, and a later one is asked', async () => {
  jest.useFakeTimers();
  const waiting = expect(ask()).rejects.toMatchObject({ type: 'network', isLate: true });
  await jest.advanceTimersByTimeAsync(20_000);
  await waiting;
  const declined = ask();
  const end = answerStepUps(() => Promise.reject(new Error('declined')));
  await expect(declined).rejects.toMatchObject({ type: 'step-up-required' });
  end();
});
