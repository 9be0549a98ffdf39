import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { receipt } from '@arboleda/cli/demo/photos.ts';
import { photo } from '../driver/pictures.ts';
import { totp } from '../driver/totp.ts';
import { openVisit } from '../harness/browser.ts';
import { type Language, textsOf } from '../harness/texts.ts';
import { soon, waitFor } from '../harness/wait.ts';
import { atDashboard } from './admin.ts';
import { expectFinished } from './finished.ts';
import { logIn } from './people.ts';
import { makeAdmin, makeOwner, makeWorker, orderFor, PASSWORD, type Person, useSetup } from './setup.ts';

jest.setTimeout(120_000);

const setup = useSetup();
const { driver } = setup;
let admin: Person;
beforeAll(async () => {
  admin = await makeAdmin(setup, 'carolina@admin.test');
});

/** A bank transfer with two pictures, as the checkout announces it. */
const announce = async (donor: { name: string; email: string }, language: Language) =>
  driver.announce(donor.email, {
    name: donor.name,
    language,
    reference: donor.name.slice(0, 12),
    evidence: [await receipt('transfer-school.jpg'), await receipt('transfer-elsewhere.jpg')],
  });

const WAYS: readonly { language: Language; width: number }[] = [
  { language: 'en', width: 1280 },
  { language: 'es', width: 360 },
];

describe.each(WAYS)('a transfer in $language at $width px', ({ language, width }) => {
  const say = textsOf(language);
  const seat = () => ({ ...admin, language, width });
  const donorOf = (name: string) => ({
    name,
    email: `${name.split(' ')[0]!.toLowerCase()}-${language}@admin.test`,
  });

  test('is reviewed with its proofs, approved once by a double click, and its donor sees it', async () => {
    const donor = donorOf(
      language === 'en' ? 'Felipe Barrera' : 'Maximiliana Fernández de la Torre y Ospina',
    );
    const { orderId, orderToken } = await announce(donor, language);
    const visitor = await openVisit(setup.browser, { language, width });
    await visitor.page.goto(`${setup.product.url}/orders/${orderToken}`);
    await visitor.page.getByText(say('order:headline.to-verify')).waitFor();
    await atDashboard(setup, seat(), 'transfers', async (page) => {
      const row = page.getByRole('row').filter({ hasText: donor.email });
      await row.waitFor();
      await expectFinished(page, 'transfers');
      await row.getByRole('button').click();
      const dialog = page.getByRole('dialog', { name: say('panels:review.title') });
      await dialog.getByText('transfer-school.jpg').first().waitFor();
      await page.reload();
      const proof = dialog.getByRole('img', {
        name: say('panels:review.proof', { name: 'transfer-school.jpg' }),
      });
      await proof.waitFor();
      await waitFor('the proof to be drawn', () =>
        proof.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0),
      );
      await expectFinished(page, 'review of a transfer');
      await dialog.getByText(say('panels:review.notOurs'), { exact: true }).waitFor();
      await dialog.getByLabel(say('panels:review.amountReceived')).fill('82300');
      await dialog.getByText(say('panels:review.same'), { exact: true }).waitFor();
      await dialog.getByRole('button', { name: say('panels:decision.approve'), exact: true }).click();
      const asked = page.getByRole('dialog', { name: say('panels:decision.approveTitle') });
      await expectFinished(page, 'question before an approval');
      await asked.getByRole('button', { name: /82/ }).dblclick();
      await dialog.getByText(say('panels:outcome.verified')).waitFor();
      await dialog
        .getByRole('button', { name: say('close'), exact: true })
        .last()
        .click();
      await row.waitFor({ state: 'detached' });
    });
    await visitor.page.getByText(say('order:headline.to-verify')).waitFor({ state: 'detached' });
    await visitor.context.close();
    const token = await setup.admin();
    const order = await waitFor('the order among the orders', async () => {
      const query = { q: donor.email };
      const { orders } = await driver.call('GET /api/admin/orders/manage', { token, query });
      return orders.find(({ _id }) => _id === orderId);
    });
    expect(order.amount).toBe(8_230_000);
    await setup.inbox.mail(donor.email, language === 'es' ? /Transferencia aprobada/ : /Transfer approved/);
    const mails = (await setup.inbox.all(donor.email)).filter(({ subject }) =>
      /aprobada|approved/.test(subject),
    );
    expect(mails).toHaveLength(1);
  });

  test('is rejected with a reason that the donor reads', async () => {
    await announce(donorOf('Diego Lara'), language);
    const donor = donorOf('Nora Quintero');
    const { orderToken } = await announce(donor, language);
    await atDashboard(setup, seat(), 'transfers', async (page) => {
      await page.getByRole('row').filter({ hasText: donor.email }).getByRole('button').click();
      const dialog = page.getByRole('dialog', { name: say('panels:review.title') });
      await dialog.getByText(say('panels:transfers.flags.file-used-before')).first().waitFor();
      const reject = dialog.getByRole('button', { name: say('panels:decision.reject'), exact: true });
      await reject.click();
      await dialog.getByText(say('panels:reason.missing')).waitFor();
      await dialog.getByLabel(say('panels:reason.common')).selectOption('other-order');
      await reject.click();
      const asked = page.getByRole('dialog', { name: say('panels:decision.rejectTitle') });
      await asked.getByRole('button', { name: say('panels:decision.rejectConfirm') }).click();
      await dialog.getByText(say('panels:outcome.rejected'), { exact: true }).waitFor();
      await expectFinished(page, 'rejected transfer');
    });
    const mail = await setup.inbox.mail(
      donor.email,
      language === 'es' ? /No pudimos verificar/ : /could not verify/,
    );
    expect(mail.text).toContain(
      say('panels:reason.write.other-order', { reference: 'Nora Quinter' }).split('(')[0],
    );
    const { context, page } = await openVisit(setup.browser, { language, width });
    await page.goto(`${setup.product.url}/orders/${orderToken}`);
    await page.getByText(say('order:headline.rejected')).waitFor();
    await context.close();
  });

  test('that somebody else decided meanwhile says so, and stays as they decided', async () => {
    const donor = donorOf('Carlos Ríos');
    const { orderId } = await announce(donor, language);
    await atDashboard(setup, seat(), 'transfers', async (page) => {
      await page.getByRole('row').filter({ hasText: donor.email }).getByRole('button').click();
      const dialog = page.getByRole('dialog', { name: say('panels:review.title') });
      await dialog.getByRole('button', { name: say('panels:decision.approve'), exact: true }).click();
      const asked = page.getByRole('dialog', { name: say('panels:decision.approveTitle') });
      const confirm = asked.getByRole('button', { name: /82/ });
      await confirm.waitFor();
      // Nothing tells this window of it before the button is pressed.
      await page.route('**/pending-verification**', (route) => route.abort(), { times: 100 });
      await driver.reject(await setup.admin(), orderId, 'The money went elsewhere');
      await page.unroute('**/pending-verification**');
      await confirm.click();
      await dialog.getByText('The money went elsewhere').waitFor();
      await dialog.getByText(say('panels:outcome.race')).waitFor();
    });
  });
});

test('a worker is added, accepts by the mail’s link, logs in, and is deactivated', async () => {
  const say = textsOf('es');
  const email = 'rosa@admin.test';
  await atDashboard(setup, { ...admin, language: 'es', width: 1280 }, 'workers', async (page) => {
    await page.getByRole('button', { name: say('panels:workers.add'), exact: true }).click();
    const form = page.getByRole('dialog', { name: say('panels:workers.addTitle') });
    await form.getByRole('button', { name: say('panels:workers.invite') }).click();
    await form.getByText(say('panels:workers.required')).first().waitFor();
    await form.getByLabel(say('panels:facts.name'), { exact: true }).fill('Rosa Elena Chocué');
    await form.getByLabel(say('panels:facts.email'), { exact: true }).fill(email);
    await form.getByLabel(say('panels:workers.region'), { exact: true }).fill('Cauca');
    // Without capacity, or orders of other test files would be assigned to this worker.
    await form.getByLabel(say('panels:workers.capacity'), { exact: true }).fill('0');
    await expectFinished(page, 'adding a worker');
    await form.getByRole('button', { name: say('panels:workers.invite') }).click();
    const row = page.getByRole('row').filter({ hasText: email });
    await row.getByText(say('panels:workers.states.invited'), { exact: true }).waitFor();

    const mail = await setup.inbox.mail(email, /Te invitamos a sembrar/);
    const { context, page: phone } = await openVisit(setup.browser, { language: 'es', width: 360 });
    await phone.goto(/https?:\/\/\S+\/reset-password\S*/.exec(mail.text)![0]);
    await phone.locator('input[type=password]').first().waitFor();
    for (const field of await phone.locator('input[type=password]').all()) await field.fill(PASSWORD);
    await phone.getByRole('button', { name: say('account:reset.submit') }).click();
    await phone.getByText(say('account:reset.done')).waitFor();
    // Greeted, which a phone has no room to show.
    await phone.getByText('Rosa').first().waitFor({ state: 'attached' });
    await context.close();

    await page.reload();
    await row.getByText(say('panels:workers.states.active'), { exact: true }).waitFor();
    await expectFinished(page, 'workers');
    await row.getByRole('button', { name: new RegExp(`^${say('panels:workers.acts.deactivate')}`) }).click();
    const asked = page.getByRole('dialog');
    await asked.getByText(say('panels:workers.noOpen')).waitFor();
    await asked.getByRole('button', { name: say('panels:workers.confirm.deactivate'), exact: true }).click();
    await row.getByText(say('panels:workers.states.inactive'), { exact: true }).waitFor();
  });
});

test('the second factor is turned on, asked for at the next login, and turned off', async () => {
  const say = textsOf('en');
  await makeOwner(setup, 'keeper@admin.test');
  const { email, ...own } = await makeAdmin(setup, 'factor@admin.test');
  await atDashboard(setup, { ...own, email, language: 'en', width: 360 }, 'security', async (page) => {
    await page.getByRole('button', { name: say('panels:security.setUp'), exact: true }).click();
    const part = page.getByRole('region', { name: say('panels:security.factor') });
    await part.getByLabel(say('panels:security.fields.currentPassword')).fill(PASSWORD);
    await part.getByRole('button', { name: say('panels:security.goOn') }).click();
    const link = part.getByRole('link', { name: say('panels:security.openApp') });
    const secret = new URL((await link.getAttribute('href'))!).searchParams.get('secret')!;
    await expectFinished(page, 'setting up the second factor');
    const code = part.getByRole('textbox', { name: say('panels:security.fields.code') });
    await soon(async () =>
      expect(await code.evaluate((field) => field === document.activeElement)).toBe(true),
    );
    await soon(async () => expect(await code.inputValue()).toBe(''));
    // Sent by itself at the sixth digit.
    await code.fill('000000');
    await part.locator('[aria-invalid]').waitFor();
    await code.fill(totp(secret, Date.now()));
    await part.getByText(say('panels:security.codes')).waitFor();
    const codes = await part.getByRole('listitem').allInnerTexts();
    expect(codes.length).toBeGreaterThan(5);
    await expectFinished(page, 'recovery codes');

    await page.getByRole('button', { name: say('portal:logOut'), exact: true }).click();
    await logIn(page, say, 'email', email, PASSWORD);
    await page.getByLabel(say('portal:logIn.code'), { exact: true }).fill(codes[0]!);
    await page.getByRole('button', { name: say('portal:logIn.submit'), exact: true }).click();
    await page.getByRole('button', { name: say('panels:security.turnOff') }).click();
    await part.getByLabel(say('panels:security.fields.currentPassword')).fill(PASSWORD);
    await code.fill(codes[1]!);
    await part.getByRole('button', { name: say('panels:security.turnOffNow'), exact: true }).click();
    await part.getByText(say('panels:security.off')).waitFor();
  });
});

test('a flagged photo is looked at and hidden with a reason, and shown again', async () => {
  const say = textsOf('es');
  const worker = await makeWorker(setup);
  const order = await orderFor(setup, worker, 'photo@admin.test');
  await driver.plant(worker.token, order.assignmentId);
  const old = await photo('ph-planting.jpg', new Date('2020-05-01'));
  const photos = await driver.photograph(worker.token, order.assignmentId, [old]);
  const shown = () =>
    fetch(`${setup.product.url}/api/photos/${photos[0]!.filename}`).then(({ status }) => status);
  await waitFor('the photo to be public', async () => (await shown()) === 200);

  await atDashboard(setup, { ...admin, language: 'es', width: 360 }, 'photos', async (page) => {
    const card = page.getByRole('listitem').filter({ hasText: order.orderId.slice(-6).toUpperCase() });
    await card.getByText(say('panels:photos.flags.taken-before-order')).waitFor();
    await card.getByRole('img').waitFor();
    await expectFinished(page, 'flagged photos');
    await card.getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img').waitFor();
    await dialog.getByRole('button', { name: say('panels:photos.hide') }).click();
    await dialog.getByText(say('panels:photos.noReason')).waitFor();
    await dialog.getByLabel(say('panels:photos.reasonHide')).fill('Es de otro año');
    await expectFinished(page, 'photo to hide');
    await dialog.getByRole('button', { name: say('panels:photos.hide') }).click();
    await card.getByText(say('panels:photos.isHidden')).waitFor();
    await waitFor('the photo to be gone', async () => (await shown()) === 404);
    await card.getByRole('button').click();
    await dialog.getByText('Es de otro año').waitFor();
    await dialog.getByLabel(say('panels:photos.reasonRestore')).fill('Sí es de este pedido');
    await dialog.getByRole('button', { name: say('panels:photos.restore') }).click();
    await waitFor('the photo to be back', async () => (await shown()) === 200);
  });
});

test.each(['en', 'es'] as const)(
  'the tab of the part that is open is in view on a phone, in %s',
  async (language) => {
    const say = textsOf(language);
    await atDashboard(setup, { ...admin, language, width: 360 }, 'admins', async (page) => {
      const parts = page.getByRole('navigation', { name: say('admin:views.label') });
      const isInView = async (): Promise<boolean> => {
        const { x, width } = (await parts.locator('[aria-current=page]').boundingBox())!;
        return x >= 0 && x + width <= page.viewportSize()!.width;
      };
      await waitFor('the tab of the admins in view', isInView);
      await page.goto(`${setup.product.url}/admin-dashboard?view=security`);
      await waitFor('the last tab in view', isInView);
      await parts.getByRole('link', { name: say('admin:views.audit'), exact: true }).click();
      await waitFor('the tab that was pressed in view', isInView);
      await page.setViewportSize({ width: 1440, height: 900 });
      // Two turns within one frame are none to the page.
      await page.evaluate(
        () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
      );
      await page.setViewportSize({ width: 360, height: 780 });
      await waitFor('the tab in view after the window was turned', isInView);
    });
  },
);
