import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Language, type Say, textsOf } from '../harness/texts.ts';
import { soon, waitFor } from '../harness/wait.ts';
import { atDashboard } from './admin.ts';
import { downloaded } from './downloading.ts';
import { expectFinished } from './finished.ts';
import { dialogOf } from './orders.ts';
import { logIn } from './people.ts';
import {
  type FieldWorker,
  type GivenOrder,
  makeAdmin,
  makeCustomer,
  makeWorker,
  orderFor,
  PASSWORD,
  useSetup,
} from './setup.ts';
import { visit } from './visiting.ts';

jest.setTimeout(120_000);

const CODE = /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/;

const setup = useSetup();
let worker: FieldWorker;
beforeAll(async () => {
  worker = await makeWorker(setup, 'Rosa Incansable');
});

/** An order whose trees are planted. */
async function planted(email: string, trees = 5): Promise<GivenOrder> {
  const order = await orderFor(setup, worker, email, { trees });
  await setup.driver.plant(worker.token, order.assignmentId);
  await waitFor(
    'the planting',
    async () => (await setup.driver.track(order.orderToken))?.status === 'planted',
  );
  return order;
}

/** @returns its code */
async function certified(order: GivenOrder, name: string | null, language: Language): Promise<string> {
  const { certificate } = await setup.driver.call('POST /api/track/{token}/certificate', {
    params: { token: order.orderToken },
    body: { name, language, email: order.email },
  });
  return certificate.code;
}

const openPage = (page: Page, path: string) => page.goto(`${setup.product.url}${path}`);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const verdict = (page: Page, title: string) => page.getByRole('heading', { level: 1, name: title }).waitFor();

async function check(page: Page, say: Say, code: string): Promise<void> {
  await openPage(page, '/verify');
  await page.getByLabel(say('certificate:verify.code'), { exact: true }).fill(code);
  await press(page, say('certificate:verify.submit'));
}

/** The code of the only certificate on the page. */
const shownCode = async (page: Page): Promise<string> =>
  (await page.locator('main a[href^="/c/"]').getAttribute('href'))!.slice('/c/'.length);

describe.each<[Language, number]>([
  ['en', 1280],
  ['es', 360],
])('in %s at %i px', (language, width) => {
  const say = textsOf(language);
  const visitor = { language, width };

  test('a customer gets a certificate, and a verifier checks it by its PDF and by its code', async () => {
    const email = `certificate-${language}@customer.test`;
    await makeCustomer(setup, email, language);
    await planted(email);
    let pdf: Buffer;
    let code: string;
    await visit(
      setup,
      async (page) => {
        await openPage(page, '/customer-portal');
        await logIn(page, say, 'email', email, PASSWORD);
        await press(page, say('certificate:own.get'));
        await page.getByLabel(say('certificate:own.name'), { exact: true }).fill('Emma & Óliver');
        await expectFinished(page, `the form of a certificate, in ${language}`);
        await press(page, say('certificate:own.make'));
        await page.getByText(say('certificate:own.done')).waitFor();
        code = await shownCode(page);
        expect(code).toMatch(CODE);
        const document = await downloaded(page, () => press(page, say('certificate:pdf')));
        expect(document.name).toBe(`arboleda-${code}.pdf`);
        pdf = document.bytes;
        const picture = await downloaded(page, () => press(page, say('certificate:picture.download')));
        expect(picture.name).toBe(`arboleda-${code}.png`);
        // The header of a PNG: its signature, then width and height at bytes 16 and 20.
        expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG');
        expect([picture.bytes.readUInt32BE(16), picture.bytes.readUInt32BE(20)]).toEqual([1200, 630]);
        await expectFinished(page, `a certificate in the portal, in ${language}`);
      },
      visitor,
    );
    await visit(
      setup,
      async (page) => {
        await openPage(page, '/verify');
        const sent: string[] = [];
        page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
        await expectFinished(page, `checking, in ${language}`);
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: pdf });
        await verdict(page, say('certificate:valid.title'));
        await soon(async () => expect(new URL(page.url()).pathname).toBe(`/c/${code}`));
        expect(sent).toEqual([]);
        await page.getByText(say('certificate:sheet.for', { name: 'Emma & Óliver' })).waitFor();
        await page.getByText(say('certificate:sheet.trees', { count: 5 })).waitFor();
        await expectFinished(page, `a valid certificate, in ${language}`);
        await check(page, say, code.toLowerCase().replaceAll('-', ' '));
        await verdict(page, say('certificate:valid.title'));
      },
      visitor,
    );
  });

  test('a guest gets one by the private link, and its earlier version leads to the newer one', async () => {
    const order = await planted(`certificate-guest-${language}@customer.test`, 1);
    await visit(
      setup,
      async (page) => {
        await openPage(page, `/orders/${order.orderToken}`);
        await press(page, say('certificate:own.get'));
        await page.getByRole('checkbox', { name: say('certificate:own.showName') }).uncheck();
        // The receipt asks for the same.
        const address = page
          .getByRole('region', { name: say('certificate:own.title'), exact: true })
          .getByLabel(say('certificate:own.email'), { exact: true });
        await address.fill('guess@customer.test');
        await press(page, say('certificate:own.make'));
        await waitFor('the refusal', async () => (await address.getAttribute('aria-invalid')) === 'true');
        await expectFinished(page, `a certificate refused to a guest, in ${language}`);
        await address.fill(` ${order.email.toUpperCase()}`);
        await press(page, say('certificate:own.make'));
        await page.getByText(say('certificate:own.done')).waitFor();
        const first = await shownCode(page);
        await expectFinished(page, `a guest’s certificate, in ${language}`);

        await setup.driver.complete(worker.token, order.assignmentId);
        await waitFor('the newer version', async () => {
          const now = await setup.driver.track(order.orderToken);
          return now?.certificate?.version === 2;
        });
        await openPage(page, `/c/${first}`);
        await verdict(page, say('certificate:superseded.title'));
        await expectFinished(page, `an earlier version, in ${language}`);
        await page.getByRole('link', { name: say('certificate:superseded.open', { version: 2 }) }).click();
        await verdict(page, say('certificate:valid.title'));
        await page.getByText(say('certificate:sheet.nobody')).waitFor();
        await page.getByText(say('certificate:sheet.trees', { count: 1 })).waitFor();
      },
      visitor,
    );
  });

  test('a mistyped and an unknown code get different answers', async () => {
    await visit(
      setup,
      async (page) => {
        await check(page, say, 'K7QF-M2XD-9WBM');
        await page.getByText(say('certificate:verify.mistyped')).waitFor();
        await openPage(page, '/c/K7QF-M2XD-9WBM');
        await verdict(page, say('certificate:mistyped.title'));
        await check(page, say, 'K7QF-M2XD-9WBN');
        await verdict(page, say('certificate:unknown.title'));
        await expectFinished(page, `an unknown certificate, in ${language}`);
      },
      visitor,
    );
  });

  test('an admin revokes a certificate for good, and its page says why', async () => {
    const order = await planted(`certificate-revoked-${language}@customer.test`);
    const code = await certified(order, 'Emma Clarke', language);
    const admin = await makeAdmin(setup, `certificate-${language}@admin.test`);
    await atDashboard(setup, { ...admin, ...visitor }, `orders&order=${order.orderId}`, async (page) => {
      const dialog = dialogOf(page);
      await dialog.getByText(code).waitFor();
      await dialog.getByRole('button', { name: say('admin:certificate.revoke'), exact: true }).click();
      await press(page, say('admin:certificate.revokeForGood'));
      await page.getByText(say('admin:certificate.noReason')).waitFor();
      await expectFinished(page, `a revocation, in ${language}`);
      await page.getByLabel(say('admin:certificate.reason'), { exact: true }).fill('Counted twice.');
      await press(page, say('admin:certificate.revokeForGood'));
      await dialog.getByText('Counted twice.').waitFor();
      await dialog.getByRole('tab', { name: say('admin:details.tab.history') }).click();
      await dialog.getByText(say('admin:history.certificate_revoked')).waitFor();
    });
    await visit(
      setup,
      async (page) => {
        await openPage(page, `/c/${code}`);
        await verdict(page, say('certificate:revoked.title'));
        await page.getByText(say('certificate:revoked.reason', { reason: 'Counted twice.' })).waitFor();
        expect(await page.getByText('Emma Clarke').count()).toBe(0);
        await expectFinished(page, `a revoked certificate, in ${language}`);
        await openPage(page, `/orders/${order.orderToken}`);
        await page.getByText(say('certificate:revoked.reason', { reason: 'Counted twice.' })).waitFor();
        expect(await page.getByRole('button', { name: say('certificate:own.change') }).count()).toBe(0);
      },
      visitor,
    );
  });
});
