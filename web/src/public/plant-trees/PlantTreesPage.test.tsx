import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type * as Server from 'react-dom/server';
import { hydrateRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { inDollars } from '../../api/package-prices.ts';
import { startI18n } from '../../i18n/setup.ts';
import { OLD_PACKAGES, PACKAGES, PACKAGES_IN_DOLLARS } from '../../testing/checkout.ts';
import { renderScreen } from '../../testing/render.tsx';
import { answer } from '../../testing/server.ts';
import { changeDraft, clearDraft, currentDraft, reloadDraft } from './draft.ts';
import { emailProblem } from './email-problem.ts';
import { fillPrices } from './fill-prices.ts';
import { missingOf } from './missing.ts';
import { PlantTreesPage } from './PlantTreesPage.tsx';
import { countProblem, parseTrees, totalOf } from './selection.ts';
import { TreeCount } from './TreeCount.tsx';
import { typedText } from './typed-text.ts';

describe('PlantTreesPage', () => {
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

  test.each([
    ['en', /at COP.4,115\.00 to the dollar, the rate of 15 June 2025\./],
    ['es', /a COP.4\.115,00 por dólar, la tasa del 15 de junio de 2025\./],
  ] as const)('a rate that is old is shown with its day: %s', async (language, sentence) => {
    answer({ 'GET /api/pricing/packages': () => ({ body: OLD_PACKAGES }) });
    await open(language);
    expect(await screen.findByText(sentence)).toBeTruthy();
  });

  test('a rate from before a long weekend is today’s', async () => {
    answer({ 'GET /api/pricing/packages': () => ({ body: { ...PACKAGES, ratesAgeDays: 4 } }) });
    await open();
    expect(await screen.findByText(/to the dollar\. We keep/)).toBeTruthy();
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
      'individual',
      'grove',
      'patch',
      'custom',
    ]);
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
      'name',
      'email',
    ]);
    expect(checkout.getByRole('button', { name: 'Cancel' })).toBeTruthy();
    expect(checkout.getByRole('button', { name: /^Plant 5 trees/ })).toBeTruthy();
    fireEvent.click(checkout.getByRole('radio', { name: 'Bancolombia bank transfer' }));
    await checkout.findByRole('group', { name: 'Pictures of the transfer' });
    expect(checkout.getByLabelText(/^Phone/)).toBeTruthy();
    expect(checkout.queryByRole('group', { name: 'Your card' })).toBeNull();
  });
});

describe('TreeCount', () => {
  /** It wants a MessageChannel, which jsdom lacks, for what is not asked of it here. */
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

  /** The app takes over a prerendered page, in which something may have been typed. @returns what the field says then */
  async function takeOver(typed?: string): Promise<string> {
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

  test('a number typed before the app was there stays', async () => {
    expect(await takeOver('7')).toBe('7');
    expect(currentDraft().customTrees).toBe('7');
  });

  test('a number typed while the app takes the page over stays', async () => {
    changeDraft({ customTrees: '7' });
    expect(await takeOver()).toBe('7');
    expect(currentDraft().customTrees).toBe('7');
  });
});

describe('draft', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    sessionStorage.clear();
    reloadDraft();
  });

  test('what was typed, chosen and begun is there after a reload', () => {
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

  test('in a browser that keeps nothing, or is full, the draft lives as long as the page', () => {
    const refuse = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
    changeDraft({ name: 'Sofía', attempt: { key: 'k', fingerprint: 'f' } });
    expect(currentDraft()).toMatchObject({ name: 'Sofía', attempt: { key: 'k' } });
  });

  test('what somebody else left in the store is no draft', () => {
    sessionStorage.setItem('arboleda.checkout', '{not json');
    reloadDraft();
    expect(currentDraft()).toMatchObject({ name: '', method: { kind: 'card' }, customTrees: '10' });
  });

  test('after paying, who bought stays and what was bought goes', () => {
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
    for (const [prices, reply] of Object.entries({ inPesos, inOldPesos, inDollars, without }))
      test(`an untouched page says of prices what the app says: ${language}, ${prices}`, async () => {
        jest.spyOn(console, 'error').mockReturnValue();
        let arrive: (() => void) | undefined;
        answer({ 'GET /api/pricing/packages': () => reply, 'GET /api/config': () => ({ status: 503 }) });
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

test('a card payment needs name, email and the card library', () => {
  expect(missingOf({ ...whole, method: { kind: 'card' }, pictures: 0 })).toEqual([]);
  expect(missingOf({ ...whole, method: { kind: 'card' }, name: ' ', email: '', hasCard: false })).toEqual([
    'name',
    'email',
    'card',
  ]);
});

test('a transfer needs name, email, its amount and a picture', () => {
  expect(missingOf({ ...whole, method: { kind: 'transfer', bank: 'bancolombia' }, hasCard: false })).toEqual(
    [],
  );
  expect(
    missingOf({ ...whole, method: { kind: 'transfer', bank: 'bancolombia' }, hasPrice: false, pictures: 0 }),
  ).toEqual(['price', 'evidence']);
});

test('fixed packages cost what the list says, with the saving against single trees', () => {
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

test('one’s own number costs the single price for each tree', () => {
  expect(totalOf({ packageType: 'custom', customTrees: '12' }, inDollars())).toMatchObject({
    trees: 12,
    amountMinor: 6000,
  });
});

test('a count is read as a whole number, and as one when it is none', () => {
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

test('a pasted direction mark, a tab or a zero-width space does not get into a name', () => {
  expect(typedText('\u202eSof\u200bía\tRueda\u2069 ')).toBe('Sofía Rueda');
});

test('names in any writing stay as they are', () => {
  for (const name of ['محمد علي', 'שרה לוי', 'नेहा\u200dश्री', '李小龍', "O'Neill-Ñáñez"])
    expect(typedText(name)).toBe(name);
});

test('an address pasted from right-to-left text is an address', () => {
  expect(emailProblem('\u200fsofia@correo.co\u200e')).toBeUndefined();
});
