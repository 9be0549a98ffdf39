import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { APP_READY } from '../../app/ready.ts';
import { answer } from '../../testing/server.ts';
import { waitForFirstTouch } from './first-touch.ts';

let fetched = 0;
const fetchApp = () => Promise.resolve(fetched++);
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
  waitForFirstTouch(fetchApp);
  await waitFor(() => expect(textOf('trees')).toBe('62k+'));
  await waitFor(() => expect(textOf('price')).toBe('COP\u00a020,575.00'));
  expect(textOf('hours')).toMatch(/^\d\d$/);
  expect(fetched).toBe(0);
});

test('the first sign of a person fetches the app, once', () => {
  waitForFirstTouch(fetchApp);
  window.dispatchEvent(new Event('scroll'));
  window.dispatchEvent(new Event('keydown'));
  expect(fetched).toBe(1);
});

test('a button pressed while the app is on its way is pressed again when it is there', () => {
  const button = document.querySelector('button')!;
  waitForFirstTouch(fetchApp);
  button.click();
  let presses = 0;
  button.addEventListener('click', () => presses++);
  window.dispatchEvent(new Event(APP_READY));
  expect(presses).toBe(1);
});

test('a page in another language than the visitor’s is handed to the app at once', () => {
  localStorage.setItem('arboleda.language', 'es');
  waitForFirstTouch(fetchApp);
  expect(fetched).toBe(1);
});

test('what is below the first screen comes when the page has loaded', () => {
  document.documentElement.setAttribute('data-first', '');
  waitForFirstTouch(fetchApp);
  expect(document.documentElement.hasAttribute('data-first')).toBe(document.readyState !== 'complete');
  window.dispatchEvent(new Event('load'));
  expect(document.documentElement.hasAttribute('data-first')).toBe(false);
});
