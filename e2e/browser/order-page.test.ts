import { shortId } from '@arboleda/contracts/order.ts';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { unzipSync } from 'fflate';
import { photo } from '../driver/pictures.ts';
import { type Language, textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { downloaded } from './downloading.ts';
import { expectFinished } from './finished.ts';
import { type FieldWorker, makeWorker, orderFor, useSetup } from './setup.ts';
import { visit } from './visiting.ts';

jest.setTimeout(120_000);

const setup = useSetup();
let worker: FieldWorker;
beforeAll(async () => {
  worker = await makeWorker(setup, 'Rosa Incansable');
});

describe.each<[Language, number]>([
  ['en', 1280],
  ['es', 360],
])('in %s at %i px', (language, width) => {
  const say = textsOf(language);

  test(`asks for the satellite map ${width < 800 ? 'below' : 'beside'} the drawing, not on it`, async () => {
    const bought = await orderFor(setup, worker, `consent-${language}@customer.test`);
    await setup.driver.plant(worker.token, bought.assignmentId);
    await waitFor('the place', async () => (await setup.driver.track(bought.orderToken))?.coordinates);
    await visit(
      setup,
      async (page) => {
        await page.goto(`${setup.product.url}/orders/${bought.orderToken}`);
        await page.getByText(say('map.notThisPlace')).waitFor();
        const drawing = (await page.getByRole('img', { name: say('map.drawn') }).boundingBox())!;
        const consent = (await page.getByText(say('map.consent')).boundingBox())!;
        const button = (await page.getByRole('button', { name: say('map.show') }).boundingBox())!;
        for (const box of [consent, button]) {
          if (width < 800) expect(box.y).toBeGreaterThanOrEqual(drawing.y + drawing.height);
          else {
            expect(box.x).toBeGreaterThanOrEqual(drawing.x + drawing.width);
            expect(box.y + box.height).toBeLessThanOrEqual(drawing.y + drawing.height);
          }
        }
      },
      { language, width },
    );
  });

  test('satellite pictures are requested once for the site, show the place at zoom 15, and can be switched off', async () => {
    const bought = await orderFor(setup, worker, `satellite-${language}@customer.test`);
    await setup.driver.plant(worker.token, bought.assignmentId);
    const { coordinates } = await waitFor('the place', async () => {
      const order = await setup.driver.track(bought.orderToken);
      return order?.coordinates ? { coordinates: order.coordinates } : undefined;
    });
    await visit(
      setup,
      async (page) => {
        const asked: URL[] = [];
        await page.route('https://maps.google.com/**', async (route) => {
          asked.push(new URL(route.request().url()));
          await route.fulfill({ contentType: 'text/html', body: '<title>Map</title>' });
        });
        await page.goto(`${setup.product.url}/orders/${bought.orderToken}`);
        const notThisPlace = page.getByText(say('map.notThisPlace'));
        await notThisPlace.waitFor();
        expect(asked).toEqual([]);
        await page.getByRole('button', { name: say('map.show') }).click();
        await page.getByText(say('map.shown')).waitFor();
        expect(Object.fromEntries(asked[0]!.searchParams)).toMatchObject({
          q: `${coordinates.latitude},${coordinates.longitude}`,
          t: 'k',
          z: '15',
        });
        expect(await notThisPlace.count()).toBe(0);
        await expectFinished(page, `a place from above, in ${language}`);
        await page.reload();
        await page.getByText(say('map.shown')).waitFor();
        expect(asked).toHaveLength(2);
        await page.getByRole('button', { name: say('map.hide') }).click();
        await notThisPlace.waitFor();
        await page.reload();
        await page.getByText(say('map.consent')).waitFor();
        expect(asked).toHaveLength(2);
      },
      { language, width },
    );
  });

  test('a guest gets the receipt by the private link, for the address of the order', async () => {
    const email = `guest-receipt-${language}@customer.test`;
    const bought = await orderFor(setup, worker, email);
    await visit(
      setup,
      async (page) => {
        await page.goto(`${setup.product.url}/orders/${bought.orderToken}`);
        const address = page.getByLabel(say('order:receipt.email'), { exact: true });
        const get = page.getByRole('button', { name: say('order:receipt.pdf') });
        await address.fill('guess@customer.test');
        const refused = page.waitForResponse((answer) => answer.status() === 422);
        await get.click();
        await refused;
        await waitFor('the refusal beside the field', async () => {
          const described = await address.getAttribute('aria-describedby');
          return described?.includes('error') && (await address.getAttribute('aria-invalid')) === 'true';
        });
        await expectFinished(page, `a receipt refused to a guest, in ${language}`);
        await address.fill(` ${email.toUpperCase()} `);
        const { name, bytes } = await downloaded(page, () => get.click());
        expect(name).toBe(`arboleda-${shortId(bought.orderId)}.pdf`);
        expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
        await page.getByText(say('order:receipt.saved')).waitFor();
        await expectFinished(page, `a receipt given to a guest, in ${language}`);
      },
      { language, width },
    );
  });

  test('all photos of an order are saved in one file, and one from its full view', async () => {
    const bought = await orderFor(setup, worker, `photos-${language}@customer.test`);
    await setup.driver.plant(worker.token, bought.assignmentId);
    const photos = ['ph-planting.jpg', 'ph-sapling.jpg'].map((name) => photo(name, new Date()));
    await setup.driver.photograph(worker.token, bought.assignmentId, await Promise.all(photos));
    await waitFor(
      'the photos',
      async () => (await setup.driver.track(bought.orderToken))?.photos.length === 2,
    );
    const file = `arboleda-${shortId(bought.orderId)}`;
    await visit(
      setup,
      async (page) => {
        await page.goto(`${setup.product.url}/orders/${bought.orderToken}`);
        const all = page.getByRole('button', { name: say('order:album.download', { count: 2 }) });
        const zip = await downloaded(page, () => all.click());
        expect(zip.name).toBe(`${file}.zip`);
        const files = Object.entries(unzipSync(zip.bytes));
        expect(files.map(([name]) => name)).toEqual([`${file}-01.jpg`, `${file}-02.jpg`]);
        for (const [, bytes] of files)
          expect(Buffer.from(bytes.subarray(0, 3)).toString('hex')).toBe('ffd8ff');
        await page.getByText(say('order:album.downloaded')).waitFor();
        const second = say('photos.alt', { number: 2, count: 2, caption: '' });
        await page.getByRole('button', { name: second }).click();
        const one = page.getByRole('button', { name: say('photos.download') });
        await one.waitFor();
        await expectFinished(page, `a photo in full, in ${language}`);
        const saved = await downloaded(page, () => one.click());
        expect(saved.name).toBe(`${file}-02.jpg`);
        expect(Buffer.from(saved.bytes)).toEqual(Buffer.from(files[1]![1]));
      },
      { language, width },
    );
  });
});
