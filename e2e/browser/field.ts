import { openClient } from '@arboleda/contracts/client.ts';
import { DEMO_WORKERS } from '@arboleda/local/demo/accounts.ts';
import { PHOTOS } from '@arboleda/local/demo/photos.ts';
import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { openVisit, type Visitor } from '../harness/browser.ts';
import { openBuyer } from '../harness/buyer.ts';
import { type Say, textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { type ChosenFile, logIn } from './people.ts';
import type { Stage } from './stage.ts';

export type Worker = (typeof DEMO_WORKERS)[number];

export const PLACE = { latitude: 4.637214, longitude: -75.487031 };
const PHONE: Visitor = { language: 'es', width: 360 };
const es = textsOf('es');

interface PhoneOptions {
  url?: string;
  /** What is different about it, before the portal is opened. */
  prepare?: (page: Page) => Promise<unknown>;
}

/** Orders that workers have, and the phones on which they work. */
export function openField(stage: () => Stage) {
  const api = () => openClient(stage().product.url);
  const tokens = new Map<string, string>();

  async function tokenOf({ email }: Worker): Promise<string> {
    const body = { email, password: stage().product.demoPassword };
    const token = tokens.get(email) ?? (await api()('POST /api/auth/worker/login', { body })).token;
    tokens.set(email, token);
    return token;
  }

  const assignmentOf = async (worker: Worker, email: string) => {
    const { assignments } = await api()('GET /api/workers/assignments', { token: await tokenOf(worker) });
    return assignments.find(({ customerEmail }) => customerEmail === email);
  };

  return {
    assignmentOf,

    /** An order that somebody bought, and the worker whom it went to. */
    async assigned(email: string): Promise<{ email: string; worker: Worker }> {
      await openBuyer(stage().product).buy(email);
      const worker = await waitFor(`a worker for ${email}`, async () => {
        for (const one of DEMO_WORKERS) if (await assignmentOf(one, email)) return one;
        return undefined;
      });
      return { email, worker };
    },

    /** A phone with GPS on which the portal was opened once. */
    async phone(
      worker: Worker,
      visitor: Visitor = PHONE,
      { url = stage().product.url, prepare }: PhoneOptions = {},
    ) {
      const say = textsOf(visitor.language);
      const { context, page, faults } = await openVisit(stage().browser, visitor);
      await context.grantPermissions(['geolocation']);
      await context.setGeolocation({ ...PLACE, accuracy: 8 });
      await prepare?.(page);
      const sent: Request[] = [];
      context.on('request', (request) => {
        if (request.url().includes('/api/workers/') && request.method() !== 'GET') sent.push(request);
      });
      await page.goto(`${url}/worker-portal`);
      await logIn(page, say, 'workerId', worker.worker!.code, stage().product.demoPassword);
      await page.getByRole('heading', { level: 1, name: worker.name.split(' ')[0]! }).waitFor();
      return { context, page, faults, sent };
    },

    arrivedPhotos: (worker: Worker, email: string, count: number) =>
      waitFor(`${count} photos of ${email}`, async () => {
        const photos = (await assignmentOf(worker, email))?.photos ?? [];
        return photos.length >= count && photos;
      }),

    async reopened(context: BrowserContext): Promise<Page> {
      const page = await context.newPage();
      await page.goto(`${stage().product.url}/worker-portal`);
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
  await card.getByText(say('worker:plant.found', { metres: 8 })).waitFor();
  return card.getByRole('button', { name: say('worker:plant.save') });
}

export const jpeg = async (name: string): Promise<ChosenFile> => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await readFile(new URL(name, PHOTOS)),
});

export const addPhotos = (page: Page, email: string, files: readonly ChosenFile[]) =>
  page
    .getByRole('article')
    .filter({ hasText: email })
    .locator('input[type=file][multiple]')
    .setInputFiles([...files]);
