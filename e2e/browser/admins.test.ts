import { beforeAll, expect, jest, test } from '@jest/globals';
import { openVisit } from '../harness/browser.ts';
import { textsOf } from '../harness/texts.ts';
import { expectFinished } from './finished.ts';
import { logIn } from './people.ts';
import { makeOwner, PASSWORD, useSetup } from './setup.ts';

jest.setTimeout(120_000);

const setup = useSetup();
let owner: Awaited<ReturnType<typeof makeOwner>>;
beforeAll(async () => {
  owner = await makeOwner(setup, 'gloria@admins.test', 'Gloria Peña');
});

test('an owner invites an admin, who sees what the role includes and is logged out when it changes', async () => {
  const say = textsOf('es');
  const email = 'nidia@admins.test';
  const { context, page, faults } = await openVisit(setup.browser, { language: 'es', width: 1280 });
  const guest = await openVisit(setup.browser, { language: 'es', width: 360 });
  try {
    await page.goto(`${setup.product.url}/admin-dashboard?view=admins`);
    await logIn(page, say, 'email', owner.email, PASSWORD);
    await page.getByLabel(say('portal:logIn.code'), { exact: true }).fill(owner.recoveryCodes.pop()!);
    await page.getByRole('button', { name: say('portal:logIn.submit'), exact: true }).click();
    await page.getByRole('button', { name: say('admins:add'), exact: true }).click();
    const form = page.getByRole('dialog', { name: say('admins:addTitle') });
    await form.getByLabel(say('admins:name'), { exact: true }).fill('Nidia Ortega');
    await form.getByLabel(say('admins:email'), { exact: true }).fill(email);
    await form.getByRole('radio', { name: say('admin:roles.support') }).check();
    await expectFinished(page, 'inviting an admin');
    await form.getByRole('button', { name: say('admins:invite'), exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: email });
    await row.getByText(say('admins:states.invited'), { exact: true }).waitFor();
    await expectFinished(page, 'admins');

    const mail = await setup.inbox.mail(email, /reset-password#/);
    await guest.page.goto(/https?:\/\/\S+\/reset-password\S*/.exec(mail.text)![0]);
    await guest.page.locator('input[type=password]').first().waitFor();
    for (const field of await guest.page.locator('input[type=password]').all()) await field.fill(PASSWORD);
    await guest.page.getByRole('button', { name: say('account:reset.submit') }).click();
    const parts = guest.page.getByRole('navigation', { name: say('admin:views.label') });
    await parts.getByRole('link', { name: say('admin:views.mails') }).waitFor();
    expect(await parts.getByRole('link', { name: say('admin:views.payments'), exact: true }).count()).toBe(0);
    await guest.page.goto(`${setup.product.url}/admin-dashboard?view=payments`);
    await guest.page.getByText(say('admin:notYourRole')).waitFor();
    await expectFinished(guest.page, 'a part of the dashboard that the role does not include');

    await page.reload();
    await row.getByText(say('admins:states.active'), { exact: true }).waitFor();
    await row.getByRole('button', { name: new RegExp(`^${say('admins:acts.edit')}`) }).click();
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: say('admin:roles.finance') })
      .check();
    await page.getByRole('button', { name: say('admins:save'), exact: true }).click();
    await row.getByText(say('admin:roles.finance'), { exact: true }).waitFor();
    await setup.inbox.mail(email, new RegExp(say('admin:roles.finance')));

    await guest.page.reload();
    await logIn(guest.page, say, 'email', email, PASSWORD);
    await parts.getByRole('link', { name: say('admin:views.payments'), exact: true }).waitFor();
    expect(faults).toEqual([]);
  } finally {
    await context.close();
    await guest.context.close();
  }
});
