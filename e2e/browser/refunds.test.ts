import { shortId } from '@arboleda/contracts/order.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openBuyer } from '../harness/buyer.ts';
import { textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { atTheDesk, putAdmin } from './admin-desk.ts';
import { type Desk, openDesk } from './desk.ts';
import { expectFinished } from './finished.ts';
import { openStage, type Stage } from './stage.ts';
import { visit } from './visiting.ts';

jest.setTimeout(120_000);

const say = textsOf('en');
const ADMIN = { email: 'carolina@refunds.test', language: 'en', width: 1280 } as const;

let stage: Stage;
let desk: Desk;
beforeAll(async () => {
  stage = await openStage();
  desk = await openDesk(stage.product);
  await putAdmin(stage, ADMIN.email);
});
afterAll(() => stage?.close());

/** The payment of somebody, opened from its row, and the dialog in which money is given back. */
async function openRefund(page: Page, email: string, orderId: string) {
  await page.getByRole('row').filter({ hasText: email }).getByRole('button').click();
  const payment = page.getByRole('dialog', { name: say('desk:payments.one', { id: shortId(orderId) }) });
  await payment.getByRole('button', { name: say('desk:payments.refund') }).click();
  const refund = page.getByRole('dialog', { name: say('admin:refund.title', { id: shortId(orderId) }) });
  await refund.waitFor();
  return { payment, refund };
}

/** What the donor reads on the order's page. */
const donorReads = (orderToken: string, sentence: RegExp) =>
  visit(
    stage,
    async (page) => {
      await page.goto(`${stage.product.url}/orders/${orderToken}`);
      await page.getByText(sentence).waitFor();
      await expectFinished(page, 'order page after a refund');
    },
    { width: 360 },
  );

test('all of a payment is given back from its row once, and the donor reads it and hears of it', async () => {
  const email = 'whole@refunds.test';
  const { orderId, orderToken } = await openBuyer(stage.product).buy(email, 5);
  await atTheDesk(stage, ADMIN, 'payments', async (page) => {
    const { payment, refund } = await openRefund(page, email, orderId);
    await refund.getByLabel(say('admin:refund.reason')).fill('Ordered twice.');
    await expectFinished(page, 'a refund from the payments');
    await refund.getByRole('button', { name: /USD\s20\.00$/ }).dblclick();
    await refund.waitFor({ state: 'hidden' });
    await page.getByText(/USD\s20\.00 given back/).waitFor();
    await payment.getByText('Ordered twice.').waitFor();
    await payment.getByText(say('desk:payments.refundedWhole'), { exact: true }).waitFor();
    expect(await payment.getByRole('button', { name: say('desk:payments.refund') }).count()).toBe(0);
    await expectFinished(page, 'a payment given back');
  });
  expect((await desk.payment(orderId)).refunds.map(({ amount }) => amount)).toEqual([2000]);
  await donorReads(orderToken, /USD\s20\.00.* went back to/);
  await waitFor('a mail about it', async () =>
    (await stage.inbox.all(email)).some(({ text }) => /USD\s20\.00/.test(text) && /back/.test(text)),
  );
});

test('more than what was paid is refused and nothing goes back; a part does, and the donor reads how much', async () => {
  const email = 'part@refunds.test';
  const { orderId, orderToken } = await openBuyer(stage.product).buy(email, 5);
  await atTheDesk(stage, ADMIN, 'payments', async (page) => {
    const { payment, refund } = await openRefund(page, email, orderId);
    await refund.getByLabel(say('admin:refund.part')).check();
    const amount = refund.getByLabel(say('admin:refund.amount', { currency: 'USD' }));
    await amount.fill('20.01');
    await refund.getByLabel(say('admin:refund.reason')).fill('One tree less.');
    await refund.getByRole('button', { name: /USD\s20\.01$/ }).click();
    await refund.getByText(/That is more than what is left: USD\s20\.00/).waitFor();
    expect((await desk.payment(orderId)).refunds).toEqual([]);
    await expectFinished(page, 'a refund that is too much');

    await amount.fill('4');
    await refund.getByRole('button', { name: /USD\s4\.00$/ }).click();
    await refund.waitFor({ state: 'hidden' });
    await payment.getByText('One tree less.').waitFor();

    await donorReads(orderToken, /USD\s4\.00 of what you paid went back to you/);

    // Another admin gives back the rest while this window still offers it.
    await payment.getByRole('button', { name: say('desk:payments.refund') }).click();
    await refund.getByLabel(say('admin:refund.reason')).fill('All of it after all.');
    await desk.refund((await desk.payment(orderId)).paymentId, 'The donor asked for it.');
    await refund.getByRole('button', { name: /USD\s16\.00$/ }).click();
    await refund
      .getByRole('alert')
      .filter({ hasText: /nothing left to refund/ })
      .waitFor();
    expect(await refund.getByLabel(say('admin:refund.reason')).inputValue()).toBe('All of it after all.');
  });
  expect((await desk.payment(orderId)).refunds.map(({ amount }) => amount).sort()).toEqual([1600, 400]);
  await donorReads(orderToken, /USD\s20\.00.* went back to/);
});
