import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { ORGANISATION } from '../../content/organisation.ts';
import { renderScreen } from '../../testing/render.tsx';
import { answer } from '../../testing/server.ts';
import { LandingPage } from './LandingPage.tsx';

let page: HTMLElement;
const section = (selector: string) => page.querySelector<HTMLElement>(selector)!;

beforeEach(async () => {
  sessionStorage.clear();
  answer({
    'GET /api/stats': () => ({ body: { treesPlanted: 62_300 } }),
    'GET /api/pricing/dynamic': () => ({ status: 503 }),
  });
  page = (await renderScreen(<LandingPage />, { texts: ['landing'] })).container;
});
afterEach(cleanup);

test('the hero says what it is, counts trees and hectares, and leads to planting and further down', async () => {
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

test('the offer crosses out two prices, says today’s and what one gets, and leads to planting', async () => {
  const offer = section('#contribute');
  expect([...offer.querySelectorAll('s')].map((price) => price.textContent)).toEqual(['$15.00', '$10.00']);
  expect(within(offer).getByText('$5.00')).toBeTruthy();
  expect(within(offer).getByText(/Save 67%/)).toBeTruthy();
  expect(within(within(offer).getByRole('list')).getAllByRole('listitem')).toHaveLength(5);
  expect(within(offer).getByRole('link', { name: 'Plant now' }).getAttribute('href')).toBe('/plant-trees');
  expect(within(offer).getByText('Time left today, where you are')).toBeTruthy();
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
});

test('the offer’s badge, today’s date and its clock, which goes on every second', async () => {
  const offer = within(section('#contribute'));
  expect(offer.getByText('Climate offer · Save 67%')).toBeTruthy();
  const today = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' }).format(new Date());
  await offer.findByText(new RegExp(today));
  const clock = () => offer.getByRole('timer').textContent;
  const first = clock();
  expect(first).toMatch(/^\d+hours\d+minutes\d+seconds$/);
  await waitFor(() => expect(clock()).not.toBe(first));
});

test('how it works goes from payment to growth in seven steps, and shows what an order looks like', () => {
  const steps = within(section('#how-it-works')).getAllByRole('heading', { level: 3 });
  expect(steps.map(({ textContent }) => textContent)).toEqual([
    'Payment', 'E-mail', 'Worker', 'Notification', 'Location', 'Photos', 'Growth',
  ]); // prettier-ignore
  const example = within(section('[aria-labelledby=example-title]'));
  for (const fact of ['Planted by', 'Place', 'Coordinates', 'Date', 'Photos'])
    expect(example.getByText(fact)).toBeTruthy();
});
