import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { renderScreen } from '../../testing/render.tsx';
import { MapCard } from './MapCard.tsx';

let online = true;
beforeEach(() => {
  online = true;
  jest.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const open = () =>
  renderScreen(<MapCard coordinates={{ latitude: 4.637214, longitude: -75.487031 }} facts={[]} />, {
    texts: [],
  });
const show = () => fireEvent.click(screen.getByRole('button', { name: 'Show satellite map' }));
const frame = () => screen.queryByTitle('Satellite map, zoom 15');

test('the satellite picture is fetched on demand, may look empty, and can be put away', async () => {
  await open();
  expect(frame()).toBeNull();
  show();
  screen.getByText('Loading the satellite picture');
  fireEvent.load(frame()!);
  screen.getByText(/Nothing to see\?/);
  fireEvent.click(screen.getByRole('button', { name: 'Show the drawing' }));
  expect(frame()).toBeNull();
  screen.getByText(/which then learns of your visit/);
});

test('offline the drawing stays and says why; with a connection it can be tried again', async () => {
  online = false;
  await open();
  show();
  screen.getByText('You are offline. The satellite picture needs a connection.');
  expect(frame()).toBeNull();
  online = true;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(frame()).not.toBeNull();
  fireEvent(window, new Event('offline'));
  screen.getByText('You are offline. The satellite picture needs a connection.');
});

test('when nothing comes the drawing returns, with the coordinates', async () => {
  await open();
  jest.useFakeTimers();
  show();
  act(() => jest.advanceTimersByTime(16_000));
  screen.getByText(/The satellite picture did not come/);
  expect(frame()).toBeNull();
  screen.getByText('4.637214, -75.487031');
});
