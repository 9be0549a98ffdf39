import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, screen } from '@testing-library/react';
import { renderScreen } from '../testing/render.tsx';
import { OfflineNotice } from './OfflineNotice.tsx';

const network = (online: boolean) =>
  act(() => {
    Object.defineProperty(navigator, 'onLine', { value: online, configurable: true });
    window.dispatchEvent(new Event(online ? 'online' : 'offline'));
  });
afterEach(() => {
  network(true);
  cleanup();
});

test('being offline is said as long as it lasts', async () => {
  await renderScreen(<OfflineNotice />, { texts: [], at: '/customer-portal' });
  expect(screen.queryByText(/You are offline/)).toBeNull();
  network(false);
  expect(screen.getByText(/You are offline/)).toBeTruthy();
  network(true);
  expect(screen.queryByText(/You are offline/)).toBeNull();
});

test('the worker’s portal, made for no signal, has its own words', async () => {
  await renderScreen(<OfflineNotice />, { texts: [], at: '/worker-portal' });
  network(false);
  expect(screen.queryByText(/You are offline/)).toBeNull();
});
