import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { APP_READY } from '../../layout/ready.ts';
import { fakeApi } from '../../test/server.ts';
import { fillFigures } from '../landing/fill-figures.ts';
import { hydrateOnInteraction } from './hydrate-on-interaction.ts';

let fetched = 0;
const fetchApp = () => Promise.resolve(fetched++);
const wait = () => hydrateOnInteraction({ fetchApp, fill: fillFigures, typefaces: ['1em Serif'] });
const textOf = (name: string) => document.querySelector(`[data-live="${name}"]`)!.textContent;

beforeEach(() => {
  fetched = 0;
  document.documentElement.lang = 'en';
  document.body.innerHTML = `<button>Menu</button><p data-live="trees">…</p><p data-live="price">…</p>
    <p data-live="date">…</p><p data-live="hours">··</p>`;
  fakeApi({
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

test('fills in figures, price and clock without the app', async () => {
  wait();
  await waitFor(() => expect(textOf('trees')).toBe('62k+'));
  await waitFor(() => expect(textOf('price')).toBe('COP\u00a020,575'));
  expect(textOf('hours')).toMatch(/^\d\d$/);
  expect(fetched).toBe(0);
});

test('the clock below the first screen starts when it comes into view', async () => {
  let comeIntoView: () => void;
  jest.spyOn(globalThis, 'IntersectionObserver').mockImplementation((callback) => {
    const observer = {
      observe: () => undefined,
      disconnect: () => undefined,
    } as unknown as IntersectionObserver;
    comeIntoView = () => callback([{ isIntersecting: true } as IntersectionObserverEntry], observer);
    return observer;
  });
  wait();
  await waitFor(() => expect(textOf('price')).toBe('COP\u00a020,575'));
  expect(textOf('hours')).toBe('··');
  comeIntoView!();
  expect(textOf('hours')).toMatch(/^\d\d$/);
  jest.restoreAllMocks();
});

test('the first interaction loads the app once', () => {
  wait();
  window.dispatchEvent(new Event('scroll'));
  window.dispatchEvent(new Event('keydown'));
  expect(fetched).toBe(1);
});

test('only a moving pointer counts as interaction', () => {
  const moved = (movementX: number) => Object.assign(new Event('pointermove'), { movementX, movementY: 0 });
  wait();
  window.dispatchEvent(moved(0));
  expect(fetched).toBe(0);
  window.dispatchEvent(moved(3));
  expect(fetched).toBe(1);
});

test('repeats a button press made while the app was loading', () => {
  const button = document.querySelector('button')!;
  wait();
  button.click();
  let presses = 0;
  button.addEventListener('click', () => presses++);
  window.dispatchEvent(new Event(APP_READY));
  expect(presses).toBe(1);
});

test('repeats a choice from a list made while the app was loading', () => {
  document.body.insertAdjacentHTML(
    'beforeend',
    '<select><option value=""></option><option>EUR</option></select>',
  );
  const list = document.querySelector('select')!;
  wait();
  list.value = 'EUR';
  list.dispatchEvent(new Event('change', { bubbles: true }));
  list.value = '';
  const received: string[] = [];
  list.addEventListener('change', () => received.push(list.value));
  window.dispatchEvent(new Event(APP_READY));
  expect(received).toEqual(['EUR']);
});

test('loads the app immediately for another language', () => {
  localStorage.setItem('arboleda.language', 'es');
  wait();
  expect(fetched).toBe(1);
});

test('after painting loads pictures and typefaces, and after interaction everything', async () => {
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

test('loads the app immediately after an early interaction, and fills in figures meanwhile', async () => {
  document.body.insertAdjacentHTML('beforeend', '<input type="radio" checked>');
  wait();
  expect(fetched).toBe(1);
  await waitFor(() => expect(textOf('trees')).toBe('62k+'));
});

test('loads the app immediately for pending payments and for links with parameters beyond a language', () => {
  hydrateOnInteraction({ fetchApp, fill: fillFigures, typefaces: [], isUnderWay: () => true });
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
