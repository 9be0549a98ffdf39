import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Language, textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { type Donors, linkIn, NEW_PASSWORD, openDonors, PASSWORD } from './donors.ts';
import { expectFinished } from './finished.ts';
import { logIn } from './people.ts';
import { openStage, type Stage } from './stage.ts';
import { visit } from './visiting.ts';

jest.setTimeout(120_000);

let stage: Stage;
let donors: Donors;
beforeAll(async () => {
  stage = await openStage();
  donors = await openDonors(stage);
});
afterAll(() => stage?.close());

describe.each<Language>(['en', 'es'])('in %s', (language) => {
  const say = textsOf(language);
  const width = language === 'es' ? 360 : 1280;

  test('a forgotten password is replaced by a mailed link, which serves once', async () => {
    const email = `forgot-${language}@mail.test`;
    await donors.makeCustomer(email, language);
    await visit(
      stage,
      async (page) => {
        await page.goto(`${stage.product.url}/customer-portal`);
        await page.getByLabel(say('portal:logIn.email'), { exact: true }).fill(email);
        await page.getByRole('link', { name: say('portal:logIn.forgot') }).click();
        await page.waitForURL('**/forgot-password?role=customer');
        const address = page.getByLabel(say('portal:logIn.email'), { exact: true });
        expect(await address.inputValue()).toBe(email);
        await expectFinished(page, 'forgot password');
        await page.getByRole('button', { name: say('account:forgot.submit') }).click();
        await page.getByText(say('account:forgot.sent', { email })).waitFor();

        const mail = await stage.inbox.mail(email, /reset-password#/);
        const link = linkIn(mail.text, '/reset-password');
        await page.goto(link);
        await page.getByLabel(say('account:password.new'), { exact: true }).fill(NEW_PASSWORD);
        await page.getByLabel(say('account:password.confirm'), { exact: true }).fill(NEW_PASSWORD);
        expect(new URL(page.url()).hash).toBe('');
        await expectFinished(page, 'reset password');
        await page.getByRole('button', { name: say('account:reset.submit') }).click();
        await page.getByRole('link', { name: say('account:reset.logIn') }).click();
        expect(await page.getByLabel(say('portal:logIn.email'), { exact: true }).inputValue()).toBe(email);
        await logIn(page, say, 'email', email, NEW_PASSWORD);
        await page.getByText(say('customer:orders.emptyTitle')).waitFor();
        await expectFinished(page, 'portal without orders');

        await page.goto('about:blank');
        await page.goto(link);
        await page.getByLabel(say('account:password.new'), { exact: true }).fill(PASSWORD);
        await page.getByLabel(say('account:password.confirm'), { exact: true }).fill(PASSWORD);
        await page.getByRole('button', { name: say('account:reset.submit') }).click();
        await page.getByText(say('account:reset.linkInvalid')).waitFor();
        await page.getByRole('link', { name: say('account:reset.askAgain') }).waitFor();
      },
      { language, width },
    );
  });
});

const say = textsOf('en');

test('the account: language of mails, another password, data, and leaving for good', async () => {
  const email = 'leaving@mail.test';
  await donors.makeCustomer(email);
  await donors.order(email);
  const es = textsOf('es');
  await visit(stage, async (page) => {
    await donors.enter(page, say, email);
    await page.getByRole('link', { name: say('customer:account'), exact: true }).click();
    await page.getByRole('heading', { name: say('account:mine.title') }).waitFor();
    await expectFinished(page, 'account');

    await page.getByRole('combobox', { name: say('account:details.language') }).selectOption('es');
    await page.getByRole('button', { name: say('account:details.save') }).click();
    await page.getByRole('heading', { name: es('account:mine.title') }).waitFor();
    const password = page.getByRole('region', { name: es('account:password.title') });
    await password.getByLabel(es('account:password.current')).fill(PASSWORD);
    await password.getByLabel(es('account:password.new'), { exact: true }).fill(NEW_PASSWORD);
    await password.getByLabel(es('account:password.confirm'), { exact: true }).fill(NEW_PASSWORD);
    await password.getByRole('button', { name: es('account:password.submit') }).click();
    await password.getByText(es('account:password.changed')).waitFor();
    await stage.inbox.mail(email, /contraseña/i);

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: es('account:export.submit') }).click();
    const file = await (await saved).createReadStream();
    const data = JSON.parse(Buffer.concat(await file.toArray()).toString()) as {
      account: { account: { email: string } };
      orders: { orders: unknown[] };
    };
    expect([data.account.account.email, data.orders.orders.length]).toEqual([email, 1]);

    await page.getByRole('button', { name: es('account:delete.open') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(es('account:password.current')).fill(NEW_PASSWORD);
    await expectFinished(page, 'deleting the account');
    await dialog.getByRole('button', { name: es('account:delete.submit') }).click();
    await page.getByText(es('customer:notice.deleted')).waitFor();
    await expectFinished(page, 'after leaving');
    await logIn(page, es, 'email', email, NEW_PASSWORD);
    await page.getByRole('alert').waitFor();
  });
});

test('news of photos are stopped by the link at the end of their mail', async () => {
  const email = 'news@mail.test';
  const bought = await donors.order(email);
  await bought.assign();
  await bought.photograph(await bought.plant(), 1);
  const mail = await stage.inbox.mail(email, /mail-preferences#/);
  await visit(
    stage,
    async (page) => {
      await page.goto(linkIn(mail.text, '/mail-preferences'));
      const choice = page.getByLabel(say('account:mail.news'));
      await choice.uncheck();
      await page.getByText(say('account:mail.off')).waitFor();
      expect(new URL(page.url()).hash).toBe('');
      await page.reload();
      await waitFor('the choice to be kept', async () => !(await choice.isChecked()));
      await expectFinished(page, 'mail preferences');
    },
    { width: 320 },
  );
});
