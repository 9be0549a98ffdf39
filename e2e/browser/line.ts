import { formatMoney } from '@arboleda/contracts/money.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { DEMO_ADMIN, DEMO_WORKERS } from '@arboleda/local/demo/accounts.ts';
import { fieldPhoto } from '@arboleda/local/demo/photos.ts';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Language, textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { expectFinished } from './finished.ts';
import { choosePackage, fillCheckout, logIn, payButton } from './people.ts';
import type { Scene } from './stage.ts';
import { visit as visitOf } from './visiting.ts';

const PLACE = { latitude: 4.637214, longitude: -75.487031 };
const CARD = '4242 4242 4242 4242';
const PASSWORD = 'siembra-lluvia-2048';

/** Somebody who buys, and what they are asked to pay. */
export interface Purchase {
  language: Language;
  width: number;
  trees: number;
  currency: string;
  amount: string;
}

export const PURCHASES: readonly Purchase[] = [
  { language: 'en', width: 1280, trees: 5, currency: 'USD', amount: '20.00' },
  { language: 'es', width: 360, trees: 7, currency: 'COP', amount: '144.025,00' },
  { language: 'es', width: 1280, trees: 5, currency: 'COP', amount: '82.300,00' },
  { language: 'en', width: 360, trees: 7, currency: 'USD', amount: '35.00' },
];

/** The whole line as people see it: paid, planted, photographed, seen by donor and admin. */
export function followTheLine(
  scene: () => Scene,
  { language, width, trees, currency, amount }: Purchase,
): void {
  describe(`in ${language} at ${width} px`, () => {
    const stage = new Proxy({} as Scene, { get: (_, name: keyof Scene) => scene()[name] });
    const say = textsOf(language);
    const donor = { name: 'Sofía Rueda', email: `sofia-${language}-${width}@mail.test` };
    const status = (name: string) => say(`status.${name}`);
    let orderPage: string;
    let id: string;
    let worker: (typeof DEMO_WORKERS)[number];

    const visit = (step: (page: Page) => Promise<void>) => visitOf(stage, step, { language, width });

    test('a visitor chooses trees, sees the price in their currency and pays by card', async () => {
      await visit(async (page) => {
        await page.goto(stage.product.url);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await expectFinished(page, 'landing');
        await page
          .getByRole('link', { name: say('landing:hero.plant'), exact: true })
          .first()
          .click();
        await page.waitForURL('**/plant-trees');
        await choosePackage(page, say, trees === 5 ? 'grove' : 'custom');
        if (trees !== 5) await page.getByLabel(say('checkout:count'), { exact: true }).fill(String(trees));
        await fillCheckout(page, say, donor, CARD);
        await expectFinished(page, 'checkout');

        const button = payButton(page);
        const text = (await button.innerText()).replace(/\s/g, ' ');
        expect(text).toBe(
          say('checkout:panel.submit', { count: trees, trees, amount: `${currency} ${amount}` }),
        );
        await button.click();
        await page.waitForURL('**/orders/*');
        orderPage = page.url();
        await page.getByText(say('order:timeline.paid'), { exact: true }).waitFor();
        const order = await (await fetch(orderPage.replace('/orders/', '/api/track/'))).json();
        id = order._id;
        await page
          .getByText(say('order:order', { id: shortId(id) }))
          .first()
          .waitFor();
        expect(formatMoney(order.amount, order.currency, language).replace(/\s/g, ' ')).toBe(
          `${currency} ${amount}`,
        );
        await expectFinished(page, 'order page, paid');
      });
    });

    test('the receipt comes in the language of the visit, with the private link', async () => {
      const receipt = await stage.inbox.mail(donor.email, language === 'es' ? /Recibo de/ : /Receipt for/);
      expect(receipt.subject).toContain(shortId(id));
      expect(receipt.text).toContain(orderPage);
    });

    test('the order goes to a worker by itself, and both hear of it', async () => {
      await stage.inbox.mail(donor.email, language === 'es' ? /va a sembrar/ : /will plant/);
      worker = await waitFor('a mail to the worker', async () => {
        for (const one of DEMO_WORKERS) {
          const mails = await stage.inbox.all(one.email);
          if (mails.some((mail) => mail.subject.includes(shortId(id)))) return one;
        }
        return undefined;
      });
    });

    test('the worker plants, sends a photo, sees it and completes the order', async () => {
      await visit(async (page) => {
        await page.context().grantPermissions(['geolocation']);
        await page.context().setGeolocation({ ...PLACE, accuracy: 8 });
        await page.goto(`${stage.product.url}/worker-portal`);
        await page.getByLabel(say('portal:logIn.workerId')).waitFor();
        await expectFinished(page, 'worker log-in');
        await logIn(page, say, 'workerId', worker.worker!.code, stage.product.demoPassword);
        const assignment = page.getByRole('article').filter({ hasText: donor.email });
        await assignment.getByText(status('assigned')).waitFor();
        await expectFinished(page, 'assignments');
        // Anything but the first is a row that opens.
        const row = assignment.locator('details:not([open]) > summary');
        if (await row.first().isVisible()) await row.first().click();
        await assignment.getByRole('button', { name: say('worker:assignment.markPlanted') }).click();
        await assignment.getByText(say('worker:plant.found', { metres: 8 })).waitFor();
        await assignment.getByRole('button', { name: say('worker:plant.save') }).click();
        await assignment.getByText(status('planted'), { exact: true }).waitFor();

        const photo = await fieldPhoto('ph-planting.jpg', PLACE, new Date());
        await assignment.locator('input[type=file][multiple]').setInputFiles({
          name: 'IMG_0001.jpg',
          mimeType: 'image/jpeg',
          buffer: Buffer.from(await photo.arrayBuffer()),
        });
        const thumbnail = assignment.locator('img[src*="/api/photos/"]');
        await thumbnail.first().waitFor();
        await waitFor('the thumbnail to be drawn', () =>
          thumbnail.first().evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0),
        );
        await expectFinished(page, 'assignment with photo');
        // The phone shows a step at once and sends it by itself: who closes it before has not told anybody yet.
        const told = page.waitForResponse(
          (response) =>
            /\/status$/.test(response.url()) && response.request().postData()?.includes('completed') === true,
        );
        await assignment.getByRole('button', { name: say('worker:assignment.markCompleted') }).click();
        await assignment.getByText(status('completed'), { exact: true }).waitFor();
        expect((await told).status()).toBe(200);
      });
    });

    test('the donor hears of each step, opens an account, verifies it and finds trees, planter, map and photo', async () => {
      await stage.inbox.mail(donor.email, language === 'es' ? /en tierra/ : /in the ground/);
      await stage.inbox.mail(donor.email, language === 'es' ? /foto/i : /photo/i);
      await stage.inbox.mail(donor.email, language === 'es' ? /está completo/ : /is complete/);

      await visit(async (page) => {
        await page.goto(`${stage.product.url}/customer-portal`);
        await page.getByRole('tab', { name: say('customer:tabs.register') }).click();
        await page.getByLabel(say('customer:register.name'), { exact: true }).fill(donor.name);
        await page.getByLabel(say('customer:register.email'), { exact: true }).fill(donor.email);
        await page.getByLabel(say('customer:register.password'), { exact: true }).fill(PASSWORD);
        await page.getByLabel(say('customer:register.confirm'), { exact: true }).fill(PASSWORD);
        await expectFinished(page, 'register');
        await page.getByRole('button', { name: say('customer:register.submit'), exact: true }).click();
        await page.getByText(say('customer:verify.notice', { email: donor.email })).waitFor();
        expect(await page.getByRole('article').count()).toBe(0);
        await expectFinished(page, 'portal before the address is verified');

        const mail = await stage.inbox.mail(
          donor.email,
          language === 'es' ? /Verifica tu correo/ : /Verify your email/,
        );
        const link = /https?:\/\/\S+\/verify-email#token=[\w-]+/.exec(mail.text)?.[0];
        await page.goto(link!);
        const story = page.getByRole('article').filter({ hasText: shortId(id) });
        await story.getByText(status('completed')).waitFor();
        await story.getByText(worker.name).first().waitFor();
        await story
          .getByText(`${PLACE.latitude.toFixed(6)}`)
          .first()
          .waitFor();
        await story.getByRole('button', { name: say('map.show') }).waitFor();
        const photo = story.locator('img[src*="/api/photos/"]').first();
        await photo.scrollIntoViewIfNeeded();
        await waitFor('the photo to be drawn', () =>
          photo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0),
        );
        await expectFinished(page, 'portal with the order');
        await page.goto(orderPage);
        await page.getByText(worker.name).first().waitFor();
        await expectFinished(page, 'order page, completed');
      });
    });

    test('the admin finds the order with its whole history', async () => {
      await visit(async (page) => {
        await page.goto(`${stage.product.url}/admin-dashboard`);
        await logIn(page, say, 'email', DEMO_ADMIN.email, stage.product.demoPassword);
        const row = page.getByRole('row').filter({ hasText: shortId(id) });
        await row.getByText(status('completed')).waitFor();
        await expectFinished(page, 'admin orders');
        await row.getByRole('button').first().click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText(donor.email).first().waitFor();
        const history = dialog.getByRole('list').last();
        for (const step of ['assigned', 'planted', 'completed'])
          await history.getByText(status(step)).first().waitFor();
        await history.getByText(say('admin:history.paid'), { exact: true }).waitFor();
        await expectFinished(page, 'order details');
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
      });
    });
  });
}
