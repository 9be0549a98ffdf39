import { openClient } from '@arboleda/contracts/client.ts';
import { DEMO_WORKERS } from '@arboleda/local/demo/accounts.ts';
import { fieldPhoto, PHOTOS } from '@arboleda/local/demo/photos.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { openVisit, type Visitor } from '../harness/browser.ts';
import { openBuyer } from '../harness/buyer.ts';
import { textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { expectFinished } from './finished.ts';
import { logIn } from './people.ts';
import { openStage, type Stage } from './stage.ts';

jest.setTimeout(120_000);

const PLACE = { latitude: 4.637214, longitude: -75.487031 };
const es = textsOf('es');
const en = textsOf('en');
const PHONE: Visitor = { language: 'es', width: 360 };

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

type Worker = (typeof DEMO_WORKERS)[number];
const api = () => openClient(stage.product.url);

const tokens = new Map<string, string>();
async function tokenOf({ email }: Worker): Promise<string> {
  const body = { email, password: stage.product.demoPassword };
  const token = tokens.get(email) ?? (await api()('POST /api/auth/worker/login', { body })).token;
  tokens.set(email, token);
  return token;
}

const assignmentOf = async (worker: Worker, email: string) => {
  const { assignments } = await api()('GET /api/workers/assignments', { token: await tokenOf(worker) });
  return assignments.find(({ customerEmail }) => customerEmail === email);
};

/** An order that somebody bought, and the worker whom it went to. */
async function assigned(email: string): Promise<{ email: string; worker: Worker }> {
  await openBuyer(stage.product).buy(email);
  const worker = await waitFor(`a worker for ${email}`, async () => {
    for (const one of DEMO_WORKERS) if (await assignmentOf(one, email)) return one;
    return undefined;
  });
  return { email, worker };
}

/** A phone with GPS on which the portal was opened once. */
async function phone(worker: Worker, visitor: Visitor = PHONE) {
  const say = textsOf(visitor.language);
  const { context, page, faults } = await openVisit(stage.browser, visitor);
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ ...PLACE, accuracy: 8 });
  const sent: Request[] = [];
  context.on('request', (request) => {
    if (request.url().includes('/api/workers/') && request.method() !== 'GET') sent.push(request);
  });
  await page.goto(`${stage.product.url}/worker-portal`);
  await logIn(page, say, 'workerId', worker.worker!.code, stage.product.demoPassword);
  await page.getByRole('heading', { level: 1, name: worker.name.split(' ')[0]! }).waitFor();
  return { context, page, faults, sent };
}

const untilInstalled = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });

/** The order's card, opened if it is a row. */
async function cardOf(page: Page, email: string) {
  const card = page.getByRole('article').filter({ hasText: email });
  await card.waitFor();
  const closed = card.locator('details:not([open]) > summary').filter({ has: page.locator('h3') });
  if (await closed.isVisible()) await closed.click();
  return card;
}

async function plant(page: Page, email: string, say = es) {
  const card = await cardOf(page, email);
  await card.getByRole('button', { name: say('worker:assignment.markPlanted') }).click();
  await card.getByText(say('worker:plant.found', { metres: 8 })).waitFor();
  return card.getByRole('button', { name: say('worker:plant.save') });
}

const jpeg = async (name: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await readFile(new URL(name, PHOTOS)),
});

const addPhotos = (
  page: Page,
  email: string,
  files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0],
) =>
  page
    .getByRole('article')
    .filter({ hasText: email })
    .locator('input[type=file][multiple]')
    .setInputFiles(files);

const arrivedPhotos = (worker: Worker, email: string, count: number) =>
  waitFor(`${count} photos of ${email}`, async () => {
    const photos = (await assignmentOf(worker, email))?.photos ?? [];
    return photos.length >= count && photos;
  });

const reopened = async (context: BrowserContext) => {
  const page = await context.newPage();
  await page.goto(`${stage.product.url}/worker-portal`);
  return page;
};

describe('without signal', () => {
  test('a day’s work survives the closed tab and arrives once, in order, whatever windows are open', async () => {
    const { email, worker } = await assigned('no-signal@mail.test');
    const { context, page, faults, sent } = await phone(worker);
    try {
      await untilInstalled(page);
      await (await cardOf(page, email)).waitFor();
      await context.setOffline(true);
      await (await plant(page, email)).click();
      const waiting = es('worker:step.waiting', { status: es('status.planted') });
      await page.getByText(waiting).waitFor();
      const exif = await fieldPhoto('ph-planting.jpg', PLACE, new Date(Date.now() - 60_000));
      await addPhotos(page, email, [
        { name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await exif.arrayBuffer()) },
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

  test('an upload whose answer is lost is sent again and is there once', async () => {
    const { email, worker } = await assigned('lost-answer@mail.test');
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
      expect(await card.getByText(en('worker:photos.queue')).count()).toBe(0);
    } finally {
      await context.close();
    }
  });

  test('who logs out is warned, and the next worker on the phone sees and sends none of it', async () => {
    const { email, worker } = await assigned('two-workers@mail.test');
    const other = DEMO_WORKERS.find((one) => one !== worker)!;
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
      await logIn(page, es, 'workerId', other.worker!.code, stage.product.demoPassword);
      await page.getByRole('heading', { level: 1, name: other.name.split(' ')[0]! }).waitFor();
      await page.getByText(es('worker:tiles.planted')).waitFor();
      expect(await page.getByText(email).count()).toBe(0);
      expect(await page.getByText(es('worker:step.waiting', { status: es('status.planted') })).count()).toBe(
        0,
      );
      expect(sent).toHaveLength(0);

      await page.getByRole('button', { name: es('portal:logOut') }).click();
      await logIn(page, es, 'workerId', worker.worker!.code, stage.product.demoPassword);
      await waitFor(
        'the step of the first',
        async () => (await assignmentOf(worker, email))?.status === 'planted',
      );
      expect(sent).toHaveLength(1);
    } finally {
      await context.close();
    }
  });
});

test('a file that is no photo is refused with its reason and can be put away', async () => {
  const { email, worker } = await assigned('refused@mail.test');
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

test('a browser that keeps nothing says so and sends right away; new work shows up by itself', async () => {
  const { email, worker } = await assigned('no-storage@mail.test');
  const { context, page } = await phone(worker, { language: 'es', width: 1280 });
  try {
    await context.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }));
    await page.reload();
    await page.getByText(es('worker:storage.disabled')).waitFor();
    const save = await plant(page, email);
    await expectFinished(page, 'planting form');
    await save.click();
    await waitFor('the step', async () => (await assignmentOf(worker, email))?.status === 'planted');
    for (let at = 0; ; at++) {
      const next = await assigned(`live-${at}@mail.test`);
      if (next.worker !== worker && at < 2 * DEMO_WORKERS.length) continue;
      await page.getByText(next.email).waitFor();
      break;
    }
  } finally {
    await context.close();
  }
});

test('the service worker has no say outside the portal, and its page opens at both of its addresses', async () => {
  const { context, page } = await phone(DEMO_WORKERS[0]!);
  try {
    await untilInstalled(page);
    expect(await page.locator('link[rel=manifest]').getAttribute('href')).toBe('/worker.webmanifest');
    await page.goto(`${stage.product.url}/plant-trees`);
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
    await context.setOffline(true);
    const outside = await context.newPage();
    await expect(outside.goto(`${stage.product.url}/`)).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/);
    await outside.close();
    await page.goto(`${stage.product.url}/worker-portal.html`);
    await page.getByText(es('worker:offline.title')).waitFor();
  } finally {
    await context.close();
  }
  const stranger = await openVisit(stage.browser, PHONE);
  await stranger.page.goto(stage.product.url);
  await stranger.page.getByRole('heading', { level: 1 }).waitFor();
  expect(
    await stranger.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
  ).toBe(0);
  await stranger.context.close();
});
