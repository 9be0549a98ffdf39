import type { CallParts } from '@arboleda/contracts/client.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { beforeAll, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit, type Visitor } from '../harness/browser.ts';
import { type Say, textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { logIn } from './people.ts';
import { makeAdmin, type Person, type Setup } from './setup.ts';

/** Visitors of the tests that hold in both languages and at both ends of the widths. */
export const VISITORS = [
  { language: 'en', width: 1280 },
  { language: 'es', width: 360 },
] as const;
export const en1280 = VISITORS[0];

/** Orders of a test file, and an admin of its own who works on them in a browser. */
export function useOrders(setup: Setup, email: string) {
  const { driver, product } = setup;
  const me: { admin?: Person } = {};
  beforeAll(async () => {
    me.admin = await makeAdmin(setup, email);
  });
  const orderOf = async (id: string) =>
    (await driver.call('GET /api/admin/orders/{id}', { token: await setup.admin(), params: { id } })).order;
  const at = (search: string) => `${product.url}/admin-dashboard${search}`;
  const enter = (page: Page, say: Say) => logIn(page, say, 'email', me.admin!.email, me.admin!.password);

  return {
    orderOf,
    at,
    enter,
    admin: () => me.admin!,
    paymentOf: async (id: string) => driver.payment(await setup.admin(), id),

    /** Buys an order, and waits until its worker is there, so that no news of that come later. */
    async assigned(donor: string, trees: number): Promise<{ orderId: string; orderToken: string }> {
      const bought = await driver.buy(donor, { trees });
      await driver.worker(await setup.admin(), bought.orderId);
      await waitFor(
        'the worker in the order',
        async () => (await orderOf(bought.orderId)).status === 'assigned',
      );
      return bought;
    },

    /** Another admin, who works without a browser. */
    edit: async (id: string, body: CallParts<'PUT /api/admin/orders/{id}'>['body']) =>
      driver.call('PUT /api/admin/orders/{id}', { token: await setup.admin(), params: { id }, body }),

    /** An admin at the orders. @param search what the address asks for */
    async visit(visitor: Visitor, step: (page: Page, say: Say) => Promise<void>, search = ''): Promise<void> {
      const { context, page, faults } = await openVisit(setup.browser, visitor);
      try {
        await page.goto(at(search));
        const say = textsOf(visitor.language);
        await enter(page, say);
        await page.getByRole('rowheader').first().waitFor();
        await step(page, say);
        expect(faults).toEqual([]);
      } finally {
        await context.close();
      }
    },
  };
}

export const rowOf = (page: Page, id: string) => page.getByRole('row').filter({ hasText: shortId(id) });
/** Short ids in the order of the list, without their flags: an order of another test may gain or lose one. */
export const shown = async (page: Page): Promise<string[]> =>
  (await page.getByRole('rowheader').allInnerTexts()).map((text) => text.split('\n')[0]!);
export const dialogOf = (page: Page) => page.locator('dialog[open]').first();

export async function openTab(page: Page, say: Say, tab: 'history' | 'mails'): Promise<void> {
  await dialogOf(page)
    .getByRole('tab', { name: say(`admin:details.tab.${tab}`) })
    .click();
}
