import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type * as Server from 'react-dom/server';
import { hydrateRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { chooseCurrency } from '../../api/currency.ts';
import { inDollars } from '../../api/package-prices.ts';
import { startI18n } from '../../i18n/setup.ts';
import { keepToken } from '../../session/token-store.ts';
import { OLD_PACKAGES, OUTDATED_PACKAGES, PACKAGES, PACKAGES_IN_DOLLARS } from '../../testing/checkout.ts';
import { CUSTOMER } from '../../testing/fixtures.ts';
import { renderScreen } from '../../testing/render.tsx';
import { fakeApi } from '../../testing/server.ts';
import { changeDraft, clearDraft, currentDraft, reloadDraft } from './draft.ts';
import { emailProblem, typedText } from './buyer.ts';
import { fillPrices } from './fill-prices.ts';
import { missingOf } from './PayActions.tsx';
import { PlantTreesPage } from './PlantTreesPage.tsx';
import { countProblem, parseTrees, totalOf } from './selection.ts';
import { TreeCount } from './TreeCount.tsx';

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
    expect(await screen.findByText(/Prices in Colombian pesos, at COP.4,115\.00 to the dollar/)).toBeTruthy();
    const figures = ['20,575.00', '82,300.00', '288,050.00', '205,750.00'];
    for (const figure of figures) {
      expect(screen.getByText(new RegExp(`${figure}$`), { selector: '.figure *' })).toBeTruthy();
    }
    expect(paragraph(/You save COP.20,575\.00/)).toBeTruthy();
  });

  test.each([
    ['en', /at COP.4,115\.00 to the dollar, the rate of 15 June 2025\./],
    ['es', /a COP.4\.115,00 por dólar, la tasa del 15 de junio de 2025\./],
  ] as const)('a rate that is old is shown with its day: %s', async (language, sentence) => {
    fakeApi({ 'GET /api/pricing/packages': () => ({ body: OLD_PACKAGES }) });
    await open(language);
    expect(await screen.findByText(sentence)).toBeTruthy();
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

  test('shows no date for a rate from before a long weekend', async () => {
    fakeApi({ 'GET /api/pricing/packages': () => ({ body: { ...PACKAGES, ratesAgeDays: 4 } }) });
    await open();
    expect(await screen.findByText(/to the dollar\. We keep/)).toBeTruthy();
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
    await screen.findByRole('button', { name: /Plant 5 trees · COP.82,300\.00/ });
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
      name: /Plant 5 trees · COP.82,300\.00/,
    });
    expect(pay.disabled).toBe(true);
    expect(screen.getByText(/5 native trees at COP.20,575\.00/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Close the checkout' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /Plant 5 trees/ })).toBeNull());
  });

  test('updates the custom price while typing, and refuses a count below one beside the field', async () => {
    await open();
    await screen.findByText(/Prices in/);
    const count = screen.getByRole('textbox', { name: 'Number of trees' });
    fireEvent.change(count, { target: { value: '3' } });
    expect(await screen.findByRole('button', { name: /Plant 3 trees · COP.61,725\.00/ })).toBeTruthy();
    fireEvent.change(count, { target: { value: '0' } });
    expect(screen.getByText('Please enter at least 1 tree')).toBeTruthy();
    expect(count.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getAllByText('–')).toHaveLength(2);
    fireEvent.change(count, { target: { value: '20000' } });
    expect(screen.getAllByText('–')).toHaveLength(2);
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
    expect(await screen.findByRole('button', { name: /Sembrar 20 árboles · COP.288\.050,00/ })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Nombre').value).toBe('Sofía Rueda');
    expect(screen.getByLabelText<HTMLInputElement>('Correo electrónico').value).toBe('sofia@correo.co');
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

  test('has a header, three packages, a custom count starting at ten, and a footer', async () => {
    await open();
    expect(screen.getByRole('banner')).toBeTruthy();
    expect(screen.getByRole('contentinfo')).toBeTruthy();
    expect(screen.getAllByRole('radio').map((choice) => choice.getAttribute('value'))).toEqual([
      'individual',
      'grove',
      'patch',
      'custom',
    ]);
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Number of trees' }).value).toBe('10');
  });

  test('the checkout has summary, method, details, card or transfer, Cancel and Pay, and asks a phone number for transfers only', async () => {
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

describe('TreeCount', () => {
  /** The import needs a MessageChannel, which jsdom lacks, although this test never uses it. */
  async function prerenderer() {
    const held = globalThis.MessageChannel;
    globalThis.MessageChannel = class {
      port1 = {};
      port2 = {};
    } as unknown as typeof MessageChannel;
    const { renderToString } = await import('react-dom/server');
    globalThis.MessageChannel = held;
    return renderToString;
  }

  let renderToString: typeof Server.renderToString;

  beforeAll(async () => {
    renderToString = await prerenderer();
  });

  afterEach(() => {
    sessionStorage.clear();
    reloadDraft();
  });

  /** Hydrates a prerendered page, optionally after typing. @returns the field's value afterwards */
  async function hydrate(typed?: string): Promise<string> {
    const page = document.createElement('div');
    const i18n = await startI18n('en');
    await i18n.loadNamespaces(['checkout']);
    const count = (
      <I18nextProvider i18n={i18n}>
        <TreeCount onUse={() => undefined} />
      </I18nextProvider>
    );
    page.innerHTML = renderToString(count);
    const field = page.querySelector('input')!;
    if (typed !== undefined) field.value = typed;
    const root = await act(() => hydrateRoot(page, count));
    const { value } = field;
    act(() => root.unmount());
    return value;
  }

  test('keeps a number typed before hydration', async () => {
    expect(await hydrate('7')).toBe('7');
    expect(currentDraft().customTrees).toBe('7');
  });

  test('keeps a number typed during hydration', async () => {
    changeDraft({ customTrees: '7' });
    expect(await hydrate()).toBe('7');
    expect(currentDraft().customTrees).toBe('7');
  });
});

describe('draft', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    sessionStorage.clear();
    reloadDraft();
  });

  test('survives a reload with input, selection and attempt', () => {
    changeDraft({
      packageType: 'grove',
      method: { kind: 'transfer', bank: 'bancolombia' },
      phone: '300 555 0142',
      sending: { key: 'k', tries: [] },
    });
    reloadDraft();
    expect(currentDraft()).toMatchObject({
      packageType: 'grove',
      method: { kind: 'transfer', bank: 'bancolombia' },
      phone: '300 555 0142',
      sending: { key: 'k' },
    });
  });

  test('lasts as long as the page when storage is missing or full', () => {
    const refuse = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
    changeDraft({ name: 'Sofía', attempt: { key: 'k', fingerprint: 'f' } });
    expect(currentDraft()).toMatchObject({ name: 'Sofía', attempt: { key: 'k' } });
  });

  test('ignores foreign values in storage', () => {
    sessionStorage.setItem('arboleda.checkout', '{not json');
    reloadDraft();
    expect(currentDraft()).toMatchObject({ name: '', method: { kind: 'card' }, customTrees: '10' });
  });

  test('keeps the buyer and clears the purchase after payment', () => {
    changeDraft({
      packageType: 'custom',
      customTrees: '7',
      name: 'Sofía',
      reference: 'ARB-1',
      sending: { key: 'k', tries: [] },
    });
    clearDraft();
    expect(currentDraft()).toMatchObject({ packageType: undefined, customTrees: '10', name: 'Sofía' });
    expect(currentDraft().sending ?? currentDraft().reference).toBeUndefined();
  });
});

test.each([
  ['', 'emailMissing'],
  ['   ', 'emailMissing'],
  ['sofia', 'emailNoAt'],
  ['sofia@correo', 'emailNoEnding'],
  ['sofia@correo.', 'emailNoEnding'],
  ['sofia@correo.c', 'emailNoEnding'],
  ['@correo.co', 'emailWrong'],
  ['so fia@correo.co', 'emailWrong'],
  ['a@b@c.co', 'emailWrong'],
  ['sofia.rueda+trees@mail.correo.co', undefined],
])('%p → %s', (typed, problem) => {
  expect(emailProblem(typed)).toBe(problem);
});

describe('fill prices', () => {
  const inPesos = { body: PACKAGES };

  const inOldPesos = { body: OLD_PACKAGES };

  const inDollars = { body: PACKAGES_IN_DOLLARS };

  const outdated = { body: OUTDATED_PACKAGES };

  const without = { status: 503 };

  const open = (language: 'en' | 'es') =>
    renderScreen(<PlantTreesPage />, { texts: ['checkout'], language, at: '/plant-trees' });

  const saysNothingYet = () => document.querySelector('[data-live="grove-figure"]')?.textContent === '…';

  const words = () => document.querySelector('#contribute')!.textContent;

  afterEach(() => {
    cleanup();
    jest.restoreAllMocks();
    document.body.innerHTML = '';
    document.documentElement.lang = 'en';
    sessionStorage.clear();
    reloadDraft();
  });

  for (const language of ['en', 'es'] as const)
    for (const [prices, reply] of Object.entries({ inPesos, inOldPesos, inDollars, outdated, without }))
      test(`prerendered prices match the app’s: ${language}, ${prices}`, async () => {
        jest.spyOn(console, 'error').mockReturnValue();
        let arrive: (() => void) | undefined;
        fakeApi({ 'GET /api/pricing/packages': () => reply, 'GET /api/config': () => ({ status: 503 }) });
        const inTime = globalThis.fetch;
        globalThis.fetch = (...request) =>
          new Promise((resolve) => (arrive = () => resolve(inTime(...request)))) as ReturnType<typeof fetch>;

        await open(language);
        expect(saysNothingYet()).toBe(true);
        const prerendered = document.body.innerHTML;
        globalThis.fetch = inTime;
        arrive?.();
        await waitFor(() => expect(saysNothingYet()).toBe(false));
        const said = words();
        cleanup();

        document.documentElement.lang = language;
        document.body.innerHTML = prerendered;
        fillPrices();
        await waitFor(() => expect(saysNothingYet()).toBe(false));
        expect(words()).toBe(said);
      });
});

const whole = { name: 'Sofía', email: 'sofia@correo.co', hasCard: true, hasPrice: true, pictures: 1 };

test('requires name, email and the card library for a card payment', () => {
  expect(missingOf({ ...whole, method: { kind: 'card' }, pictures: 0 })).toEqual([]);
  expect(missingOf({ ...whole, method: { kind: 'card' }, name: ' ', email: '', hasCard: false })).toEqual([
    'name',
    'email',
    'card',
  ]);
});

test('requires name, email, amount and a picture for a transfer', () => {
  expect(missingOf({ ...whole, method: { kind: 'transfer', bank: 'bancolombia' }, hasCard: false })).toEqual(
    [],
  );
  expect(
    missingOf({ ...whole, method: { kind: 'transfer', bank: 'bancolombia' }, hasPrice: false, pictures: 0 }),
  ).toEqual(['price', 'evidence']);
});

test('charges list prices for fixed packages, and shows the saving against single trees', () => {
  const prices = inDollars();
  expect(totalOf({ packageType: 'grove', customTrees: '10' }, prices)).toEqual({
    trees: 5,
    amountMinor: 2000,
    unitAmountMinor: 400,
    savingMinor: 500,
    currency: 'USD',
  });
  expect(totalOf({ packageType: 'patch', customTrees: '10' }, prices).savingMinor).toBe(3000);
});

test('charges the single price per tree for a custom count', () => {
  expect(totalOf({ packageType: 'custom', customTrees: '12' }, inDollars())).toMatchObject({
    trees: 12,
    amountMinor: 6000,
  });
});

test('parses a count as an integer, and as one when invalid', () => {
  expect(parseTrees('12')).toBe(12);
  expect(parseTrees('7.9')).toBe(7);
  expect(parseTrees('2.000')).toBe(2000);
  expect(parseTrees('2,000')).toBe(2000);
  expect(parseTrees('many')).toBe(1);
  expect(parseTrees('')).toBe(1);
});

test.each([
  ['0', 'at-least-one'],
  ['-3', 'at-least-one'],
  ['1', undefined],
  ['10000', undefined],
  ['10001', 'at-most'],
])('a custom count of %s: %s', (customTrees, problem) => {
  expect(countProblem({ packageType: 'custom', customTrees })).toBe(problem);
  expect(countProblem({ packageType: 'grove', customTrees })).toBeUndefined();
});

test('removes pasted direction marks, tabs and zero-width spaces from a name', () => {
  expect(typedText('\u202eSof\u200bía\tRueda\u2069 ')).toBe('Sofía Rueda');
});

test('keeps names in any script', () => {
  for (const name of ['محمد علي', 'שרה לוי', 'नेहा\u200dश्री', '李小龍', "O'Neill-Ñáñez"])
    expect(typedText(name)).toBe(name);
});

test('cleans an address pasted from right-to-left text', () => {
  expect(emailProblem('\u200fsofia@correo.co\u200e')).toBeUndefined();
});
