import type { Locator, Page } from 'playwright-core';
import type { Say } from '../harness/texts.ts';
import type { PersonName } from './people.ts';
import type { FoundOrder, OrderName, ScreenData } from './screen-data.ts';

export interface Screen {
  /** Names its pictures: "admin-order-dialog". */
  name: string;
  /** Somebody who is logged in; a guest when absent. */
  as?: PersonName;
  /** Undefined when this copy has nothing to show there. */
  path: string | ((data: ScreenData) => string | undefined);
  /** Sets up answers of the API before the page loads. */
  given?: (page: Page) => Promise<unknown>;
  /** Never finishes loading. */
  isLoading?: true;
  /** Steps that lead to the screen. */
  prepare?: (page: Page, data: ScreenData, say: Say) => Promise<unknown>;
}

export type Area = readonly Screen[];

/** The page of an order, or a place that needs its id. */
export const ofOrder =
  (name: OrderName, path: (order: FoundOrder) => string | undefined) =>
  ({ orders }: ScreenData): string | undefined =>
    orders[name] && path(orders[name]);

export const orderPage = (name: OrderName) => ofOrder(name, ({ token }) => `/orders/${token}`);

/** The page of an order’s certificate. */
export const certificatePage = (name: OrderName) =>
  ofOrder(name, ({ certificate }) => certificate && `/c/${certificate.code}`);

type Answer = 'failed' | 'never' | object;

/** Lets some calls fail, hang or answer what a test needs. `path`: as in page.route. */
export const answering =
  (answers: Record<string, Answer>) =>
  async (page: Page): Promise<void> => {
    for (const [path, answer] of Object.entries(answers)) {
      await page.route(path, async (route) => {
        if (answer === 'never') return;
        if (answer === 'failed') {
          await route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            body: JSON.stringify({ type: 'unavailable', title: 'Unavailable', status: 503 }),
          });
          return;
        }
        await route.fulfill({ json: answer });
      });
    }
  };

/** Waits for the offer to try again, after three attempts of the app. */
const untilItFailed: NonNullable<Screen['prepare']> = (page, _data, say) =>
  page
    .getByRole('button', { name: say('tryAgain') })
    .first()
    .waitFor();

/** A screen of which some calls fail, once the app has given up and offers to try again. */
export const failing = (...paths: string[]) => ({
  given: answering(Object.fromEntries(paths.map((path) => [path, 'failed']))),
  prepare: untilItFailed,
});

/** A screen that waits for some calls. */
export const loading = (...paths: string[]) => ({
  given: answering(Object.fromEntries(paths.map((path) => [path, 'never']))),
  isLoading: true as const,
});

/** A paid order that nobody has taken yet: it stays so for a moment only, so what the API says is put back to it. */
export const beforeItsWorker = (page: Page): Promise<unknown> =>
  page.route('**/api/track/*', async (route) => {
    const response = await route.fetch();
    const order = (await response.json()) as Record<string, unknown>;
    const { assignedWorker: _worker, assignedDate: _date, ...rest } = order;
    await route.fulfill({ response, json: { ...rest, status: 'pending' } });
  });

/**
 * Satellite pictures were asked for at an earlier visit. In their place stands what was asked of their provider, which is
 * out of reach of tests.
 */
export const withSatellite = async (page: Page): Promise<void> => {
  await page.addInitScript(() => localStorage.setItem('arboleda.satellite', 'yes'));
  await page.route('https://maps.google.com/**', async (route) => {
    const asked = [...new URL(route.request().url()).searchParams].map((pair) => pair.join(' = '));
    const body = `<body style="background: #2f4a37; color: #fff; font: 16px/1.6 sans-serif; padding: 24px">Satellite view<br>${asked.join('<br>')}`;
    await route.fulfill({ contentType: 'text/html', body });
  });
};

type Prepare = NonNullable<Screen['prepare']>;

/** Presses the first button of this name. */
export const press =
  (name: string): Prepare =>
  (page, _data, say) =>
    page
      .getByRole('button', { name: say(name) })
      .first()
      .click();

export const pressInDialog =
  (name: string): Prepare =>
  (page, _data, say) =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: say(name), exact: true })
      .click();

/** Presses a button that opens a dialog. */
export const openDialog =
  (name: string): Prepare =>
  async (page, data, say) => {
    await press(name)(page, data, say);
    await page.getByRole('dialog').waitFor();
  };

/** Shows all of an order's gift, as to its buyer. */
export const asItsBuyer =
  (name: OrderName, further: (gift: Locator, say: Say) => Promise<unknown> = async () => undefined) =>
  async (page: Page, { orders }: ScreenData, say: Say): Promise<void> => {
    const gift = page.getByRole('region', { name: say('order:gift'), exact: true });
    await gift.getByRole('button', { name: say('gift:own.open') }).click();
    await gift.getByLabel(say('gift:own.email')).fill(orders[name]!.customerEmail);
    await gift.getByRole('button', { name: say('gift:own.show') }).click();
    await gift.getByText(say('gift:own.to'), { exact: true }).waitFor();
    await further(gift, say);
  };
