import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { APP_READY } from '../../app/ready.ts';
import { answer } from '../../testing/server.ts';
import { fillFigures } from '../landing/fill-figures.ts';
import { waitForFirstTouch } from './first-touch.ts';

let fetched = 0;
const fetchApp = () => Promise.resolve(fetched++);
const wait = () => waitForFirstTouch({ fetchApp, fill: fillFigures, typefaces: ['1em Serif'] });
const textOf = (name: string) => document.querySelector(`[data-live="${name}"]`)!.textContent;

beforeEach(() => {
  fetched = 0;
  document.documentElement.lang = 'en';
  document.body.innerHTML = `<button>Menu</button><p data-live="trees">…</p><p data-live="price">…</p>
    <p data-live="hours">··</p>`;
  answer({
    'GET /api/stats': () => ({ body: { treesPlanted: 62_300 } }),
    'GET /api/pricing/dynamic': () => ({ body: { currency: 'COP', localPrice: 20575 } }),
  });
});

afterEach(() => {
  window.dispatchEvent(new Event('scroll'));
  window.dispatchEvent(new Event(APP_READY));
  sessionStorage.clear();
  localStorage.clear();
});

test('figures, price and clock are filled in without the app', async () => {
  wait();
  await waitFor(() => expect(textOf('trees')).toBe('62k+'));
  await waitFor(() => expect(textOf('price')).toBe('COP\u00a020,575.00'));
  expect(textOf('hours')).toMatch(/^\d\d$/);
  expect(fetched).toBe(0);
});

test('the first sign of a person fetches the app, once', () => {
  wait();
  window.dispatchEvent(new Event('scroll'));
  window.dispatchEvent(new Event('keydown'));
  expect(fetched).toBe(1);
});

test('a pointer that lies still is no sign of one, one that moves is', () => {
  const moved = (movementX: number) => Object.assign(new Event('pointermove'), { movementX, movementY: 0 });
  wait();
  window.dispatchEvent(moved(0));
  expect(fetched).toBe(0);
  window.dispatchEvent(moved(3));
  expect(fetched).toBe(1);
});

test('a button pressed while the app is on its way is pressed again when it is there', () => {
  const button = document.querySelector('button')!;
  wait();
  button.click();
  let presses = 0;
  button.addEventListener('click', () => presses++);
  window.dispatchEvent(new Event(APP_READY));
  expect(presses).toBe(1);
});

test('a page in another language than the visitor’s is handed to the app at once', () => {
  localStorage.setItem('arboleda.language', 'es');
  wait();
  expect(fetched).toBe(1);
});

test('a page that is painted gets its pictures, then its typefaces at once, and one that is touched everything', async () => {
  const { dataset } = document.documentElement;
  const typeface = Promise.withResolvers<FontFace[]>();
  const load = jest.spyOn(document.fonts, 'load').mockReturnValue(typeface.promise);
  dataset.first = 'loading';
  wait();
  expect(dataset.first).toBe('loading');
  await waitFor(() => expect(dataset.first).toBe('painted'));
  expect(load).toHaveBeenCalledWith('1em Serif');
  load.mockRestore();
  typeface.reject(new Error('offline'));
  await waitFor(() => expect(dataset.first).toBe('written'));
  window.dispatchEvent(new Event('scroll'));
  expect(dataset.first).toBeUndefined();
});

test('a page that was touched before this script came gets the app at once, and its figures meanwhile', async () => {
  document.body.insertAdjacentHTML('beforeend', '<input type="radio" checked>');
  wait();
  expect(fetched).toBe(1);
  await waitFor(() => expect(textOf('trees')).toBe('62k+'));
});

test('what only the app can go on with, and a visitor sent here with more than a language, get it at once', () => {
  waitForFirstTouch({ fetchApp, fill: fillFigures, typefaces: [], isUnderWay: () => true });
  expect(fetched).toBe(1);
  history.replaceState(null, '', '/?lang=en');
  wait();
  expect(fetched).toBe(1);
  window.dispatchEvent(new Event('scroll'));
  history.replaceState(null, '', '/?payment=back');
  wait();
  expect(fetched).toBe(3);
  history.replaceState(null, '', '/');
});
