import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { ORGANISATION } from '../../content/organisation.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { PublicLayout } from '../../layout/PublicLayout.tsx';
import { hectaresFigure, timeLeftToday, treesFigure } from './counters.ts';
import { LandingPage } from './LandingPage.tsx';

afterEach(cleanup);

describe('LandingPage', () => {
  const price = {
    currency: 'COP',
    country: 'Colombia',
    countryCode: 'CO',
    exchangeRate: 4115,
    basePrice: 5,
    localPrice: 20575,
    formatted: '$20.575',
    symbol: '$',
    flag: '🇨🇴',
  };

  afterEach(() => {
    cleanup();
    sessionStorage.clear();
  });

  const answers = {
    'GET /api/stats': () => ({ body: { treesPlanted: 62_300 } }),
    'GET /api/pricing/dynamic': () => ({ body: price }),
  };

  const open = (language: 'en' | 'es' = 'en', at = '/') =>
    renderScreen(<LandingPage />, { texts: ['landing'], language, at });

  test('figures come from the server and the price is in the visitor’s currency', async () => {
    fakeApi(answers);
    await open();
    await waitFor(() => expect(screen.getAllByText('62k+').length).toBe(3));
    expect(screen.getAllByText('626+').length).toBe(2);
    expect(screen.getByText('COP 20,575')).toBeTruthy();
  });

  test('every price is in the visitor’s currency, in whole pesos', async () => {
    fakeApi(answers);
    const { container } = await open('es');
    await waitFor(() => expect(container.textContent).toContain('20.575'));
    const amounts = container.querySelector('main')!.textContent.match(/[A-Z]{3}\s?\d[\d.,]*/g);
    expect(amounts?.map((amount) => amount.replace(/\s/, ' '))).toEqual([
      'COP 20.575',
      'COP 61.725',
      'COP 41.150',
      'COP 20.575',
    ]);
    expect(container.querySelector('main')!.textContent).not.toMatch(/USD|dólares/);
  });

  test('falls back to fifty thousand trees and the price in dollars', async () => {
    const logged = console.error;
    console.error = () => undefined;
    fakeApi({ 'GET /api/stats': () => 'lost', 'GET /api/pricing/dynamic': () => ({ status: 503 }) });
    await open();
    await waitFor(() => expect(screen.getAllByText('50k+').length).toBe(3));
    expect(screen.getAllByText('503+').length).toBe(2);
    expect(screen.getByText('USD 5.00')).toBeTruthy();
    console.error = logged;
  });

  test.each([
    ['en', 'In dollars, because our exchange rate for Colombian pesos is out of date.'],
    ['es', 'En dólares, porque nuestra tasa de cambio para pesos colombianos está desactualizada.'],
  ] as const)('says why the price is in dollars when the rate is out of date: %s', async (language, why) => {
    const inDollars = { ...price, currency: 'USD', localPrice: 5, wantedCurrency: 'COP' };
    fakeApi({ ...answers, 'GET /api/pricing/dynamic': () => ({ body: inDollars }) });
    await open(language);
    expect(await screen.findByText(why)).toBeTruthy();
  });

  test('has every section in both languages: nine benefits, seven steps, four anchors', async () => {
    fakeApi(answers);
    for (const language of ['en', 'es'] as const) {
      const { container } = await open(language);
      for (const anchor of ['home', 'about', 'contribute', 'how-it-works']) {
        expect(container.querySelector(`#${anchor}`)).not.toBeNull();
      }
      expect(within(container.querySelector('#how-it-works')!).getAllByRole('listitem')).toHaveLength(7);
      expect(container.querySelectorAll('h4')).toHaveLength(9);
      cleanup();
    }
  });
});

test('both counters show an ellipsis while loading', () => {
  expect(treesFigure(undefined)).toBe('…');
  expect(hectaresFigure(undefined)).toBe('…');
});

test.each([
  [50_000, '50k+', '503+'],
  [50_499, '50k+', '507+'],
  [50_500, '51k+', '508+'],
  [1000, '1k+', '13+'],
  [999, '999', '12+'],
  [0, '0', '3+'],
])('shows %i trees as %s on %s hectares', (trees, figure, hectares) => {
  expect(treesFigure(trees)).toBe(figure);
  expect(hectaresFigure(trees)).toBe(hectares);
});

test('counts down to midnight in the visitor’s time zone', () => {
  expect(timeLeftToday(new Date(2026, 10, 21, 16, 17, 42))).toEqual({ hours: 7, minutes: 42, seconds: 18 });
  expect(timeLeftToday(new Date(2026, 11, 31, 23, 59, 59, 500))).toEqual({
    hours: 0,
    minutes: 0,
    seconds: 1,
  });
  expect(timeLeftToday(new Date(2026, 0, 1, 0, 0, 0))).toEqual({ hours: 24, minutes: 0, seconds: 0 });
});

describe('sections', () => {
  let page: HTMLElement;

  const section = (selector: string) => page.querySelector<HTMLElement>(selector)!;

  beforeEach(async () => {
    sessionStorage.clear();
    fakeApi({
      'GET /api/stats': () => ({ body: { treesPlanted: 62_300 } }),
      'GET /api/pricing/dynamic': () => ({ status: 503 }),
    });
    page = (await renderScreen(<LandingPage />, { texts: ['landing'] })).container;
  });

  test('the hero has a headline, counts of trees and hectares, and links to planting and below', async () => {
    const hero = section('#home');
    expect(within(hero).getByRole('heading', { level: 1 }).textContent).toBe('Your tree has an address.');
    expect(within(hero).getByText(/^Choose native trees/)).toBeTruthy();
    expect(within(hero).getByRole('link', { name: 'Plant trees' }).getAttribute('href')).toBe('/plant-trees');
    expect(within(hero).getByRole('link', { name: 'Who we are' }).getAttribute('href')).toBe('#about');
    await waitFor(() => expect(within(hero).getByText('62k+')).toBeTruthy());
    expect(within(hero).getByText('626+')).toBeTruthy();
  });

  test('about has two founders, three paragraphs, the mission and nine benefits', () => {
    const about = section('#about');
    const founders = within(within(about).getByRole('list')).getAllByRole('listitem');
    expect(founders.map((founder) => within(founder).getByRole('heading').textContent)).toEqual([
      ORGANISATION.founders.first.name,
      ORGANISATION.founders.second.name,
    ]);
    for (const founder of founders) {
      expect(within(founder).getByRole('img').getAttribute('alt')).toBeTruthy();
      expect(within(founder).getByText(/^Co-founder/)).toBeTruthy();
    }
    for (const beginning of [/^Most people/, /^We work with/, /^What they record/])
      expect(within(about).getByText(beginning)).toBeTruthy();
    expect(within(about).getByRole('heading', { name: 'Our mission' })).toBeTruthy();
    expect(page.querySelectorAll('[aria-labelledby=benefits-title] h4')).toHaveLength(9);
  });

  test('the offer crosses out two prices, shows today’s and its content, and links to planting', async () => {
    const offer = section('#contribute');
    const struck = () => [...offer.querySelectorAll('s')].map((price) => price.textContent);
    await waitFor(() => expect(struck()).toEqual(['USD\u00a015.00', 'USD\u00a010.00']));
    expect(offer.querySelector('dl')!.textContent).toMatch(/USD.5\.00$/);
    expect(within(offer).getByText(/Save 67%/)).toBeTruthy();
    expect(within(within(offer).getByRole('list')).getAllByRole('listitem')).toHaveLength(5);
    expect(within(offer).getByRole('link', { name: 'Plant now' }).getAttribute('href')).toBe('/plant-trees');
    expect(within(offer).getByText('Time left today, in your time zone')).toBeTruthy();
    await waitFor(() => expect(within(offer).getByText(/supporters/).textContent).toContain('62k+'));
  });

  test('impact has four figures, three benefits of a tree and three promises', () => {
    const impact = section('[aria-labelledby=impact-title]');
    const [figures, ...lists] = [...impact.querySelectorAll('dl')];
    expect([...figures!.querySelectorAll('dt')].map((label) => label.textContent)).toEqual([
      'trees planted',
      'hectares growing back',
      'tons of CO₂',
      'species supported',
    ]);
    expect(figures!.textContent).toContain('25,000');
    expect(figures!.textContent).toContain('150+');
    expect(lists.map((list) => list.querySelectorAll('dt').length)).toEqual([3, 3]);
    for (const claim of ['500 kg', '48,000', '50+']) expect(screen.getByText(claim)).toBeTruthy();
    expect(lists[0]!.textContent).toContain('of CO₂ a year, claimed per full-grown tree');
  });

  test('the offer has a badge, today’s date and a ticking clock', async () => {
    const offer = within(section('#contribute'));
    expect(offer.getByText('Climate offer · Save 67%')).toBeTruthy();
    const today = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' }).format(new Date());
    await offer.findByText(new RegExp(today));
    const clock = () => offer.getByRole('timer').textContent;
    const first = clock();
    expect(first).toMatch(/^\d+hours\d+minutes\d+seconds$/);
    await waitFor(() => expect(clock()).not.toBe(first));
  });

  test('how it works has seven steps from payment to growth and an example order', () => {
    const steps = within(section('#how-it-works')).getAllByRole('heading', { level: 3 });
    expect(steps.map(({ textContent }) => textContent)).toEqual([
      'Payment',
      'Email',
      'Worker',
      'Notification',
      'Location',
      'Photos',
      'Growth',
    ]);
    const example = within(section('[aria-labelledby=example-title]'));
    for (const fact of ['Planted by', 'Place', 'Coordinates', 'Date', 'Photos'])
      expect(example.getByText(fact)).toBeTruthy();
  });
});

describe('Header', () => {
  const open = () => renderScreen(<PublicLayout>Trees</PublicLayout>, { texts: [] });

  const linksIn = (place: HTMLElement) =>
    within(place)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'));

  test('every public page has a header and a footer', async () => {
    await open();
    expect(screen.getByRole('banner')).toBeTruthy();
    expect(screen.getByRole('main').textContent).toBe('Trees');
    expect(screen.getByRole('contentinfo')).toBeTruthy();
  });

  test('the header links home, to the trees, to the portal and outside, and switches the language', async () => {
    await open();
    const header = screen.getByRole('banner');
    expect(linksIn(header)).toEqual(
      expect.arrayContaining(['/', '/plant-trees', '/customer-portal', ORGANISATION.contributeUrl]),
    );
    fireEvent.click(within(header).getByRole('button', { name: 'ES, Español' }));
    expect(await within(header).findByRole('link', { name: 'Contribuir' })).toBeTruthy();
  });

  test('the phone menu closes when something else is touched or focused', async () => {
    await open();
    const toggle = () => screen.getByRole('button', { name: /the menu$/ });
    fireEvent.click(toggle());
    fireEvent.pointerDown(screen.getByRole('main'));
    expect(toggle().getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(toggle());
    fireEvent.blur(toggle(), { relatedTarget: screen.getByRole('main') });
    expect(toggle().getAttribute('aria-expanded')).toBe('false');
  });

  test('the phone menu opens, closes by Escape, and has a name for each state', async () => {
    await open();
    const toggle = screen.getByRole('button', { name: 'Open the menu' });
    expect(toggle.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(toggle);
    expect(toggle.getAttribute('aria-expanded')).toBe('true');
    expect(toggle.getAttribute('aria-label')).toBe('Close the menu');
    fireEvent.keyDown(document.getElementById(toggle.getAttribute('aria-controls')!)!, { key: 'Escape' });
    expect(toggle.getAttribute('aria-expanded')).toBe('false');
  });

  test('the footer has links, a contact address, who sells and the year', async () => {
    await open();
    const footer = screen.getByRole('contentinfo');
    expect(linksIn(footer)).toEqual([
      '/#home',
      '/#about',
      '/plant-trees',
      '/customer-portal',
      '/help',
      '/verify',
      `mailto:${ORGANISATION.contactEmail}`,
      '/privacy',
      '/terms',
    ]);
    expect(within(footer).getByRole('link', { name: 'My Trees' })).toBeTruthy();
    expect(footer.textContent).toContain(`© ${new Date().getFullYear()} Arboleda`);
    expect(footer.textContent).toContain('Arboleda S.A.S. BIC · NIT 900.000.000-0 · Calle 6 # 7-14, Salento');
  });
});
