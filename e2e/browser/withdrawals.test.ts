import { expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Say, textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { atDashboard } from './admin.ts';
import { expectFinished } from './finished.ts';
import { dialogOf, useOrders, VISITORS } from './orders.ts';
import { useSetup } from './setup.ts';
import { visit } from './visiting.ts';

jest.setTimeout(180_000);

const setup = useSetup();
const { driver } = setup;
const { admin, assigned, orderOf } = useOrders(setup, 'carolina@withdrawals.test');

/** Withdraws on the order's page, by private link and email address. */
async function withdraw(page: Page, say: Say, token: string, email: string): Promise<void> {
  await page.goto(`${setup.product.url}/orders/${token}`);
  await page.getByRole('button', { name: say('withdrawal:open') }).click();
  const dialog = page.getByRole('dialog', { name: say('withdrawal:withdraw.title') });
  await dialog.getByLabel(say('order:receipt.email')).fill(email);
  await expectFinished(page, 'the question before a withdrawal');
  await dialog.getByRole('button', { name: say('withdrawal:withdraw.submit') }).click();
  await page.getByRole('button', { name: say('withdrawal:keep.open') }).waitFor();
  await page.getByRole('heading', { level: 1, name: say('order:headline.withdrawing') }).waitFor();
  await expectFinished(page, 'the page of an order whose donor withdraws');
}

test.each(VISITORS)(
  'a donor withdraws by private link, an admin refunds it from the overview, and the page says so: $language',
  async (visitor) => {
    const say = textsOf(visitor.language);
    const email = `withdrawing-${visitor.language}@orders.test`;
    const { orderId, orderToken } = await assigned(email, 5);
    await visit(setup, (page) => withdraw(page, say, orderToken, email), visitor);
    expect((await orderOf(orderId)).status).toBe('pending');
    await waitFor('the email about it', async () => (await setup.inbox.all(email)).length >= 2);

    await atDashboard(setup, { ...admin(), ...visitor }, 'overview', async (page) => {
      await page.getByRole('link', { name: say('panels:overview.withdrawals') }).click();
      await page.getByText(say('admin:orders.withdrawing')).first().waitFor();
      await expectFinished(page, 'the list of withdrawals');
      await page.goto(`${setup.product.url}/admin-dashboard?view=orders&order=${orderId}`);
      const order = dialogOf(page);
      await order.getByRole('button', { name: /USD.*20[.,]00$/ }).click();
      const refund = page.getByRole('dialog').last();
      await expectFinished(page, 'the refund of a withdrawal');
      await refund.getByRole('button', { name: /USD.*20[.,]00$/ }).click();
      await waitFor('the answer', async () => (await orderOf(orderId)).withdrawal?.answeredAt !== undefined);
    });

    await visit(
      setup,
      async (page) => {
        await page.goto(`${setup.product.url}/orders/${orderToken}`);
        await page.getByRole('heading', { level: 1, name: say('order:headline.withdrawn') }).waitFor();
        expect(await page.getByRole('button', { name: say('withdrawal:open') }).count()).toBe(0);
      },
      visitor,
    );
  },
);

test('a donor who keeps the order after all gets a worker again', async () => {
  const say = textsOf('en');
  const email = 'keeping@orders.test';
  const { orderId, orderToken } = await assigned(email, 5);
  await visit(setup, async (page) => {
    await withdraw(page, say, orderToken, email);
    await page.getByRole('button', { name: say('withdrawal:keep.open') }).click();
    const dialog = page.getByRole('dialog', { name: say('withdrawal:keep.title') });
    await dialog.getByLabel(say('order:receipt.email')).fill(email);
    await dialog.getByRole('button', { name: say('withdrawal:keep.submit') }).click();
    await page.getByRole('button', { name: say('withdrawal:open') }).waitFor();
  });
  await waitFor('a worker', async () => (await orderOf(orderId)).status === 'assigned');
  expect(await driver.worker(await setup.admin(), orderId)).toBeDefined();
});
