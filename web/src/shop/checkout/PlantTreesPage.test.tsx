import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { chooseCurrency } from '../../api/currency.ts';
import { keepToken } from '../../session/token-store.ts';
import { OUTDATED_PACKAGES, PACKAGES, PACKAGES_IN_DOLLARS } from '../../test/checkout.ts';
import { CUSTOMER } from '../../test/fixtures.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { changeDraft, currentDraft, reloadDraft } from '../../order/purchase/draft.ts';
import { PlantTreesPage } from './PlantTreesPage.tsx';

describe('PlantTreesPage', () => {
  const open = (language: 'en' | 'es' = 'en') =>
    renderScreen(<PlantTreesPage />, { texts: ['checkout'], language, at: '/plant-trees' });

  /** A sentence whose parts are in different elements. */
  const paragraph = (sentence: RegExp) =>
    screen.getByText((_text, element) => element?.tagName === 'P' && sentence.test(element.textContent));

  beforeEach(() => {
    fakeApi({
      'GET /api/pricing/packages': () => ({ body: PACKAGES }),
      'GET /api/config': () => ({ status: 503 }),
    });
  });

  afterEach(() => {
    cleanup();
    localStorage.clear();
    sessionStorage.clear();
    reloadDraft();
  });

  test('shows every package’s price in the visitor’s currency from the start', async () => {
    await open();
    expect(await screen.findByText(/Prices in Colombian pesos, at COP.4,115 to the dollar/)).toBeTruthy();
    const figures = ['20,575', '82,300', '288,050', '61,725'];
    for (const figure of figures) {
      expect(screen.getByText(new RegExp(`${figure}$`), { selector: '.figure *' })).toBeTruthy();
    }
    expect(paragraph(/You save COP.20,575/)).toBeTruthy();
  });

  test.each([
    ['en', /^Prices in US dollars, because our exchange rate for Colombian pesos is out of date\. We keep/],
    [
      'es',
      /^Precios en dólares estadounidenses, porque nuestra tasa de cambio para pesos colombianos está desactualizada\./,
    ],
  ] as const)('prices that are in dollars for want of a rate say why: %s', async (language, sentence) => {
    fakeApi({ 'GET /api/pricing/packages': () => ({ body: OUTDATED_PACKAGES }) });
    await open(language);
    expect(await screen.findByText(sentence)).toBeTruthy();
    cleanup();
    chooseCurrency('COP');
    fakeApi({ 'GET /api/pricing/packages': () => ({ body: PACKAGES_IN_DOLLARS }) });
    await open(language);
    expect(await screen.findByText(sentence)).toBeTruthy();
  });

  test('shows prices in another currency when the visitor chooses one, and keeps the choice', async () => {
    fakeApi({
      'GET /api/pricing/packages': ({ url }) => ({
        body: url.includes('currency=USD') ? PACKAGES_IN_DOLLARS : PACKAGES,
      }),
      'GET /api/config': () => ({ status: 503 }),
    });
    await open();
    await screen.findByText(/Prices in Colombian pesos/);
    fireEvent.click(screen.getByRole('radio', { name: 'Grove' }));
    await screen.findByRole('button', { name: /Plant 5 trees · COP.82,300/ });
    const [picker] = screen.getAllByLabelText<HTMLSelectElement>('Currency');
    expect(picker!.value).toBe('');
    fireEvent.change(picker!, { target: { value: 'USD' } });
    await screen.findByText(/Prices in US dollars/);
    await screen.findByRole('button', { name: /Plant 5 trees · USD.20\.00/ });
    expect(localStorage.getItem('arboleda.currency')).toBe('USD');
    cleanup();
    await open();
    await screen.findByText(/Prices in US dollars/);
  });

  test('choosing a card opens its checkout with the full amount on the button, and × closes it', async () => {
    await open();
    await screen.findByText(/Prices in/);
    fireEvent.click(screen.getByRole('radio', { name: 'Grove' }));
    const pay = await screen.findByRole<HTMLButtonElement>('button', {
      name: /Plant 5 trees · COP.82,300/,
    });
    expect(pay.disabled).toBe(true);
    expect(screen.getByText(/5 native trees at COP.20,575/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Close the checkout' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /Plant 5 trees/ })).toBeNull());
  });

  test('updates the custom price while typing, and refuses a count below one beside the field', async () => {
    await open();
    await screen.findByText(/Prices in/);
    const count = screen.getByRole('textbox', { name: 'Number of trees' });
    fireEvent.change(count, { target: { value: '7' } });
    expect(await screen.findByRole('button', { name: /Plant 7 trees · COP.144,025/ })).toBeTruthy();
    fireEvent.change(count, { target: { value: '0' } });
    expect(screen.getByText('Please enter at least 1 tree')).toBeTruthy();
    expect(count.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getAllByText('–')).toHaveLength(2);
    fireEvent.change(count, { target: { value: '20000' } });
    expect(screen.getAllByText('–')).toHaveLength(2);
  });

  test.each(['2e3', '10.5', '1 2', 'many'])('marks %p, which is no count, and keeps it', async (typed) => {
    await open();
    await screen.findByText(/Prices in/);
    const count = screen.getByRole<HTMLInputElement>('textbox', { name: 'Number of trees' });
    fireEvent.change(count, { target: { value: typed } });
    fireEvent.blur(count);
    expect(screen.getByText('Enter a whole number of trees, such as 12.')).toBeTruthy();
    expect(count.getAttribute('aria-invalid')).toBe('true');
    expect(count.value).toBe(typed);
    expect(screen.getByRole('radio', { name: 'Your number' })).toHaveProperty('checked', true);
    expect(await screen.findAllByText('–')).toHaveLength(2);
  });

  test.each([
    ['4', '5 trees cost COP 82,300, the same as 4.', 'Grove'],
    ['5', '5 trees cost COP 82,300 with “Grove”, instead of COP 102,875.', 'Grove'],
    ['14', '20 trees cost COP 288,050, the same as 14.', 'Forest patch'],
    ['15', '20 trees cost COP 288,050, less than 15.', 'Forest patch'],
    ['019', '20 trees cost COP 288,050, less than 19.', 'Forest patch'],
  ])('says which package gives more than %s trees for no more, and takes it', async (typed, said, name) => {
    await open();
    await screen.findByText(/Prices in/);
    fireEvent.change(screen.getByRole('textbox', { name: 'Number of trees' }), { target: { value: typed } });
    expect(screen.getByText(said)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /^Take/ }));
    const radio = screen.getByRole('radio', { name });
    expect(radio).toHaveProperty('checked', true);
    expect(document.activeElement).toBe(radio);
    expect(screen.queryByText(said)).toBeNull();
  });

  test.each(['3', '6', '13', '21', '2e3'])('offers nothing instead of %s trees', async (typed) => {
    await open();
    await screen.findByText(/Prices in/);
    fireEvent.change(screen.getByRole('textbox', { name: 'Number of trees' }), { target: { value: typed } });
    expect(screen.queryByRole('button', { name: /^Take/ })).toBeNull();
  });

  test('fills in name and email of a customer who is logged in', async () => {
    keepToken('customer', 'kept');
    fakeApi({
      'GET /api/pricing/packages': () => ({ body: PACKAGES }),
      'GET /api/config': () => ({ status: 503 }),
      'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
    });
    changeDraft({ packageType: 'grove', email: 'typed@mail.test' });
    reloadDraft();
    await open();
    const name = await screen.findByLabelText<HTMLInputElement>('Name');
    await waitFor(() => expect(name.value).toBe(CUSTOMER.name));
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('typed@mail.test');
  });

  test('restores input and selection after a reload', async () => {
    changeDraft({ packageType: 'patch', name: 'Sofía Rueda', email: 'sofia@correo.co' });
    reloadDraft();
    await open('es');
    expect(await screen.findByRole('button', { name: /Sembrar 20 árboles · COP.288\.050/ })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Nombre').value).toBe('Sofía Rueda');
    expect(screen.getByLabelText<HTMLInputElement>('Correo').value).toBe('sofia@correo.co');
  });

  test('explains an address without a top-level domain beside its field, and keeps it', async () => {
    changeDraft({ packageType: 'individual', name: '', email: '' });
    await open();
    const email = await screen.findByLabelText<HTMLInputElement>('Email');
    fireEvent.change(email, { target: { value: 'sofia@correo' } });
    fireEvent.blur(email);
    expect(await screen.findByText('This address is missing its ending. Try name@mail.com')).toBeTruthy();
    expect(currentDraft().email).toBe('sofia@correo');
  });

  test('reports a failed card library and offers a retry', async () => {
    changeDraft({ packageType: 'individual' });
    await open();
    expect((await screen.findByRole('alert')).textContent).toContain('The card form could not be loaded');
  });

  test('falls back to dollar prices without an answer', async () => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    fakeApi({ 'GET /api/pricing/packages': () => 'lost' });
    await open();
    expect(await screen.findByText('Prices in US dollars.')).toBeTruthy();
    expect(paragraph(/You save USD.30\.00/)).toBeTruthy();
    log.mockRestore();
  });

  test('has a header, three packages, a custom count starting at three, and a footer', async () => {
    await open();
    expect(screen.getByRole('banner')).toBeTruthy();
    expect(screen.getByRole('contentinfo')).toBeTruthy();
    expect(screen.getAllByRole('radio').map((choice) => choice.getAttribute('value'))).toEqual([
      'individual',
      'grove',
      'patch',
      'custom',
    ]);
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Number of trees' }).value).toBe('3');
  });

  test('the checkout has summary, method, details, card or transfer, Cancel and Pay, and asks a phone number for transfers only', async () => {
    fakeApi({
      'GET /api/pricing/packages': () => ({ body: PACKAGES }),
      // The card's form stays as it is while it loads.
      'GET /api/config': () => 'never',
    });
    changeDraft({ packageType: 'grove' });
    await open();
    const checkout = within(await screen.findByRole('region', { name: 'Checkout' }));
    await checkout.findByRole('group', { name: 'Your card' });
    expect(checkout.getByRole('heading', { name: 'Your order' })).toBeTruthy();
    for (const method of ['Credit Card', 'Bancolombia bank transfer'])
      expect(checkout.getByRole('radio', { name: method })).toBeTruthy();
    const details = within(checkout.getByRole('group', { name: 'Your details' }));
    expect(details.getAllByRole('textbox').map((field) => field.getAttribute('autocomplete'))).toEqual([
      'name',
      'email',
    ]);
    expect(checkout.getByRole('button', { name: 'Cancel' })).toBeTruthy();
    expect(checkout.getByRole('button', { name: /^Plant 5 trees/ })).toBeTruthy();
    const terms = checkout.getByText(/^By paying you accept our terms and privacy notice/);
    expect(
      within(terms)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual(['/terms', '/privacy']);
    fireEvent.click(checkout.getByRole('radio', { name: 'Bancolombia bank transfer' }));
    await checkout.findByRole('group', { name: 'Pictures of the transfer' });
    expect(checkout.getByLabelText(/^Phone/)).toBeTruthy();
    expect(checkout.queryByRole('group', { name: 'Your card' })).toBeNull();
  });
});
