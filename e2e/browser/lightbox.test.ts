import { expect, jest, test } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import type { Visitor } from '../harness/browser.ts';
import { textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { expectFinished } from './finished.ts';
import { useSetup } from './setup.ts';
import { visit as visitOf } from './visiting.ts';

jest.setTimeout(120_000);

const setup = useSetup();
const en = textsOf('en');

const visit = (act: (page: Page) => Promise<void>, visitor?: Partial<Visitor>) =>
  visitOf(setup, act, visitor);

const COUNT = 30;
const ICON = new URL('../../web/public/icon-512.png', import.meta.url).pathname;
const ORDER = {
  _id: '65f0c0ffee0000000006bbe0',
  shortId: '06BBE0',
  token: 'tokentokentokentokento',
  status: 'completed',
  trees: 5,
  packageType: 'grove',
  amount: 2000,
  currency: 'USD',
  customerName: 'Emma Clarke',
  customerEmail: 'emma@mail.test',
  language: 'en',
  createdAt: '2026-11-20T15:00:00Z',
  method: { kind: 'card' },
  paymentMethod: 'stripe',
  transactionId: 'pi_1',
  assignedDate: '2026-11-21T15:00:00Z',
  plantingDate: '2026-12-12T14:40:00Z',
  completionDate: '2026-12-12T16:00:00Z',
  assignedWorker: { name: 'Marleny Ospina', region: 'Quindío' },
  location: 'La Carbonera, Salento, Quindío',
  coordinates: { latitude: 4.637214, longitude: -75.487031 },
  timeline: [],
};

/** An order with thirty photos, the first of them open. */
async function openFirst(page: Page) {
  const photos = Array.from({ length: COUNT }, (_, at) => ({
    filename: `${String(at).padStart(22, 'a')}.jpg`,
    width: 1600,
    height: 1200,
    takenAt: '2026-12-12T14:41:00Z',
    uploadedAt: '2026-12-12T14:45:00Z',
  }));
  await page.route('**/api/photos/**', (route) => route.fulfill({ path: ICON, contentType: 'image/png' }));
  await page.route('**/api/track/*', (route) => route.fulfill({ json: { ...ORDER, photos } }));
  await page.goto(`${setup.product.url}/orders/tokentokentokentokento`);
  await page.getByRole('button', { name: en('order:album.all', { count: COUNT }) }).click();
  const first = page.getByRole('button', { name: /^Photo 1 of 30/ });
  await first.click();
  const box = page.locator('dialog[open]');
  const place = (number: number) =>
    box.getByText(en('photos.place', { number, count: COUNT }), { exact: true }).waitFor();
  return { first, box, place };
}

test('thirty photos open in the lightbox and are moved through by key and by button, and the focus comes back', async () => {
  await visit(async (page) => {
    const { first, box, place } = await openFirst(page);
    await place(1);
    await expectFinished(page, 'lightbox');
    await page.keyboard.press('ArrowRight');
    await place(2);
    await page.keyboard.press('End');
    await place(30);
    await box.getByRole('button', { name: en('photos.next') }).click();
    await place(1);
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    await waitFor('the focus', () => first.evaluate((button) => button === document.activeElement));
  });
});

type Point = readonly [x: number, y: number];

/** Fingers that go down at the first places, through all others, and up. */
async function touch(devtools: CDPSession, places: readonly (readonly Point[])[]): Promise<void> {
  for (const [step, points] of places.entries())
    await devtools.send('Input.dispatchTouchEvent', {
      type: step === 0 ? 'touchStart' : 'touchMove',
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
const between = (from: number, to: number, steps = 8): number[] =>
  Array.from({ length: steps + 1 }, (_, at) => from + ((to - from) * at) / steps);

test('a finger swipes from photo to photo, and two make one larger without moving on or zooming the page', async () => {
  await visit(
    async (page) => {
      const { box, place } = await openFirst(page);
      await place(1);
      const devtools = await page.context().newCDPSession(page);
      await touch(
        devtools,
        between(300, 60).map((x) => [[x, 380]]),
      );
      await place(2);
      await touch(
        devtools,
        between(60, 300).map((x) => [[x, 380]]),
      );
      await place(1);

      const picture = box.getByRole('img', { name: /^Photo 1 of 30/ }).first();
      const width = () => picture.evaluate((image) => image.getBoundingClientRect().width);
      // While it still moves from the swipe, fingers move it on.
      const before = await waitFor('the picture to stand still', () =>
        picture.evaluate((image) => {
          const { left, width } = image.getBoundingClientRect();
          return Math.abs(left) < 1 && width;
        }),
      );
      await touch(
        devtools,
        between(20, 120).map((apart) => [
          [180 - apart, 380],
          [180 + apart, 380],
        ]),
      );
      await waitFor('a larger picture', async () => (await width()) > before * 1.3);
      await place(1);
      expect(await page.evaluate(() => window.visualViewport!.scale)).toBe(1);
    },
    { width: 360 },
  );
});
