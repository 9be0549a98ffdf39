import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { PACKAGES } from '../../testing/checkout.ts';
import { answer } from '../../testing/server.ts';
import { renderScreen } from '../../testing/render.tsx';
import { changeDraft, currentDraft, reloadDraft } from './draft.ts';
import { PlantTreesPage } from './PlantTreesPage.tsx';

const open = (language: 'en' | 'es' = 'en') =>
  renderScreen(<PlantTreesPage />, { texts: ['checkout'], language, at: '/plant-trees' });

/** A sentence whatever elements its parts are in. */
const paragraph = (sentence: RegExp) =>
  screen.getByText((_text, element) => element?.tagName === 'P' && sentence.test(element.textContent));

beforeEach(() => {
  answer({
    'GET /api/pricing/packages': () => ({ body: PACKAGES }),
    'GET /api/config': () => ({ status: 503 }),
  });
});

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  reloadDraft();
});

test('every package has its price in the visitor’s money before anything is typed', async () => {
  await open();
  expect(await screen.findByText(/Prices in Colombian pesos, at COP.4,115\.00 to the dollar/)).toBeTruthy();
  const figures = ['20,575.00', '82,300.00', '288,050.00', '205,750.00'];
  for (const figure of figures) {
    expect(screen.getByText(new RegExp(`${figure}$`), { selector: '.figure *' })).toBeTruthy();
  }
  expect(paragraph(/You save COP.20,575\.00/)).toBeTruthy();
});

test('choosing a card opens its checkout with the full charge on the button; × closes it', async () => {
  await open();
  await screen.findByText(/Prices in/);
  fireEvent.click(screen.getByRole('radio', { name: 'Grove' }));
  const pay = await screen.findByRole<HTMLButtonElement>('button', {
    name: /Plant 5 trees · COP.82,300\.00/,
  });
  expect(pay.disabled).toBe(true);
  expect(screen.getByText(/5 native trees at 20,575\.00/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Close the checkout' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /Plant 5 trees/ })).toBeNull());
});

test('one’s own number is priced as it is typed, and a count below one is refused beside the field', async () => {
  await open();
  await screen.findByText(/Prices in/);
  const count = screen.getByRole('textbox', { name: 'Number of trees' });
  fireEvent.change(count, { target: { value: '3' } });
  expect(await screen.findByRole('button', { name: /Plant 3 trees · COP.61,725\.00/ })).toBeTruthy();
  fireEvent.change(count, { target: { value: '0' } });
  expect(screen.getByText('Please enter at least 1 tree')).toBeTruthy();
  expect(count.getAttribute('aria-invalid')).toBe('true');
});

test('what was typed and chosen is still there after a reload', async () => {
  changeDraft({ packageType: 'patch', name: 'Sofía Rueda', email: 'sofia@correo.co' });
  reloadDraft();
  await open('es');
  expect(await screen.findByRole('button', { name: /Sembrar 20 árboles · COP.288\.050,00/ })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Nombre').value).toBe('Sofía Rueda');
  expect(screen.getByLabelText<HTMLInputElement>('Correo electrónico').value).toBe('sofia@correo.co');
});

test('an address without an ending is explained beside its field, and kept', async () => {
  changeDraft({ packageType: 'individual', name: '', email: '' });
  await open();
  const email = await screen.findByLabelText<HTMLInputElement>('Email');
  fireEvent.change(email, { target: { value: 'sofia@correo' } });
  fireEvent.blur(email);
  expect(await screen.findByText('This address is missing its ending. Try name@mail.com')).toBeTruthy();
  expect(currentDraft().email).toBe('sofia@correo');
});

test('when the card fields cannot be loaded it says so and offers to try again', async () => {
  changeDraft({ packageType: 'individual' });
  await open();
  expect((await screen.findByRole('alert')).textContent).toContain('The card fields could not be loaded');
});

test('without prices from the server those in dollars stand in', async () => {
  const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  answer({ 'GET /api/pricing/packages': () => 'lost' });
  await open();
  expect(await screen.findByText('Prices in US dollars.')).toBeTruthy();
  expect(paragraph(/You save USD.30\.00/)).toBeTruthy();
  log.mockRestore();
});

test('the page has the header, three packages and a count of one’s own that begins at ten, and the footer', async () => {
  await open();
  expect(screen.getByRole('banner')).toBeTruthy();
  expect(screen.getByRole('contentinfo')).toBeTruthy();
  expect(screen.getAllByRole('radio').map((choice) => choice.getAttribute('value'))).toEqual([
    'individual', 'grove', 'patch', 'custom',
  ]); // prettier-ignore
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Number of trees' }).value).toBe('10');
});

test('the checkout has summary, method, details, card or transfer, Cancel and Pay; a phone is asked for with transfers only', async () => {
  changeDraft({ packageType: 'grove' });
  await open();
  const checkout = within(await screen.findByRole('region', { name: 'Checkout' }));
  await checkout.findByRole('group', { name: 'Your card' });
  expect(checkout.getByRole('heading', { name: 'Your order' })).toBeTruthy();
  for (const method of ['Credit Card', 'Bancolombia bank transfer'])
    expect(checkout.getByRole('radio', { name: method })).toBeTruthy();
  const details = within(checkout.getByRole('group', { name: 'Your details' }));
  expect(details.getAllByRole('textbox').map((field) => field.getAttribute('autocomplete'))).toEqual([
    'name', 'email',
  ]); // prettier-ignore
  expect(checkout.getByRole('button', { name: 'Cancel' })).toBeTruthy();
  expect(checkout.getByRole('button', { name: /^Plant 5 trees/ })).toBeTruthy();
  fireEvent.click(checkout.getByRole('radio', { name: 'Bancolombia bank transfer' }));
  await checkout.findByRole('group', { name: 'Pictures of the transfer' });
  expect(checkout.getByLabelText(/^Phone/)).toBeTruthy();
  expect(checkout.queryByRole('group', { name: 'Your card' })).toBeNull();
});
