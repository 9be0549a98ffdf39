import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { renderScreen } from '../../test/render.tsx';
import { ChunkLoadError } from '../load-chunk.ts';
import { CrashBoundary } from './CrashBoundary.tsx';

const logged = console.error;

let fault: Error | undefined;

beforeEach(() => {
  console.error = () => undefined;
  // Reloaded a moment ago, so a missing chunk is reported instead of reloading again.
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

test('a crashed panel leaves the rest usable and can be retried in place', async () => {
  fault = new TypeError('x is undefined');
  await open(true);
  expect(screen.getByText('the rest')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toMatch(/This part of the page stopped working/);
  fault = undefined;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByText('the part')).toBeTruthy();
});

test('reports a panel that could not be loaded', async () => {
  fault = new ChunkLoadError('gone');
  await open(true);
  expect(screen.getByRole('alert').textContent).toMatch(/didn’t load. Check your connection/);
});

test.each([
  [new TypeError('x is undefined'), 'Something went wrong on this page'],
  [new ChunkLoadError('gone'), 'Part of this page didn’t load'],
])('a page has words for it: %s', async (what, title) => {
  fault = what;
  await open(false);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
  expect(screen.getByRole('button', { name: 'Load the page again' })).toBeTruthy();
});
