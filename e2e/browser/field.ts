import type { BrowserContext, Page, Request } from 'playwright-core';
import { type NamedPicture, PLACE, receipt } from '@arboleda/cli/demo/photos.ts';
import { openVisit, type Visitor } from '../harness/browser.ts';
import { type Say, textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { logIn } from './people.ts';
import { type FieldWorker, makeWorker, orderFor, type Setup } from './setup.ts';

const PHONE: Visitor = { language: 'es', width: 360 };
const es = textsOf('es');

interface PhoneOptions {
  url?: string;
  /** Changes the page before the portal opens. */
  prepare?: (page: Page) => Promise<unknown>;
}

/** Orders that workers have, and the phones on which they work. */
export function openField(setup: Setup) {
  const assignmentOf = async (worker: FieldWorker, email: string) => {
    const { assignments } = await setup.driver.call('GET /api/workers/assignments', { token: worker.token });
    return assignments.find(({ customerEmail }) => customerEmail === email);
  };

  return {
    assignmentOf,

    /** An order that somebody bought, and a worker of its own. */
    async assigned(email: string): Promise<{ email: string; worker: FieldWorker }> {
      const worker = await makeWorker(setup);
      await orderFor(setup, worker, email);
      return { email, worker };
    },

    /** A phone with GPS on which the portal was opened once. */
    async phone(
      worker: FieldWorker,
      visitor: Visitor = PHONE,
      { url = setup.product.url, prepare }: PhoneOptions = {},
    ) {
      const say = textsOf(visitor.language);
      const { context, page, faults } = await openVisit(setup.browser, visitor);
      await context.grantPermissions(['geolocation']);
      await context.setGeolocation({ ...PLACE, accuracy: 8 });
      await prepare?.(page);
      const sent: Request[] = [];
      context.on('request', (request) => {
        if (request.url().includes('/api/workers/') && request.method() !== 'GET') sent.push(request);
      });
      await page.goto(`${url}/worker-portal`);
      await logIn(page, say, 'workerId', worker.code, worker.password);
      await page.getByRole('heading', { level: 1, name: worker.name.split(' ')[0]! }).waitFor();
      return { context, page, faults, sent };
    },

    arrivedPhotos: (worker: FieldWorker, email: string, count: number) =>
      waitFor(`${count} photos of ${email}`, async () => {
        const photos = (await assignmentOf(worker, email))?.photos ?? [];
        return photos.length >= count && photos;
      }),

    async reopened(context: BrowserContext): Promise<Page> {
      const page = await context.newPage();
      await page.goto(`${setup.product.url}/worker-portal`);
      return page;
    },
  };
}

export const untilInstalled = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });

/** The order's card, opened if it is a row. */
export async function cardOf(page: Page, email: string) {
  const card = page.getByRole('article').filter({ hasText: email });
  await card.waitFor();
  const closed = card.locator('details:not([open]) > summary').filter({ has: page.locator('h3') });
  if (await closed.isVisible()) await closed.click();
  return card;
}

/** The button that saves the planting, with the place found. */
export async function plant(page: Page, email: string, say: Say = es) {
  const card = await cardOf(page, email);
  await card.getByRole('button', { name: say('worker:assignment.markPlanted') }).click();
  await card.getByText(say('worker:plant.found', { distance: '8 m' })).waitFor();
  return card.getByRole('button', { name: say('worker:plant.save') });
}

export const jpeg = (drawing: string): Promise<NamedPicture> => receipt(drawing);

export const addPhotos = (page: Page, email: string, files: readonly NamedPicture[]) =>
  page
    .getByRole('article')
    .filter({ hasText: email })
    .locator('input[type=file][multiple]')
    .setInputFiles([...files]);
