import { formatMoney } from '@arboleda/contracts/money.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { DEMO_ADMIN, DEMO_WORKERS } from '@arboleda/cli/demo/accounts.ts';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PLACE } from '@arboleda/cli/demo/photos.ts';
import { photo } from '../driver/pictures.ts';
import { linksIn } from '../harness/inbox.ts';
import { type Language, textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { SUBJECTS } from './email-subjects.ts';
import { expectFinished } from './finished.ts';
import { choosePackage, fillCheckout, logIn, payButton } from './people.ts';
import { linkIn, PASSWORD, type Setup } from './setup.ts';
import { visit as visitOf } from './visiting.ts';

const CARD = '4242 4242 4242 4242';

/** Somebody who buys, and what they are asked to pay. */
export interface Purchase {
  language: Language;
  width: number;
  trees: number;
  currency: string;
  amount: string;
}

/** Passed from step to step. */
interface Bought {
  id: string;
  page: string;
}

/** The whole line as people see it: paid, planted, photographed, seen by donor and admin. */
export async function followTheLine(setup: Setup, purchase: Purchase): Promise<void> {
  const { language, width } = purchase;
  const line = {
    setup,
    purchase,
    say: textsOf(language),
    donor: { name: 'Sofía Rueda', email: `sofia-${language}-${width}@line.test` },
    visit: (step: (page: Page) => Promise<void>) => visitOf(setup, step, { language, width }),
  };
  const order = await named('a visitor pays by card', () => payByCard(line));
  await named('the receipt comes', () => readReceipt(line, order));
  const worker = await named('a worker is assigned', () => findWorker(line, order));
  await named('the worker plants', () => plantAndComplete(line, worker));
  await named('the donor opens an account', () => openAccount(line, order, worker));
  await named('the admin finds the order', () => findAsAdmin(line, order));
  await named('the inbox holds what was promised', () => readInbox(line, order, worker));
}

interface Line {
  setup: Setup;
  purchase: Purchase;
  say: ReturnType<typeof textsOf>;
  donor: { name: string; email: string };
  visit(step: (page: Page) => Promise<void>): Promise<void>;
}

type Worker = (typeof DEMO_WORKERS)[number];

/** Says in which step something went wrong. */
async function named<T>(step: string, take: () => Promise<T>): Promise<T> {
  try {
    return await take();
  } catch (error) {
    (error as Error).message = `${step}: ${(error as Error).message}`;
    throw error;
  }
}

async function payByCard({ setup, purchase, say, donor, visit }: Line): Promise<Bought> {
  const { language, trees, currency, amount } = purchase;
  let bought: Bought | undefined;
  await visit(async (page) => {
    await page.goto(setup.product.url);
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
    expect(text).toBe(say('checkout:panel.submit', { count: trees, trees, amount: `${currency} ${amount}` }));
    await button.click();
    await page.waitForURL('**/orders/*');
    const orderPage = page.url();
    const thanks = say('order:thanks.title', {
      name: donor.name.split(' ')[0]!,
      amount: `${currency} ${amount}`,
    });
    await page.getByRole('heading', { level: 1, name: thanks }).waitFor();
    await page.getByText(say('order:thanks.receiptTo', { email: donor.email })).waitFor();
    await page.getByRole('link', { name: say('order:share.whatsapp') }).waitFor();
    await page.getByText(say('order:timeline.paid'), { exact: true }).waitFor();
    const order = await (await fetch(orderPage.replace('/orders/', '/api/track/'))).json();
    const id = order._id as string;
    bought = { id, page: orderPage };
    await page
      .getByText(say('order:order', { id: shortId(id) }))
      .first()
      .waitFor();
    expect(formatMoney(order.amount, order.currency, language).replace(/\s/g, ' ')).toBe(
      `${currency} ${amount}`,
    );
    await expectFinished(page, 'order page, paid');
  });
  return bought!;
}

async function readReceipt(
  { setup, purchase: { language }, donor }: Line,
  { id, page }: Bought,
): Promise<void> {
  const receipt = await setup.inbox.mail(donor.email, language === 'es' ? /Recibo de/ : /Receipt for/);
  expect(receipt.subject).toContain(shortId(id));
  expect(receipt.text).toContain(page);
}

/** It goes to somebody by itself, and both hear of it. */
async function findWorker({ setup, purchase: { language }, donor }: Line, { id }: Bought): Promise<Worker> {
  await setup.inbox.mail(donor.email, language === 'es' ? /va a sembrar/ : /will plant/);
  return waitFor('a mail to the worker', async () => {
    for (const one of DEMO_WORKERS) {
      const mails = await setup.inbox.all(one.email);
      if (mails.some((mail) => mail.subject.includes(shortId(id)))) return one;
    }
    return undefined;
  });
}

async function plantAndComplete({ setup, say, donor, visit }: Line, worker: Worker): Promise<void> {
  const status = (name: string) => say(`status.${name}`);
  await visit(async (page) => {
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation({ ...PLACE, accuracy: 8 });
    await page.goto(`${setup.product.url}/worker-portal`);
    await page.getByLabel(say('portal:logIn.workerId')).waitFor();
    await expectFinished(page, 'worker login');
    await logIn(page, say, 'workerId', worker.worker!.code, setup.product.demoPassword);
    const assignment = page.getByRole('article').filter({ hasText: donor.email });
    await waitFor('the assignment', async () => {
      if (await assignment.getByText(status('assigned')).isVisible()) return true;
      // A worker of many orders is shown some of them first.
      const more = page.getByRole('button', {
        name: new RegExp(say('worker:showMore', { count: 0 }).replace('0', '\\d+')),
      });
      if (await more.first().isVisible()) await more.first().click();
      return false;
    });
    await expectFinished(page, 'assignments');
    // Anything but the first is a row that opens.
    const row = assignment.locator('details:not([open]) > summary');
    if (await row.first().isVisible()) await row.first().click();
    await assignment.getByRole('button', { name: say('worker:assignment.markPlanted') }).click();
    await assignment.getByText(say('worker:plant.found', { distance: '8 m' })).waitFor();
    await assignment.getByRole('button', { name: say('worker:plant.save') }).click();
    await assignment.getByText(status('planted'), { exact: true }).waitFor();

    await assignment.locator('input[type=file][multiple]').setInputFiles([await photo()]);
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
}

/** They hear of each step, verify their address, and find trees, planter, map and photo. */
async function openAccount(
  { setup, purchase: { language }, say, donor, visit }: Line,
  { id, page: orderPage }: Bought,
  worker: Worker,
): Promise<void> {
  await setup.inbox.mail(donor.email, language === 'es' ? /sembrado/ : /in the ground/);
  await setup.inbox.mail(donor.email, language === 'es' ? /foto/i : /photo/i);
  await setup.inbox.mail(donor.email, language === 'es' ? /está completo/ : /is complete/);

  await visit(async (page) => {
    await page.goto(`${setup.product.url}/customer-portal`);
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

    const mail = await setup.inbox.mail(
      donor.email,
      language === 'es' ? /Verifica tu correo/ : /Verify your email/,
    );
    await page.goto(linkIn(mail.text, '/verify-email'));
    const story = page.getByRole('article').filter({ hasText: shortId(id) });
    await story.getByText(say('status.completed')).waitFor();
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
}

async function findAsAdmin({ setup, say, donor, visit }: Line, { id }: Bought): Promise<void> {
  const status = (name: string) => say(`status.${name}`);
  await visit(async (page) => {
    await page.goto(`${setup.product.url}/admin-dashboard`);
    await logIn(page, say, 'email', DEMO_ADMIN.email, setup.product.demoPassword);
    await page.getByRole('searchbox').fill(donor.email);
    await waitFor('their order alone', async () => (await page.getByRole('rowheader').count()) === 1);
    const row = page.getByRole('row').filter({ hasText: shortId(id) });
    await row.getByText(status('completed')).waitFor();
    await expectFinished(page, 'admin orders');
    await row.getByRole('button').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(donor.email).first().waitFor();
    await dialog.getByRole('tab', { name: say('admin:details.tab.history') }).click();
    const history = dialog.getByRole('list', { name: say('admin:details.tab.history') });
    for (const step of ['assigned', 'planted', 'completed'])
      await history.getByText(status(step)).first().waitFor();
    await history.getByText(say('admin:history.paid'), { exact: true }).waitFor();
    await expectFinished(page, 'order details');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });
}

/** From the payment on, each once; the worker is named in the receipt, or in an email of its own. */
const PROMISED = ['receipt', 'planted', 'photos', 'completed', 'verify-email'];

/** No email is missing, too many or in another language, and every link in them leads somewhere. */
async function readInbox(
  { setup, purchase: { language }, donor }: Line,
  { page }: Bought,
  worker: Worker,
): Promise<void> {
  const query = { q: donor.email };
  const token = await setup.admin();
  await waitFor('no email to wait', async () => {
    const { mails } = await setup.driver.call('GET /api/admin/mails', { token, query });
    return mails.every(({ state }) => state !== 'waiting');
  });
  const received = await setup.inbox.all(donor.email);
  const subjects = Object.entries(SUBJECTS[language]);
  const kindOf = (subject: string) => subjects.find(([, said]) => said.test(subject))?.[0] ?? subject;
  const receipt = received.find(({ subject }) => kindOf(subject) === 'receipt')!;
  const promised = receipt.text.includes(worker.name) ? PROMISED : [...PROMISED, 'assigned'];
  expect(received.map(({ subject }) => kindOf(subject)).sort()).toEqual([...promised].sort());
  for (const mail of received) {
    if (kindOf(mail.subject) !== 'verify-email') expect(mail.text).toContain(page);
    for (const link of linksIn(mail)) {
      expect(link.startsWith(setup.product.url)).toBe(true);
      expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    }
  }
}
