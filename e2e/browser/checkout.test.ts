import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { NamedPicture } from '@arboleda/cli/demo/photos.ts';
import { photo } from '../driver/pictures.ts';
import { openProvider } from '../driver/provider.ts';
import { openVisit, type Visitor } from '../harness/browser.ts';
import { textsOf } from '../harness/texts.ts';
import { soon, waitFor } from '../harness/wait.ts';
import { expectFinished } from './finished.ts';
import {
  choosePackage,
  choosePictures,
  fillCard,
  fillCheckout,
  fillTransfer,
  payButton,
  tabTo,
} from './people.ts';
import { useSetup } from './setup.ts';
import { onSlow3G } from './visiting.ts';

jest.setTimeout(120_000);

const say = textsOf('en');
const CARD = '4242 4242 4242 4242';
const CREATE_ORDER = '**/api/manual-payments/create-order';

const setup = useSetup();
let blue: NamedPicture;
let green: NamedPicture;

beforeAll(async () => {
  blue = await photo('ph-planting.jpg', new Date(), 'transferencia.jpg');
  green = await photo('ph-hands.jpg', new Date(), 'recibo.jpg');
});

const transfersOf = async (email: string) => {
  const { orders } = await setup.driver.call('GET /api/admin/manual-payments/pending-verification', {
    token: await setup.admin(),
    query: { limit: 100 },
  });
  return orders.filter(({ customerEmail }) => customerEmail === email);
};
const orderOf = async (email: string) => {
  const { orders } = await setup.driver.call('GET /api/admin/orders/manage', {
    token: await setup.admin(),
    query: { q: email },
  });
  return orders[0];
};
const chargesOf = (email: string) => openProvider(setup.product).chargesOf(email);

/** Somebody at the checkout with a package chosen; faults of the page fail the test. */
async function atCheckout(visitor: Visitor, act: (page: Page) => Promise<void>): Promise<void> {
  const { context, page, faults } = await openVisit(setup.browser, visitor);
  try {
    await page.goto(`${setup.product.url}/plant-trees`);
    await choosePackage(page, textsOf(visitor.language), 'grove');
    await act(page);
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
}
const inEnglish: Visitor = { language: 'en', width: 1280 };
const ready = (page: Page, count: number) =>
  waitFor(
    `${count} pictures`,
    async () => (await page.getByText(say('checkout:evidence.ready')).count()) === count,
  );
const alert = (page: Page, key: string) =>
  page
    .getByRole('alert')
    .filter({ hasText: say(key) })
    .waitFor();
test('by keyboard alone from the landing page to the order’s page', async () => {
  const { context, page, faults } = await openVisit(setup.browser, inEnglish);
  await page.goto(setup.product.url);
  await tabTo(page, page.getByRole('link', { name: say('landing:hero.plant'), exact: true }).first());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: say('checkout:heading') }).waitFor();
  await tabTo(page, page.getByRole('radio', { name: say('checkout:packages.individual.name') }));
  await page.keyboard.press('ArrowDown');
  const name = page.getByLabel(say('checkout:panel.name'), { exact: true });
  await name.waitFor();
  const grove = page.getByRole('radio', { name: say('checkout:packages.grove.name'), exact: true });
  await soon(async () => expect(await grove.isChecked()).toBe(true));
  await tabTo(page, name);
  await page.keyboard.type('Ana Torres');
  await page.keyboard.press('Tab');
  await page.keyboard.type('keyboard@checkout.test');
  const card = page.frameLocator('iframe[src*="/elements/payment"]');
  await card.locator('[autocomplete="cc-number"]').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type(CARD);
  await page.keyboard.press('Tab');
  await page.keyboard.type('1234');
  await page.keyboard.press('Tab');
  await page.keyboard.type('123');
  await tabTo(page, payButton(page));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/orders/*');
  expect(faults).toEqual([]);
  await context.close();
});

describe.each<Visitor>([
  { language: 'en', width: 1280 },
  { language: 'es', width: 360 },
  { language: 'en', width: 360 },
  { language: 'es', width: 1280 },
])('a transfer in $language at $width px', (visitor) => {
  test('goes with its reference and two pictures, and leads to the order’s page', async () => {
    const words = textsOf(visitor.language);
    const email = `transfer-${visitor.language}-${visitor.width}@checkout.test`;
    await atCheckout(visitor, async (page) => {
      await page.getByLabel(words('checkout:panel.name'), { exact: true }).waitFor();
      // Buyers who see dollars read the price in pesos before they choose to pay it.
      if (visitor.language === 'en')
        await page.getByText(/You pay COP.[\d,.]+, at COP.[\d,.]+ to the dollar\./).waitFor();
      await expectFinished(page, 'checkout, card');
      const shown = (await page.locator('main').innerText()).replace(/\s+/g, ' ');
      expect(shown).toMatch(/[A-Z]{3} \d+[.,]\d/);
      expect(shown.match(/(?<![A-Z]{3} |[\d.,])\d[\d.,]*[.,]\d{2}\b/g)).toBeNull();
      await fillTransfer(page, words, { name: 'Sofía Rueda', email });
      expect(await payButton(page).isDisabled()).toBe(true);
      await page.getByText(words('checkout:missing.evidence'), { exact: false }).waitFor();
      const reference = page.getByLabel(words('checkout:transfer.referenceNumber'), { exact: true });
      const suggested = await waitFor('a reference', () => reference.inputValue());
      expect(suggested).toMatch(/^ARB-/);
      await page.getByRole('button', { name: words('checkout:transfer.copy.reference') }).click();
      await soon(async () =>
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(suggested),
      );
      await page.getByLabel(words('checkout:panel.phone')).fill('300 555 0142');
      await choosePictures(page, words, [
        { ...blue, buffer: Buffer.concat([blue.buffer, Buffer.from(email)]) },
        { ...green, buffer: Buffer.concat([green.buffer, Buffer.from(email)]) },
      ]);
      await page
        .getByRole('button', { name: words('checkout:evidence.remove', { name: green.name }) })
        .waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        // Colours are measured when they have arrived.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await expectFinished(page, `checkout, transfer, ${colorScheme}`);
      }
      await soon(async () =>
        expect((await payButton(page).innerText()).replace(/\s/g, ' ')).toContain('COP 82'),
      );
      await payButton(page).click();
      await page.waitForURL('**/orders/*');
      await page.getByText(words('checkout:transfer.received')).waitFor();
      await page.getByText(words('order:sentTransfer.pictures', { count: 2 })).waitFor();
      await page.getByText(words('order:sentTransfer.wrongFile').split('?')[0]!).waitFor();
      await page.getByRole('button', { name: words('order:sentTransfer.copy') }).click();
      await soon(async () =>
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(suggested),
      );
      const [order, ...others] = await transfersOf(email);
      expect(others).toEqual([]);
      expect(order).toMatchObject({
        trees: 5,
        amount: 8_230_000,
        currency: 'COP',
        customerName: 'Sofía Rueda',
        customerPhone: '300 555 0142',
        manualPayment: {
          referenceNumber: suggested,
          evidenceFiles: [{ originalName: blue.name }, { originalName: green.name }],
        },
      });
      await page.getByText(order!.shortId).first().waitFor();
    });
  });
});

test('what is no picture, too large or one too many is refused before sending; what is damaged, by the server', async () => {
  const email = 'refused@checkout.test';
  await atCheckout(inEnglish, async (page) => {
    await fillTransfer(page, say, { name: 'Ana', email });
    const damaged = { ...blue, name: 'damaged.jpg', buffer: blue.buffer.subarray(0, 2000) };
    const large = {
      ...blue,
      name: 'large.jpg',
      buffer: Buffer.concat([blue.buffer, Buffer.alloc(5_000_000)]),
    };
    await choosePictures(page, say, [
      { name: 'statement.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') },
      large,
    ]);
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await row('statement.pdf').getByText('This file is not a JPG, PNG or GIF image.').waitFor();
    await row('large.jpg').getByText('This file is larger than 5 MB.').waitFor();
    expect(await payButton(page).isDisabled()).toBe(true);
    await choosePictures(page, say, [damaged, blue, green, { ...green, name: 'fourth.jpg' }]);
    await row('fourth.jpg')
      .getByText(say('checkout:evidence.oneTooMany', { max: 3 }))
      .waitFor();
    await payButton(page).click();
    await row('damaged.jpg').getByText('This image is damaged. Please choose it again.').waitFor();
    await expectFinished(page, 'checkout, refused pictures');
    expect(await transfersOf(email)).toEqual([]);
    await payButton(page).click();
    await page.waitForURL('**/orders/*');
    const [order] = await transfersOf(email);
    expect(order!.manualPayment.evidenceFiles.map(({ originalName }) => originalName)).toEqual([
      blue.name,
      green.name,
    ]);
  });
});

test('a double click, a lost answer, a reload and the way back make one order', async () => {
  const email = 'once@checkout.test';
  await atCheckout(inEnglish, async (page) => {
    await fillTransfer(page, say, { name: 'Ana', email });
    await choosePictures(page, say, [blue, green]);
    await ready(page, 2);
    // The order is made, but the page never hears of it.
    await page.route(
      CREATE_ORDER,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await payButton(page).dblclick();
    await alert(page, 'checkout:errors.transfer');
    await page.reload();
    await ready(page, 2);
    await page.getByText(say('checkout:transfer.inDoubt')).waitFor();
    await soon(async () =>
      expect(await page.getByLabel(say('checkout:panel.email')).inputValue()).toBe(email),
    );
    await payButton(page).dblclick();
    await page.waitForURL('**/orders/*');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: say('checkout:heading') }).waitFor();
    expect(await payButton(page).count()).toBe(0);
    expect(await transfersOf(email)).toHaveLength(1);
  });
});

test('with Stripe blocked the transfer is offered', async () => {
  const { context, page } = await openVisit(setup.browser, inEnglish);
  await context.route('**/stripe.js', (route) => route.abort());
  await page.goto(`${setup.product.url}/plant-trees`);
  await choosePackage(page, say, 'grove');
  await alert(page, 'checkout:errors.library');
  await expectFinished(page, 'checkout, Stripe blocked');
  expect(await payButton(page).isDisabled()).toBe(true);
  await page.getByRole('button', { name: say('checkout:card.transferInstead') }).click();
  await page.getByText(say('checkout:transfer.reference')).waitFor();
  await context.close();
});

test('offline when paying by card: it says so, and one more press charges once', async () => {
  const email = 'offline@checkout.test';
  await atCheckout(inEnglish, async (page) => {
    await fillCheckout(page, say, { name: 'Ana', email }, CARD);
    await page.context().setOffline(true);
    await page.getByText(say('checkout:offline')).waitFor();
    await payButton(page).click();
    await alert(page, 'checkout:errors.intent');
    await page.context().setOffline(false);
    // Then the line breaks while the card is being charged.
    await page.context().route(/\/confirm$/, (route) => route.abort(), { times: 1 });
    await payButton(page).click();
    await alert(page, 'checkout:errors.failed');
    await payButton(page).click();
    await page.waitForURL('**/orders/*');
  });
  expect(await chargesOf(email)).toBe(1);
});

test('offline when sending a transfer: nothing is lost, and one more press makes one order', async () => {
  const email = 'offline-transfer@checkout.test';
  await atCheckout(inEnglish, async (page) => {
    await fillTransfer(page, say, { name: 'Ana', email });
    await choosePictures(page, say, [green]);
    await ready(page, 1);
    await page.context().setOffline(true);
    await payButton(page).click();
    await alert(page, 'checkout:errors.transfer');
    await page.context().setOffline(false);
    await payButton(page).click();
    await page.waitForURL('**/orders/*');
    expect(await transfersOf(email)).toHaveLength(1);
  });
});

test('a page that is chosen from before its scripts arrive has not forgotten it when they do', async () => {
  const { context, page } = await openVisit(setup.browser, inEnglish);
  const chosen = Promise.withResolvers<void>();
  await context.route('**/assets/*.js', async (route) => {
    await chosen.promise;
    await route.continue();
  });
  await page.goto(`${setup.product.url}/plant-trees`, { waitUntil: 'commit' });
  await page.getByText(say('checkout:packages.grove.name'), { exact: true }).click();
  chosen.resolve();
  await fillCard(page, CARD);
  await soon(async () => expect(await payButton(page).innerText()).toMatch(/5 trees/));
  await context.close();
});

test.each([
  { language: 'es', width: 320 },
  { language: 'es', width: 360 },
  { language: 'en', width: 360 },
  { language: 'es', width: 1280 },
] as const)('packages stay where they are when prices and app arrive: %o', async (visitor) => {
  const { context, page } = await openVisit(setup.browser, visitor);
  const look = Promise.withResolvers<void>();
  await context.route('**/api/pricing/**', async (route) => {
    await look.promise;
    await route.continue();
  });
  await page.goto(`${setup.product.url}/plant-trees`);
  const tops = () =>
    page
      .getByRole('radio')
      .evaluateAll((radios) => radios.map((radio) => Math.round(radio.getBoundingClientRect().top)));
  const before = await tops();
  expect(before).toHaveLength(4);
  look.resolve();
  const asked = textsOf(visitor.language)('checkout:note.loading');
  await page.getByText(asked).waitFor({ state: 'hidden' });
  expect(await tops()).toEqual(before);
  await page.mouse.move(10, 10);
  await page.mouse.move(20, 20);
  await page.locator('html:not([data-first])').waitFor();
  await page.waitForFunction(() =>
    Object.keys(document.getElementById('root')!).some((key) => key.startsWith('__react')),
  );
  expect(await tops()).toEqual(before);
  await context.close();
});

test('over slow 3G the packages are read before the scripts are there, and the payment goes through', async () => {
  const { context, page, faults } = await openVisit(setup.browser, { language: 'en', width: 360 });
  try {
    await onSlow3G(page);
    await page.goto(`${setup.product.url}/plant-trees`, { waitUntil: 'commit' });
    await page.getByRole('radio', { name: say('checkout:packages.grove.name') }).waitFor();
    await choosePackage(page, say, 'grove');
    await fillCheckout(page, say, { name: 'Lenta Red', email: 'slow-3g@checkout.test' }, CARD);
    await payButton(page).click();
    await page.waitForURL('**/orders/*', { timeout: 60_000 });
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
});

test('a name pasted with marks that turn the writing round stands in its own direction, and turns nothing else round', () =>
  atCheckout(inEnglish, async (page) => {
    const donor = { name: 'Samira', email: 'pasted@checkout.test' };
    await fillCheckout(page, say, donor, CARD);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() => navigator.clipboard.writeText('\u202e\u2067سميرة حداد\u2069\u202c'));
    const name = page
      .getByRole('group', { name: say('checkout:panel.details') })
      .getByLabel(say('checkout:panel.name'));
    await name.selectText();
    await page.keyboard.press('ControlOrMeta+V');
    expect(await name.evaluate((field) => getComputedStyle(field).direction)).toBe('rtl');
    await expectFinished(page, 'checkout, written from right to left');
    await payButton(page).click();
    await page.waitForURL('**/orders/*');
    const order = await waitFor('the order', () => orderOf(donor.email));
    expect(order).toMatchObject({ customerName: 'سميرة حداد' });
    // The page of the wait gives way to the order's.
    await page.getByText(say('order:timeline.paid'), { exact: true }).waitFor();
    const heading = page.getByRole('heading', { level: 1 });
    await soon(async () =>
      expect(await heading.evaluate((text) => getComputedStyle(text).direction)).toBe('ltr'),
    );
    await expectFinished(page, 'order, named from right to left');
  }));

test.each([360, 1280])(
  'the checkout scrolls into view when a card far from it is chosen, at %i px',
  async (width) => {
    const { context, page } = await openVisit(setup.browser, { language: 'en', width });
    await page.goto(`${setup.product.url}/plant-trees`);
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

test('prices are in the currency that was chosen, also on another page, and so is the charge', async () => {
  const { context, page, faults } = await openVisit(setup.browser, inEnglish);
  await page.goto(setup.product.url);
  await page.getByLabel(say('common:currency.label'), { exact: true }).selectOption('EUR');
  await page
    .getByText(/EUR.4\.\d\d/)
    .first()
    .waitFor();
  await page
    .getByRole('link', { name: say('landing:hero.plant'), exact: true })
    .first()
    .click();
  await choosePackage(page, say, 'grove');
  const email = 'euros@checkout.test';
  await fillCheckout(page, say, { name: 'Ana Torres', email }, CARD);
  const [, shown] = /EUR\s([\d.]+)/.exec((await payButton(page).textContent())!)!;
  await payButton(page).click();
  await page.waitForURL('**/orders/*');
  const { currency, amount } = await waitFor('the order', () => orderOf(email));
  expect({ currency, amount }).toEqual({ currency: 'EUR', amount: Math.round(Number(shown) * 100) });
  expect(await chargesOf(email)).toBe(1);
  expect(faults).toEqual([]);
  await context.close();
});

test('a buyer whose bank refused the card can switch to a transfer and finds what they typed', () =>
  atCheckout(inEnglish, async (page) => {
    await fillCheckout(page, say, { name: 'Ana Torres', email: 'refused@checkout.test' }, CARD);
    await page.goto(
      `${setup.product.url}/orders/tokentokentokentokento?payment_intent=pi_1&redirect_status=failed`,
    );
    await page.getByRole('heading', { name: say('order:confirming.refused') }).waitFor();
    await expectFinished(page, 'order, refused by the bank');
    await page.getByRole('link', { name: say('order:confirming.transfer') }).click();
    await page.getByText(say('checkout:transfer.reference')).waitFor();
    await soon(async () =>
      expect(await page.getByLabel(say('checkout:panel.name'), { exact: true }).inputValue()).toBe(
        'Ana Torres',
      ),
    );
  }));

test('no trees, no payment: less than one tree is told beside the number, and again by the button', async () => {
  const { context, page } = await openVisit(setup.browser, { language: 'en', width: 1280 });
  await page.goto(`${setup.product.url}/plant-trees`);
  await choosePackage(page, say, 'custom');
  const summary = page.getByRole('complementary', { name: say('checkout:summary.title') });
  // Its price and the total: a dash, not what one tree would cost.
  const dashes = () => page.locator('main').getByText('–', { exact: true }).count();
  for (const impossible of ['20000', '0']) {
    await page.getByLabel(say('checkout:count'), { exact: true }).fill(impossible);
    await summary.getByText('–', { exact: true }).waitFor();
    expect(await dashes()).toBe(2);
  }
  await page.getByText(say('checkout:atLeastOne')).waitFor();
  await fillCheckout(page, say, { name: 'Ana', email: 'ana@checkout.test' }, CARD);
  await page.getByRole('button', { name: say('checkout:panel.submitUnpriced'), exact: true }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: say('checkout:atLeastOne') })
    .waitFor();
  const count = page.getByLabel(say('checkout:count'), { exact: true });
  await soon(async () =>
    expect(await count.evaluate((field) => field === document.activeElement)).toBe(true),
  );
  await context.close();
});
