import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { renderScreen } from '../testing/render.tsx';
import { CrashBoundary } from './CrashBoundary.tsx';
import { ChunkLoadError } from './load-chunk.ts';

const logged = console.error;
let fault: Error | undefined;
beforeEach(() => {
  console.error = () => undefined;
  // Reloaded a moment ago: a missing part is told, not fetched again.
  sessionStorage.setItem('arboleda.reloaded-at', String(Date.now()));
});
afterEach(() => {
  cleanup();
  console.error = logged;
  sessionStorage.clear();
});

function Part() {
  if (fault) throw fault;
  return <p>the part</p>;
}
const open = (panel: boolean) =>
  renderScreen(
    <div>
      <p>the rest</p>
      <CrashBoundary panel={panel}>
        <Part />
      </CrashBoundary>
    </div>,
    { texts: [] },
  );

test('a panel that breaks leaves the rest standing, and can be tried again in its place', async () => {
  fault = new TypeError('x is undefined');
  await open(true);
  expect(screen.getByText('the rest')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toMatch(/This part of the page broke/);
  fault = undefined;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByText('the part')).toBeTruthy();
});

test('a panel that did not arrive says so', async () => {
  fault = new ChunkLoadError('gone');
  await open(true);
  expect(screen.getByRole('alert').textContent).toMatch(/did not arrive. Check your connection/);
});

test.each([
  [new TypeError('x is undefined'), 'Something broke on this page'],
  [new ChunkLoadError('gone'), 'A part of this page did not arrive'],
])('a page has words for it: %s', async (what, title) => {
  fault = what;
  await open(false);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
  expect(screen.getByRole('button', { name: 'Load the page again' })).toBeTruthy();
});
