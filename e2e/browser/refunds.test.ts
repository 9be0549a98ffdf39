import { shortId } from '@arboleda/contracts/order.ts';
import { expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { atDashboard } from './admin.ts';
import { expectFinished } from './finished.ts';
import { dialogOf, en1280, useOrders } from './orders.ts';
import { useSetup } from './setup.ts';
import { visit as visitOf } from './visiting.ts';

jest.setTimeout(120_000);

const setup = useSetup();
const { driver } = setup;
const { admin, assigned, at, paymentOf, visit } = useOrders(setup, 'carolina@refunds.test');

test('a double click refunds once, what the button says', async () => {
  const { orderId } = await assigned('refund@orders.test', 10);
  await visit(en1280, async (page, say) => {
    await page.goto(at(`?order=${orderId}`));
    await dialogOf(page)
      .getByRole('button', { name: say('admin:refund.open') })
      .click();
    const refund = page.getByRole('dialog', { name: say('admin:refund.title', { id: shortId(orderId) }) });
    await refund.getByLabel(say('admin:refund.part')).check();
    await refund.getByLabel(say('admin:refund.amount', { currency: 'USD' })).fill('12.50');
    await refund.getByLabel(say('admin:refund.reason')).fill('Two and a half trees less.');
    await expectFinished(page, 'the refund');
    await refund.getByRole('button', { name: /USD\s12\.50$/ }).dblclick();
    await refund.waitFor({ state: 'hidden' });
    await dialogOf(page).getByText('Two and a half trees less.').first().waitFor();
    const { refunds } = await paymentOf(orderId);
    expect(refunds.map((one) => one.amount)).toEqual([1250]);
  });
});

const en = textsOf('en');

/** The payment of somebody, opened from its row, and the dialog in which money is given back. */
async function openRefund(page: Page, email: string, orderId: string) {
  await page.getByRole('row').filter({ hasText: email }).getByRole('button').click();
  const payment = page.getByRole('dialog', { name: en('panels:payments.one', { id: shortId(orderId) }) });
  await payment.getByRole('button', { name: en('panels:payments.refund') }).click();
  const refund = page.getByRole('dialog', { name: en('admin:refund.title', { id: shortId(orderId) }) });
  await refund.waitFor();
  return { payment, refund };
}

/** Expects a sentence on the donor's order page. */
const donorReads = (orderToken: string, sentence: RegExp) =>
  visitOf(
    setup,
    async (page) => {
      await page.goto(`${setup.product.url}/orders/${orderToken}`);
      await page.getByText(sentence).waitFor();
      await expectFinished(page, 'order page after a refund');
    },
    { width: 360 },
  );

test('all of a payment is given back from its row once, and the donor reads it and hears of it', async () => {
  const email = 'whole@refunds.test';
  const { orderId, orderToken } = await driver.buy(email);
  await atDashboard(setup, { ...admin(), ...en1280 }, 'payments', async (page) => {
    const { payment, refund } = await openRefund(page, email, orderId);
    await refund.getByLabel(en('admin:refund.reason')).fill('Ordered twice.');
    await expectFinished(page, 'a refund from the payments');
    await refund.getByRole('button', { name: /USD\s20\.00$/ }).dblclick();
    await refund.waitFor({ state: 'hidden' });
    await page.getByText(/USD\s20\.00 refunded/).waitFor();
    await payment.getByText('Ordered twice.').waitFor();
    await payment.getByText(en('panels:payments.refundedWhole'), { exact: true }).waitFor();
    expect(await payment.getByRole('button', { name: en('panels:payments.refund') }).count()).toBe(0);
    await expectFinished(page, 'a payment refunded');
  });
  expect((await paymentOf(orderId)).refunds.map(({ amount }) => amount)).toEqual([2000]);
  await donorReads(orderToken, /We refunded USD\s20\.00/);
  await waitFor('a mail about it', async () =>
    (await setup.inbox.all(email)).some(({ text }) => /USD\s20\.00/.test(text) && /back/.test(text)),
  );
});

test('more than what was paid is refused and nothing goes back; a part does, and the donor reads how much', async () => {
  const email = 'part@refunds.test';
  const { orderId, orderToken } = await driver.buy(email);
  await atDashboard(setup, { ...admin(), ...en1280 }, 'payments', async (page) => {
    const { payment, refund } = await openRefund(page, email, orderId);
    await refund.getByLabel(en('admin:refund.part')).check();
    const amount = refund.getByLabel(en('admin:refund.amount', { currency: 'USD' }));
    await amount.fill('20.01');
    await refund.getByLabel(en('admin:refund.reason')).fill('One tree less.');
    await refund.getByRole('button', { name: /USD\s20\.01$/ }).click();
    await refund.getByText(/That is more than what is left: USD\s20\.00/).waitFor();
    expect((await paymentOf(orderId)).refunds).toEqual([]);
    await expectFinished(page, 'a refund that is too much');

    await amount.fill('4');
    await refund.getByRole('button', { name: /USD\s4\.00$/ }).click();
    await refund.waitFor({ state: 'hidden' });
    await payment.getByText('One tree less.').waitFor();

    await donorReads(orderToken, /We refunded USD\s4\.00 of what you paid/);

    // Another admin gives back the rest while this window still offers it.
    await payment.getByRole('button', { name: en('panels:payments.refund') }).click();
    await refund.getByLabel(en('admin:refund.reason')).fill('All of it after all.');
    await driver.refund(await setup.admin(), (await paymentOf(orderId)).paymentId, 'The donor asked for it.');
    await refund.getByRole('button', { name: /USD\s16\.00$/ }).click();
    await refund
      .getByRole('alert')
      .filter({ hasText: /nothing left to refund/ })
      .waitFor();
    expect(await refund.getByLabel(en('admin:refund.reason')).inputValue()).toBe('All of it after all.');
  });
  expect((await paymentOf(orderId)).refunds.map(({ amount }) => amount).sort()).toEqual([1600, 400]);
  await donorReads(orderToken, /We refunded USD\s20\.00/);
});
