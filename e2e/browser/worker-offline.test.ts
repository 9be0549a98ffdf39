import { describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PLACE } from '@arboleda/cli/demo/photos.ts';
import { photo } from '../driver/pictures.ts';
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
      // The photo shows as soon as the server has it; the phone asks until it knows.
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
      await expectFinished(page, 'logout with something unsent');
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
