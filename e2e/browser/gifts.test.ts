import type { Gift } from '@arboleda/contracts/gift.ts';
import { expect, jest, describe, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pastMorning } from '../harness/past-morning.ts';
import { type Language, textsOf } from '../harness/texts.ts';
import { soon, waitFor } from '../harness/wait.ts';
import { atDashboard } from './admin.ts';
import { expectFinished } from './finished.ts';
import { dialogOf } from './orders.ts';
import { fillCheckout, logIn, payButton } from './people.ts';
import { makeAdmin, makeCustomer, PASSWORD, useSetup } from './setup.ts';
import { visit } from './visiting.ts';

jest.setTimeout(120_000);

const setup = useSetup();
const CARD = '4242 4242 4242 4242';
const DAY_MS = 86_400_000;
const dayAhead = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const openPage = (page: Page, path: string) => page.goto(`${setup.product.url}${path}`);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** A paid gift that its buyer hands over. @returns the order and the path of the recipient's page */
async function given(email: string, language: Language) {
  const gift: Gift = {
    recipientName: 'Ana María Gómez',
    recipientEmail: null,
    message: 'Para tu jardín.\nCon cariño.',
    language,
    card: 'night',
    deliverOn: dayAhead(20),
    timeZone: 'America/Bogota',
  };
  const order = await setup.driver.buy(email, { name: 'Emma Clarke', gift });
  const path = await waitFor('the gift', async () => {
    const answer = await setup.driver
      .call('POST /api/track/{token}/gift', { params: { token: order.orderToken }, body: { email } })
      .catch(() => undefined);
    return answer?.gift.path;
  });
  return { ...order, path };
}

describe.each<[Language, number]>([
  ['en', 1280],
  ['es', 360],
])('in %s at %i px', (language, width) => {
  const say = textsOf(language);
  const visitor = { language, width };

  test('a buyer gives trees from the landing page on, and changes the gift afterwards', async () => {
    const donor = { name: 'Emma Clarke', email: `gift-${language}@buyer.test` };
    await visit(
      setup,
      async (page) => {
        await openPage(page, '/');
        await page.getByRole('link', { name: say('landing:offer.gift') }).click();
        const box = page.getByRole('checkbox', { name: say('checkout:gift.choose') });
        await box.waitFor();
        await soon(async () => expect(await box.isChecked()).toBe(true));
        const field = (name: string) => page.getByLabel(say(`gift:form.${name}`), { exact: true });
        await field('name').fill('Ana María Gómez');
        await field('message').fill('Look at www.example.com');
        await page.getByRole('radio', { name: say('gift:form.cards.forest'), exact: true }).check();
        await fillCheckout(page, say, donor, CARD);
        await payButton(page).click();
        await page.getByText(say('gift:form.emailMissing')).waitFor();
        await page.getByText(say('gift:form.dayMissing')).waitFor();
        await expectFinished(page, `a gift with problems, in ${language}`);
        await field('email').fill(donor.email);
        await page.getByText(say('gift:form.ownEmail')).waitFor();
        await field('email').fill(`ana-${language}@gift.test`);
        await field('message').fill('Happy birthday, Ana.');
        await field('day').fill(dayAhead(30));
        const card = page.getByRole('article');
        await card.getByText('Happy birthday, Ana.').waitFor();
        await page.reload();
        await card.getByText('Happy birthday, Ana.').waitFor();
        await fillCheckout(page, say, donor, CARD);
        await expectFinished(page, `a gift in the checkout, in ${language}`);
        await payButton(page).click();
        await page.waitForURL('**/orders/*');
        const gift = page.getByRole('region', { name: say('order:gift'), exact: true });
        await gift.getByText('Ana').first().waitFor();
        await expectFinished(page, `an order that is a gift, in ${language}`);

        await gift.getByRole('button', { name: say('gift:own.open') }).click();
        await gift.getByLabel(say('gift:own.email')).fill(donor.email);
        await gift.getByRole('button', { name: say('gift:own.show') }).click();
        await gift.getByText('Happy birthday, Ana.').waitFor();
        await gift.getByRole('button', { name: say('gift:own.change') }).click();
        await gift.getByLabel(say('gift:form.message'), { exact: true }).fill('See you soon.');
        await expectFinished(page, `a gift being changed, in ${language}`);
        await gift.getByRole('button', { name: say('gift:own.save') }).click();
        await gift.getByText(say('gift:own.saved')).waitFor();
        await gift.getByText('See you soon.').waitFor();
      },
      visitor,
    );
  });

  test('a recipient reads the card, says thanks and keeps the gift', async () => {
    const { path, orderToken } = await given(`gift-hand-${language}@buyer.test`, language);
    const email = `gift-${language}@recipient.test`;
    await makeCustomer(setup, email, language);
    await visit(
      setup,
      async (page) => {
        await openPage(page, path);
        const title = say('gift:page.from', { from: 'Emma', count: 5 });
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        await page.getByText(say('gift:card.for', { name: 'Ana María Gómez' })).waitFor();
        await expectFinished(page, `a gift, in ${language}`);
        expect(await page.locator('main').innerText()).not.toMatch(/USD|COP/);
        expect(await page.content()).not.toContain(orderToken);
        await page.getByLabel(say('gift:thanks.label')).fill('Qué alegría.');
        await press(page, say('gift:thanks.submit'));
        await page.getByText(say('gift:thanks.done', { from: 'Emma', day: '' }).slice(0, 20)).waitFor();
        await page.getByRole('link', { name: say('gift:keep.submit') }).click();
        await page.getByRole('tab', { name: say('customer:tabs.logIn') }).click();
        await logIn(page, say, 'email', email, PASSWORD);
        await page.getByText(say('gift:wanted.from', { from: 'Emma', count: 5 })).waitFor();
        await expectFinished(page, `a gift waiting in the portal, in ${language}`);
        await press(page, say('gift:wanted.keep'));
        await page.getByText(say('gift:keep.done')).waitFor();
        await page.getByRole('link', { name: say('gift:received.from', { from: 'Emma', count: 5 }) }).click();
        await page.getByText(say('gift:keep.mine')).waitFor();
        await expectFinished(page, `a gift that is kept, in ${language}`);
      },
      visitor,
    );
  });

  test('a recipient wants no more gifts by email, and an unknown link says so', async () => {
    const { path } = await given(`gift-stop-${language}@buyer.test`, language);
    await visit(
      setup,
      async (page) => {
        await openPage(page, path);
        await page.getByRole('link', { name: say('gift:page.stop') }).click();
        await page.getByRole('heading', { level: 1, name: say('gift:stop.title') }).waitFor();
        await expectFinished(page, `no more gifts, in ${language}`);
        await press(page, say('gift:stop.submit'));
        await page.getByText(say('gift:stop.done')).waitFor();
        await openPage(page, `/g/${'x'.repeat(22)}`);
        await page.getByRole('heading', { level: 1, name: say('gift:unknown.title') }).waitFor();
        await expectFinished(page, `an unknown gift, in ${language}`);
      },
      visitor,
    );
  });

  test('an admin finds gifts and sees where one is', async () => {
    const { orderId } = await given(`gift-admin-${language}@buyer.test`, language);
    const admin = await makeAdmin(setup, `gift-${language}@admin.test`);
    await atDashboard(
      setup,
      { ...admin, ...visitor },
      `orders&gift=waiting&order=${orderId}`,
      async (page) => {
        const dialog = dialogOf(page);
        await dialog.getByText(say('admin:gift.byHand')).waitFor();
        await dialog.getByText(say('admin:gift.states.waiting')).waitFor();
        await expectFinished(page, `a gift in the office, in ${language}`);
      },
    );
  });
});

test('a gift bought by transfer waits for its approval, and goes at once when its morning has passed', async () => {
  const [buyer, recipientEmail] = ['gift-transfer@buyer.test', 'gift-transfer@recipient.test'];
  const { orderId, orderToken } = await setup.driver.announce(buyer, {
    gift: {
      recipientName: 'Ana Gómez',
      recipientEmail,
      message: 'Para tu jardín.',
      language: 'es',
      card: 'forest',
      ...pastMorning(),
    },
  });
  const say = textsOf('es');
  const beginning = (state: string) => say(`gift:state.${state}`, { name: 'Ana', day: '§' }).split('§')[0]!;
  await visit(
    setup,
    async (page) => {
      await openPage(page, `/orders/${orderToken}`);
      const gift = page.getByRole('region', { name: say('order:gift'), exact: true });
      await gift.getByText(beginning('unpaid')).waitFor();
      await expectFinished(page, 'a gift that waits for its transfer');
      await setup.inbox.mail(buyer, /transferencia/i);
      expect(await setup.inbox.all(recipientEmail)).toEqual([]);
      await setup.driver.approve(await setup.admin(), orderId);
      await gift.getByText(beginning('sent')).waitFor();
      const { text } = await setup.inbox.mail(recipientEmail, /Para tu jardín/);
      await openPage(page, new URL(/https?:\S+\/g\/[\w-]{22}/.exec(text)![0]).pathname);
      await page.getByText(say('gift:card.for', { name: 'Ana Gómez' })).waitFor();
      expect(await setup.inbox.all(recipientEmail)).toHaveLength(1);
    },
    { language: 'es', width: 360 },
  );
});
