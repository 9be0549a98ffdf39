import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { ORGANISATION } from '../../content/organisation.ts';
import { renderScreen } from '../../testing/render.tsx';
import { PublicLayout } from './PublicLayout.tsx';

afterEach(cleanup);

const open = () => renderScreen(<PublicLayout>Trees</PublicLayout>, { texts: [] });
const linksIn = (place: HTMLElement) =>
  within(place)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));

test('every public page has the header and the footer round it', async () => {
  await open();
  expect(screen.getByRole('banner')).toBeTruthy();
  expect(screen.getByRole('main').textContent).toBe('Trees');
  expect(screen.getByRole('contentinfo')).toBeTruthy();
});

test('the header leads home, to the trees, to the portal and outside, and changes the language', async () => {
  await open();
  const header = screen.getByRole('banner');
  expect(linksIn(header)).toEqual(
    expect.arrayContaining(['/', '/plant-trees', '/customer-portal', ORGANISATION.contributeUrl]),
  );
  fireEvent.click(within(header).getByRole('button', { name: 'ES, Español' }));
  expect(await within(header).findByRole('link', { name: 'Contribuir' })).toBeTruthy();
});

test('the menu of a phone opens, closes by Escape, and says which it is', async () => {
  await open();
  const toggle = screen.getByRole('button', { name: 'Open the menu' });
  expect(toggle.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(toggle);
  expect(toggle.getAttribute('aria-expanded')).toBe('true');
  expect(toggle.getAttribute('aria-label')).toBe('Close the menu');
  fireEvent.keyDown(document.getElementById(toggle.getAttribute('aria-controls')!)!, { key: 'Escape' });
  expect(toggle.getAttribute('aria-expanded')).toBe('false');
});

test('the footer leads on, names an address to write to, and says since when', async () => {
  await open();
  const footer = screen.getByRole('contentinfo');
  expect(linksIn(footer)).toEqual([
    '/#home',
    '/#about',
    '/plant-trees',
    '/customer-portal',
    `mailto:${ORGANISATION.contactEmail}`,
  ]);
  expect(within(footer).getByRole('link', { name: 'My Trees' })).toBeTruthy();
  expect(footer.textContent).toContain('2024');
});
