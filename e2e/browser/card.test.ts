import { expect, jest, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { openProvider } from '../driver/provider.ts';
import { openVisit } from '../harness/browser.ts';
import { textsOf } from '../harness/texts.ts';
import { soon, waitFor } from '../harness/wait.ts';
import { expectFinished } from './finished.ts';
import { challenge, choosePackage, fillCard, fillCheckout, payButton } from './people.ts';
import { useSetup } from './setup.ts';

jest.setTimeout(120_000);

const say = textsOf('en');
const CARD = '4242 4242 4242 4242';

const setup = useSetup();
const chargesOf = (email: string) => openProvider(setup.product).chargesOf(email);

/** A visitor who has typed everything and is about to press the button. */
async function atTheButton(email: string, card: string, act: (page: Page) => Promise<void>): Promise<void> {
  const { context, page } = await openVisit(setup.browser, { language: 'en', width: 1280 });
  try {
    await page.goto(`${setup.product.url}/plant-trees`);
    await choosePackage(page, say, 'individual');
    await fillCheckout(page, say, { name: 'Ana Torres', email }, card);
    await act(page);
  } finally {
    await context.close();
  }
}

test('a declined card says so beside the form, charges nothing, and another card then pays', async () => {
  const email = 'declined@checkout.test';
  await atTheButton(email, '4000 0000 0000 0002', async (page) => {
    await payButton(page).click();
    const declined = page.getByRole('alert').filter({ hasText: 'Your card was declined.' });
    await declined.getByText(say('checkout:errors.declined')).waitFor();
    expect(await chargesOf(email)).toBe(0);
    await expectFinished(page, 'a declined card');
    await declined.getByRole('button', { name: say('checkout:card.transferInstead') }).click();
    const transfer = page.getByRole('radio', { name: 'Bancolombia' });
    await soon(async () =>
      expect(await transfer.evaluate((radio) => radio === document.activeElement)).toBe(true),
    );
    await page.getByText(say('checkout:transfer.reference')).waitFor();
    await page.getByRole('radio', { name: say('checkout:method.card.name') }).click();
    await fillCard(page, CARD);
    await payButton(page).click();
    await page.waitForURL('**/orders/*');
  });
  expect(await chargesOf(email)).toBe(1);
});

test('a card that needs authentication pays after it, and not when it fails', async () => {
  const email = 'authentication@checkout.test';
  await atTheButton(email, '4000 0027 6000 3184', async (page) => {
    await payButton(page).click();
    await challenge(page).locator('#fail').click();
    await page
      .getByRole('alert')
      .filter({ hasText: /authenticate/ })
      .waitFor();
    expect(await chargesOf(email)).toBe(0);
    await payButton(page).click();
    await challenge(page).locator('#complete').click();
    await page.waitForURL('**/orders/*');
  });
  expect(await chargesOf(email)).toBe(1);
});

test('a double click charges once', async () => {
  const email = 'double-click@checkout.test';
  await atTheButton(email, CARD, async (page) => {
    await payButton(page).dblclick();
    await page.waitForURL('**/orders/*');
  });
  expect(await chargesOf(email)).toBe(1);
});

test('a reload while paying charges once: the page goes on to the order that was paid', async () => {
  const email = 'reload@checkout.test';
  await atTheButton(email, CARD, async (page) => {
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
  expect(await chargesOf(email)).toBe(1);
});

test('what was typed survives a reload', async () => {
  await atTheButton('typed@checkout.test', CARD, async (page) => {
    await page.reload();
    const email = page.getByLabel(say('checkout:panel.email'));
    await email.waitFor();
    await soon(async () => expect(await email.inputValue()).toBe('typed@checkout.test'));
  });
});

test('what is typed before the card fields have arrived stays', async () => {
  const { context, page } = await openVisit(setup.browser, { language: 'en', width: 1280 });
  const typed = Promise.withResolvers<void>();
  await context.route('**/stripe.js', async (route) => {
    await typed.promise;
    await route.continue();
  });
  await page.goto(`${setup.product.url}/plant-trees`);
  await choosePackage(page, say, 'individual');
  await page.getByLabel(say('checkout:panel.name')).fill('Ana Torres');
  await page.getByLabel(say('checkout:panel.email')).fill('early@checkout.test');
  expect(await payButton(page).isDisabled()).toBe(true);
  typed.resolve();
  await fillCard(page, CARD);
  await payButton(page).click();
  await page.waitForURL('**/orders/*');
  await context.close();
});

test('while the card library is late, the other way to pay is offered; the card fields may still come', async () => {
  const { context, page } = await openVisit(setup.browser, { language: 'en', width: 1280 });
  const patience = Promise.withResolvers<void>();
  await context.route('**/stripe.js', async (route) => {
    await patience.promise;
    await route.continue();
  });
  await page.clock.install();
  await page.goto(`${setup.product.url}/plant-trees`);
  await choosePackage(page, say, 'individual');
  await page.getByText(say('checkout:panel.loading')).waitFor();
  await page.getByLabel(say('checkout:panel.name')).fill('Ana Torres');
  const late = page.getByRole('status').filter({ hasText: say('checkout:card.late') });
  await waitFor('the other way to pay', async () => {
    await page.clock.runFor(1_000);
    return late.getByRole('button', { name: say('checkout:card.transferInstead') }).isVisible();
  });
  patience.resolve();
  await waitFor('the card fields', async () => {
    await page.clock.runFor(200);
    return (await late.count()) === 0;
  });
  await soon(async () =>
    expect(await page.getByLabel(say('checkout:panel.name')).inputValue()).toBe('Ana Torres'),
  );
  await context.close();
});

test.each([
  ['has no wallet, nothing of wallets is shown and no room is taken', false],
  ['has one, it stands above the card', true],
])('where the device %s', async (_what, hasWallet) => {
  const { context, page } = await openVisit(setup.browser, { language: 'en', width: 360 });
  await context.route('**/stripe.js', async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    const none = 'availablePaymentMethods: undefined';
    expect(script).toContain(none);
    const body = hasWallet ? script.replace(none, 'availablePaymentMethods: { googlePay: true }') : script;
    await route.fulfill({ response, body });
  });
  await page.goto(`${setup.product.url}/plant-trees`);
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
