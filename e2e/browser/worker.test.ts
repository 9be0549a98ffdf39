import { expect, jest, test } from '@jest/globals';
import { openFront } from '../harness/front.ts';
import { openVisit } from '../harness/browser.ts';
import { heicPhoto } from '../../services/media/test/heic.ts';
import { textsOf } from '../harness/texts.ts';
import { soon, waitFor } from '../harness/wait.ts';
import { addPhotos, cardOf, jpeg, openField, plant, untilInstalled } from './field.ts';
import { expectFinished } from './finished.ts';
import { makeWorker, orderFor, useSetup } from './setup.ts';

jest.setTimeout(120_000);

const es = textsOf('es');
const en = textsOf('en');

const setup = useSetup();
const { assigned, assignmentOf, arrivedPhotos, phone } = openField(setup);

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
    await soon(async () =>
      expect(await page.locator('link[rel=manifest]').getAttribute('href')).toBe('/worker.webmanifest'),
    );
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

test('the task in progress stays on top over a reload; a step can be undone, and leaving the page sends it', async () => {
  const worker = await makeWorker(setup);
  await orderFor(setup, worker, 'waits@worker.test');
  const { email } = await orderFor(setup, worker, 'in-progress@worker.test');
  const { context, page, sent } = await phone(worker, { language: 'en', width: 360 });
  const status = async () => (await assignmentOf(worker, email))?.status;
  const current = page.getByRole('region', { name: en('worker:now') }).getByText(email);
  try {
    await (await plant(page, email, en)).click();
    const undo = page.getByRole('button', { name: en('worker:step.takeBack') });
    await undo.waitFor();
    await expectFinished(page, 'a step that can be undone');
    await undo.click();
    await page.getByText(en('worker:step.undone')).waitFor();
    expect(sent).toHaveLength(0);
    await current.waitFor();

    await (await plant(page, email, en)).click();
    await undo.waitFor();
    await page.reload();
    await waitFor('the step after a reload', async () => (await status()) === 'planted');
    await current.waitFor();

    await page.getByRole('button', { name: en('worker:assignment.markCompleted') }).click();
    await page.getByRole('dialog').getByText(en('worker:withoutPhoto.text')).waitFor();
    await expectFinished(page, 'the question before completing without a photo');
    await page.getByRole('button', { name: en('worker:withoutPhoto.confirm') }).click();
    await undo.waitFor();
    await page.goto('about:blank');
    await page.goto(`${setup.product.url}/worker-portal`);
    await waitFor('the step after leaving the page', async () => (await status()) === 'completed');
  } finally {
    await context.close();
  }
});
