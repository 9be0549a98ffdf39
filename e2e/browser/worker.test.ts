import { describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { photo, PLACE } from '../driver/pictures.ts';
import { openFront } from '../harness/front.ts';
import { openVisit } from '../harness/browser.ts';
import { heicPhoto } from '../../services/media/testing/heic.ts';
import { textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { addPhotos, cardOf, jpeg, openField, plant, untilInstalled } from './field.ts';
import { expectFinished } from './finished.ts';
import { logIn } from './people.ts';
import { makeWorker, orderFor, useSetup } from './setup.ts';

jest.setTimeout(120_000);

const es = textsOf('es');
const en = textsOf('en');

const setup = useSetup();
const { assigned, assignmentOf, arrivedPhotos, phone, reopened } = openField(setup);

test('a file that is no photo is refused with its reason and can be dismissed', async () => {
  const { email, worker } = await assigned('refused@worker.test');
  const { context, page } = await phone(worker, { language: 'en', width: 360 });
  try {
    await (await plant(page, email, en)).click();
    await page.getByText(en('worker:assignment.nowPlanted')).waitFor();
    await addPhotos(page, email, [
      { name: 'list.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a photo') },
    ]);
    await page.getByText('This file is not a JPEG, PNG, GIF, WebP or AVIF photo.').waitFor();
    await expectFinished(page, 'a refused photo');
    await page.getByRole('button', { name: en('worker:photos.remove') }).click();
    await page.getByText(en('worker:photos.refused')).waitFor({ state: 'hidden' });
  } finally {
    await context.close();
  }
});

test('a browser without storage says so and sends at once; new work shows up by itself', async () => {
  const { email, worker } = await assigned('no-storage@worker.test');
  const { context, page } = await phone(worker, { language: 'es', width: 1280 });
  try {
    await context.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }));
    await page.reload();
    await page.getByText(es('worker:storage.disabled')).waitFor();
    const save = await plant(page, email);
    await expectFinished(page, 'planting form');
    await save.click();
    await waitFor('the step', async () => (await assignmentOf(worker, email))?.status === 'planted');
    const next = await orderFor(setup, worker, 'next@worker.test');
    await page.getByText(next.email).waitFor();
  } finally {
    await context.close();
  }
});

test('the service worker has no say outside the portal, and its page opens at both of its addresses', async () => {
  const { context, page } = await phone(await makeWorker(setup));
  try {
    await untilInstalled(page);
    expect(await page.locator('link[rel=manifest]').getAttribute('href')).toBe('/worker.webmanifest');
    await page.goto(`${setup.product.url}/plant-trees`);
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
    await context.setOffline(true);
    const outside = await context.newPage();
    await expect(outside.goto(`${setup.product.url}/`)).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/);
    await outside.close();
    await page.goto(`${setup.product.url}/worker-portal.html`);
    await page.getByText(es('worker:offline.title')).waitFor();
  } finally {
    await context.close();
  }
  const stranger = await openVisit(setup.browser, { language: 'es', width: 360 });
  await stranger.page.goto(setup.product.url);
  await stranger.page.getByRole('heading', { level: 1 }).waitFor();
  expect(
    await stranger.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
  ).toBe(0);
  await stranger.context.close();
});

test('the camera’s button asks for one photo of the camera, which is kept and sent; one in HEIC is sent back in words', async () => {
  const { email, worker } = await assigned('camera@worker.test');
  const { context, page } = await phone(worker);
  try {
    await (await plant(page, email)).click();
    const card = await cardOf(page, email);
    const camera = card.locator('input[type=file][capture=environment]');
    expect(await camera.getAttribute('accept')).toBe('image/*,.heic,.heif');
    expect(await camera.evaluate((input: HTMLInputElement) => input.multiple)).toBe(false);
    const asked = page.waitForEvent('filechooser');
    await card.getByRole('button', { name: es('worker:photos.take') }).click();
    const chooser = await asked;
    expect(chooser.isMultiple()).toBe(false);
    await chooser.setFiles(await jpeg('ph-hands.jpg'));
    await arrivedPhotos(worker, email, 1);

    const again = page.waitForEvent('filechooser');
    await card.getByRole('button', { name: es('worker:photos.takeAnother') }).click();
    await (await again).setFiles({ name: 'IMG_2.HEIC', mimeType: 'image/heic', buffer: heicPhoto() });
    await page.getByText(/formato \(HEIC\) que no podemos leer/).waitFor();
    await expectFinished(page, 'a photo in HEIC');
    expect((await assignmentOf(worker, email))!.photos).toHaveLength(1);
  } finally {
    await context.close();
  }
});

test('a new version is offered quietly, and taken when the worker says so', async () => {
  const front = await openFront(setup.product.url);
  const { context, page } = await phone(await makeWorker(setup), undefined, { url: front.url });
  try {
    await untilInstalled(page);
    await page.reload();
    await waitFor('the portal to be the worker’s', () =>
      page.evaluate(() => navigator.serviceWorker.controller !== null),
    );
    const offer = page.getByRole('status').filter({ hasText: es('worker:update.ready') });
    expect(await offer.count()).toBe(0);
    front.add('/sw.js', '\n// another version');
    await page.reload();
    await offer.waitFor();
    await expectFinished(page, 'a new version');
    // It waits for as long as the worker likes.
    const waiting = () =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state);
    expect(await waiting()).toBe('installed');
    const reloaded = page.waitForEvent('load');
    await page.getByRole('button', { name: es('worker:update.apply') }).click();
    await reloaded;
    await page.getByText(es('worker:tiles.planted')).waitFor();
    expect(await offer.count()).toBe(0);
    expect(await waiting()).toBeUndefined();
  } finally {
    await context.close();
    await front.close();
  }
});

describe('without signal', () => {
  test('a day’s work survives the closed tab and arrives once, in order, whatever windows are open', async () => {
    const { email, worker } = await assigned('no-signal@worker.test');
    const { context, page, faults, sent } = await phone(worker);
    try {
      await untilInstalled(page);
      await (await cardOf(page, email)).waitFor();
      await context.setOffline(true);
      await (await plant(page, email)).click();
      const waiting = es('worker:step.waiting', { status: es('status.planted') });
      await page.getByText(waiting).waitFor();
      await addPhotos(page, email, [
        await photo('ph-planting.jpg', new Date(Date.now() - 60_000)),
        await jpeg('ph-sapling.jpg'),
      ]);
      const forSignal = (on: Page) => on.getByText(es('worker:photos.waitsFor.signal'), { exact: true });
      await forSignal(page).nth(1).waitFor();
      await expectFinished(page, 'worker portal without signal');
      await page.close();

      const later = await reopened(context);
      await later.getByText(es('worker:offline.title')).waitFor();
      await later.getByText(waiting).waitFor();
      await cardOf(later, email);
      await forSignal(later).nth(1).waitFor();
      expect(await forSignal(later).count()).toBe(2);
      const second = await reopened(context);
      await second.getByText(waiting).waitFor();
      expect(sent).toHaveLength(0);

      await context.setOffline(false);
      await arrivedPhotos(worker, email, 2);
      await later.getByText(es('worker:offline.title')).waitFor({ state: 'hidden' });
      await cardOf(later, email);
      await waitFor(
        'thumbnails in the place of the queue',
        async () =>
          (await later
            .getByRole('article')
            .filter({ hasText: email })
            .locator('img[src*="/api/photos/"]')
            .count()) === 2 && (await forSignal(later).count()) === 0,
      );
      const order = await assignmentOf(worker, email);
      expect(order).toMatchObject({ status: 'planted', coordinates: PLACE });
      expect(order!.photos).toHaveLength(2);
      expect(sent.map((request) => request.method())).toEqual(['PUT', 'POST', 'POST']);
      expect(faults).toEqual([]);
    } finally {
      await context.close();
    }
  });

  test('photos of an order that was given to somebody else meanwhile reach an admin, and not the donor', async () => {
    const worker = await makeWorker(setup);
    const { email, orderId } = await orderFor(setup, worker, 'given-away@worker.test');
    const other = await makeWorker(setup, 'Marleny Ospina');
    const { context, page } = await phone(worker);
    try {
      await (await cardOf(page, email)).waitFor();
      await context.setOffline(true);
      await (await plant(page, email)).click();
      await addPhotos(page, email, [await jpeg('ph-leaf.jpg')]);
      await page.getByText(es('worker:photos.waitsFor.signal'), { exact: true }).waitFor();
      await setup.driver.give(await setup.admin(), orderId, other.email, other.token);

      await context.setOffline(false);
      await page.getByText(es('worker:photos.handedOver')).waitFor();
      await expectFinished(page, 'photos that were handed over');
      const query = { flag: 'after-reassignment', hidden: 'true' } as const;
      const token = await setup.admin();
      const ready = await waitFor('the photo in the admin’s list', async () => {
        const { photos } = await setup.driver.call('GET /api/admin/photos', { token, query });
        return photos.find((one) => one.orderId === orderId && one.isReady);
      });
      const shown = await fetch(new URL(`/api/photos/${ready.filename}?w=320`, setup.product.url));
      expect(shown.status).toBe(404);
    } finally {
      await context.close();
    }
  });

  test('an upload whose answer is lost is sent again and is there once', async () => {
    const { email, worker } = await assigned('lost-answer@worker.test');
    const { context, page, sent } = await phone(worker, { language: 'en', width: 360 });
    try {
      // Otherwise the browser may send it again from its own background, where a test does not see it.
      await page.evaluate(() => Reflect.deleteProperty(ServiceWorkerRegistration.prototype, 'sync'));
      await (await plant(page, email, en)).click();
      await page.getByText(en('worker:assignment.nowPlanted')).waitFor();
      const arrived = new Promise<void>((resolve) => {
        void page.route(
          '**/photos',
          async (route) => {
            await route.fetch();
            await route.abort();
            resolve();
          },
          { times: 1 },
        );
      });
      await addPhotos(page, email, [await jpeg('ph-leaf.jpg')]);
      await arrived;
      await page.getByText(en('worker:photos.failed')).waitFor();
      await expectFinished(page, 'a photo that failed');
      const card = page.getByRole('article').filter({ hasText: email });
      await card.locator('img[src*="/api/photos/"]').waitFor();
      // The photo shows as soon as the server has it; the phone asks until it has heard so.
      const posts = await waitFor('a second try', async () => {
        const tries = sent.filter((request) => request.method() === 'POST');
        return tries.length > 1 && tries;
      });
      expect(posts).toHaveLength(2);
      expect(await (await posts[1]!.response())!.json()).toMatchObject({ photos: [{ duplicate: true }] });
      expect((await assignmentOf(worker, email))!.photos).toHaveLength(1);
      await card.getByText(en('worker:photos.queue')).waitFor({ state: 'hidden' });
    } finally {
      await context.close();
    }
  });

  test('who logs out is warned, and the next worker on the phone sees and sends none of it', async () => {
    const { email, worker } = await assigned('two-workers@worker.test');
    const other = await makeWorker(setup, 'Marleny Ospina');
    const { context, page, sent } = await phone(worker);
    try {
      await untilInstalled(page);
      const save = await plant(page, email);
      await context.setOffline(true);
      await save.click();
      await page.getByText(es('worker:step.waiting', { status: es('status.planted') })).waitFor();
      await page.getByRole('button', { name: es('portal:logOut') }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(es('worker:leave.title', { count: 1 })).waitFor();
      await expectFinished(page, 'log-out with something unsent');
      await dialog.getByRole('button', { name: es('worker:leave.confirm') }).click();
      await page.getByLabel(es('portal:logIn.workerId')).waitFor();
      await context.setOffline(false);
      await logIn(page, es, 'workerId', other.code, other.password);
      await page.getByRole('heading', { level: 1, name: other.name.split(' ')[0]! }).waitFor();
      await page.getByText(es('worker:tiles.planted')).waitFor();
      expect(await page.getByText(email).count()).toBe(0);
      expect(await page.getByText(es('worker:step.waiting', { status: es('status.planted') })).count()).toBe(
        0,
      );
      expect(sent).toHaveLength(0);

      await page.getByRole('button', { name: es('portal:logOut') }).click();
      await logIn(page, es, 'workerId', worker.code, worker.password);
      await waitFor(
        'the step of the first',
        async () => (await assignmentOf(worker, email))?.status === 'planted',
      );
      expect(sent).toHaveLength(1);
    } finally {
      await context.close();
    }
  });

  test('what waits is sent by the browser itself when signal comes back, with no window of the portal open', async () => {
    const { email, worker } = await assigned('background-sync@worker.test');
    const { context, page } = await phone(worker);
    try {
      await untilInstalled(page);
      const elsewhere = await context.newPage();
      await elsewhere.goto(`${setup.product.url}/worker-portal`);
      const devtools = await context.newCDPSession(elsewhere);
      const registration = new Promise<string>((resolve) =>
        devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
          const found = registrations.find(({ scopeURL }) => scopeURL.endsWith('/worker-portal'));
          if (found) resolve(found.registrationId);
        }),
      );
      await devtools.send('ServiceWorker.enable');
      const registrationId = await registration;
      await elsewhere.goto('about:blank');

      const save = await plant(page, email);
      await context.setOffline(true);
      await save.click();
      await page.getByText(es('worker:step.waiting', { status: es('status.planted') })).waitFor();
      await addPhotos(page, email, [await jpeg('ph-sapling.jpg')]);
      await page.getByText(es('worker:photos.waitsFor.signal'), { exact: true }).waitFor();
      await page.close();
      await context.setOffline(false);
      // A browser does this by itself sooner or later.
      const origin = setup.product.url;
      await devtools.send('ServiceWorker.dispatchSyncEvent', {
        origin,
        registrationId,
        tag: 'arboleda-outbox',
        lastChance: false,
      });
      await arrivedPhotos(worker, email, 1);
      expect((await assignmentOf(worker, email))!.status).toBe('planted');
      const later = await reopened(context);
      // News of it may make the card a row while it is looked at.
      await waitFor('its thumbnail', async () =>
        (await cardOf(later, email)).locator('img[src*="/api/photos/"]').isVisible(),
      );
      expect((await assignmentOf(worker, email))!.photos).toHaveLength(1);
    } finally {
      await context.close();
    }
  });

  test('on a phone without room it says so, keeps everything in the page, and sends it all', async () => {
    const { email, worker } = await assigned('no-room@worker.test');
    const { context, page, faults } = await phone(worker, undefined, {
      prepare: async (blank) => {
        const devtools = await blank.context().newCDPSession(blank);
        await devtools.send('Storage.overrideQuotaForOrigin', { origin: setup.product.url, quotaSize: 1 });
      },
    });
    try {
      const save = await plant(page, email);
      await context.setOffline(true);
      await save.click();
      await page.getByText(es('worker:step.waiting', { status: es('status.planted') })).waitFor();
      await addPhotos(page, email, [await jpeg('ph-sapling.jpg'), await jpeg('ph-leaf.jpg')]);
      await page.getByText(es('worker:storage.full')).waitFor();
      await page.getByText(es('worker:photos.waitsFor.signal'), { exact: true }).nth(1).waitFor();
      await expectFinished(page, 'a phone without room');
      await context.setOffline(false);
      await arrivedPhotos(worker, email, 2);
      await page.getByText(es('worker:storage.full')).waitFor({ state: 'hidden' });
      expect(faults).toEqual([]);
    } finally {
      await context.close();
    }
  });
});
