import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { makeAccounts } from '../harness/accounts.ts';
import { openVisit } from '../harness/browser.ts';
import { openProvider } from '../harness/buyer.ts';
import { textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { challenge, choosePackage, fillCard, fillCheckout, payButton } from './people.ts';
import { openStage, type Stage } from './stage.ts';
import { openInbox } from '../harness/inbox.ts';
import { startProduct } from '../harness/product.ts';

jest.setTimeout(120_000);

const say = textsOf('en');
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

/** A visitor who has typed everything and is about to press the button. */
async function atTheButton(email: string, card: string, act: (page: Page) => Promise<void>): Promise<void> {
  const { context, page } = await openVisit(stage.browser, { language: 'en', width: 1280 });
  try {
    await page.goto(`${stage.product.url}/plant-trees`);
    await choosePackage(page, say, 'individual');
    await fillCheckout(page, say, { name: 'Ana Torres', email }, card);
    await act(page);
  } finally {
    await context.close();
  }
}

const charges = async () =>
  (await openProvider(stage.product).state()).charges.filter(({ status }) => status === 'succeeded').length;

test('a declined card says so beside the form, charges nothing, and another card then pays', async () => {
  const before = await charges();
  await atTheButton('declined@mail.test', '4000 0000 0000 0002', async (page) => {
    await payButton(page).click();
    await page.getByRole('alert').filter({ hasText: 'Your card was declined.' }).waitFor();
    expect(await charges()).toBe(before);
    await fillCard(page, '4242 4242 4242 4242');
    await payButton(page).click();
    await page.waitForURL('**/orders/*');
  });
  expect(await charges()).toBe(before + 1);
});

test('a card that needs authentication pays after it, and not when it fails', async () => {
  const before = await charges();
  await atTheButton('authentication@mail.test', '4000 0027 6000 3184', async (page) => {
    await payButton(page).click();
    await challenge(page).locator('#fail').click();
    await page
      .getByRole('alert')
      .filter({ hasText: /authenticate/ })
      .waitFor();
    expect(await charges()).toBe(before);
    await payButton(page).click();
    await challenge(page).locator('#complete').click();
    await page.waitForURL('**/orders/*');
  });
  expect(await charges()).toBe(before + 1);
});

test('a double click charges once', async () => {
  const before = await charges();
  await atTheButton('double-click@mail.test', '4242 4242 4242 4242', async (page) => {
    await payButton(page).dblclick();
    await page.waitForURL('**/orders/*');
  });
  expect(await charges()).toBe(before + 1);
});

test('a reload while paying charges once: the page goes on to the order that was paid', async () => {
  const before = await charges();
  await atTheButton('reload@mail.test', '4242 4242 4242 4242', async (page) => {
    // The card is charged, but the answer does not reach the page before it is loaded again.
    const charged = new Promise<void>((resolve) => {
      const confirmation = /\/v1\/payment_intents\/[^/]+\/confirm$/;
      const hold = (route: Route) => route.fetch().then(() => resolve());
      void page.context().route(confirmation, hold, { times: 1 });
    });
    await payButton(page).click();
    await charged;
    await page.reload();
    await page.waitForURL('**/orders/*');
  });
  expect(await charges()).toBe(before + 1);
});

test('what was typed survives a reload', async () => {
  await atTheButton('typed@mail.test', '4242 4242 4242 4242', async (page) => {
    await page.reload();
    const email = page.getByLabel(say('checkout:panel.email'));
    await email.waitFor();
    expect(await email.inputValue()).toBe('typed@mail.test');
  });
});

test('what is typed before the card fields have arrived stays', async () => {
  const { context, page } = await openVisit(stage.browser, { language: 'en', width: 1280 });
  const typed = Promise.withResolvers<void>();
  await context.route('**/stripe.js', async (route) => {
    await typed.promise;
    await route.continue();
  });
  await page.goto(`${stage.product.url}/plant-trees`);
  await choosePackage(page, say, 'individual');
  await page.getByLabel(say('checkout:panel.name')).fill('Ana Torres');
  await page.getByLabel(say('checkout:panel.email')).fill('early@mail.test');
  expect(await payButton(page).isDisabled()).toBe(true);
  typed.resolve();
  await fillCard(page, '4242 4242 4242 4242');
  await payButton(page).click();
  await page.waitForURL('**/orders/*');
  await context.close();
});

test('a card library that takes more than ten seconds is told with the other way to pay; it may still come', async () => {
  const { context, page } = await openVisit(stage.browser, { language: 'en', width: 1280 });
  const patience = Promise.withResolvers<void>();
  await context.route('**/stripe.js', async (route) => {
    await patience.promise;
    await route.continue();
  });
  await page.clock.install();
  await page.goto(`${stage.product.url}/plant-trees`);
  // Until it stands still the clock goes on as the machine's does, however slow that is.
  const begunAt = await page.evaluate(() => Date.now());
  await choosePackage(page, say, 'individual');
  await page.getByText(say('checkout:panel.loading')).waitFor();
  const waitingAt = await page.evaluate(() => Date.now());
  await page.getByLabel(say('checkout:panel.name')).fill('Ana Torres');
  const late = page.getByRole('status').filter({ hasText: say('checkout:card.late') });
  await page.clock.pauseAt(begunAt + 9_000);
  expect(await late.count()).toBe(0);
  await page.clock.runFor(waitingAt - begunAt + 1_500);
  await late.getByRole('button', { name: say('checkout:card.transferInstead') }).waitFor();
  patience.resolve();
  await waitFor('the card fields', async () => {
    await page.clock.runFor(200);
    return (await late.count()) === 0;
  });
  expect(await page.getByLabel(say('checkout:panel.name')).inputValue()).toBe('Ana Torres');
  await context.close();
});

test.each([
  ['has no wallet, nothing of wallets is shown and no room is taken', false],
  ['has one, it stands above the card', true],
])('where the device %s', async (_what, hasWallet) => {
  const { context, page } = await openVisit(stage.browser, { language: 'en', width: 360 });
  await context.route('**/stripe.js', async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    const none = 'availablePaymentMethods: undefined';
    expect(script).toContain(none);
    const body = hasWallet ? script.replace(none, 'availablePaymentMethods: { googlePay: true }') : script;
    await route.fulfill({ response, body });
  });
  await page.goto(`${stage.product.url}/plant-trees`);
  await choosePackage(page, say, 'individual');
  const card = page.getByRole('group', { name: say('checkout:panel.card') });
  await card.locator('iframe').first().waitFor();
  const or = page.getByText(say('checkout:card.or'));
  if (hasWallet) {
    await or.waitFor();
    expect((await or.boundingBox())!.y).toBeLessThan((await card.boundingBox())!.y);
  } else {
    expect(await or.count()).toBe(0);
    const wallets = page.locator('[class*=noWallets]');
    expect(await wallets.evaluate((element) => element.getBoundingClientRect().height)).toBe(0);
  }
  await context.close();
});

test.each([360, 1280])(
  'the checkout scrolls into view when a card far from it is chosen, at %i px',
  async (width) => {
    const { context, page } = await openVisit(stage.browser, { language: 'en', width });
    await page.goto(`${stage.product.url}/plant-trees`);
    const panel = page.getByRole('region', { name: say('checkout:panel.label') });
    const top = () => panel.evaluate((element) => element.getBoundingClientRect().top / window.innerHeight);
    for (const choice of ['individual', 'patch'] as const) {
      await page.evaluate(() => window.scrollTo(0, 0));
      await choosePackage(page, say, choice);
      await panel.waitFor();
      await waitFor(
        `the checkout of ${choice} in view`,
        async () => (await top()) >= -0.1 && (await top()) < 0.6,
      );
    }
    await context.close();
  },
);

test('no trees, no payment: less than one tree is told beside the number, and again by the button', async () => {
  const { context, page } = await openVisit(stage.browser, { language: 'en', width: 1280 });
  await page.goto(`${stage.product.url}/plant-trees`);
  await choosePackage(page, say, 'custom');
  await page.getByLabel(say('checkout:count'), { exact: true }).fill('0');
  await page.getByText(say('checkout:atLeastOne')).waitFor();
  await fillCheckout(page, say, { name: 'Ana', email: 'ana@mail.test' }, '4242 4242 4242 4242');
  await page.getByRole('button', { name: say('checkout:panel.submitUnpriced'), exact: true }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: say('checkout:atLeastOne') })
    .waitFor();
  const count = page.getByLabel(say('checkout:count'), { exact: true });
  expect(await count.evaluate((field) => field === document.activeElement)).toBe(true);
  await context.close();
});

test('kill −9 of everything between payment and order: after a restart the order is there, once, with one mail', async () => {
  const email = 'kill@mail.test';
  let orderPath = '';
  await openProvider(stage.product).webhooks('hold');
  await atTheButton(email, '4242 4242 4242 4242', async (page) => {
    await payButton(page).click();
    await page.waitForURL('**/orders/*');
    orderPath = new URL(page.url()).pathname;
  });
  await stage.product.kill();
  stage.product = await startProduct(stage.dataDir, {
    RECONCILE_INTERVAL_SECONDS: '1',
    RECONCILE_AFTER_SECONDS: '1',
  });
  stage.inbox = openInbox(stage.product.inboxUrl);
  await makeAccounts(stage.product);

  const order = await waitFor('the order', async () => {
    const response = await fetch(`${stage.product.url}/api${orderPath.replace('/orders/', '/track/')}`);
    return response.ok && ((await response.json()) as { trees: number });
  });
  expect(order.trees).toBe(1);
  await stage.inbox.mail(email, /Receipt for/);
  // The webhooks that were held come now as well, each twice: nothing may be added by them.
  const provider = openProvider(stage.product);
  await provider.webhooks('deliver');
  const { events } = await provider.events({ type: 'payment_intent.succeeded' });
  for (const event of events) await provider.repeat(event.id, 2);
  await stage.inbox.mail(email, /will plant/);
  const receipts = (await stage.inbox.all(email)).filter(({ subject }) => /Receipt for/.test(subject));
  expect(receipts).toHaveLength(1);
});
