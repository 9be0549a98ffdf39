import { shortId } from '@arboleda/contracts/order.ts';
import { describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Say } from '../harness/texts.ts';
import { soon, waitFor } from '../harness/wait.ts';
import { expectFinished } from './finished.ts';
import { dialogOf, en1280, openTab, rowOf, shown, useOrders, VISITORS } from './orders.ts';
import { useSetup } from './setup.ts';

jest.setTimeout(120_000);

const setup = useSetup();
const { admin, assigned, at, edit, enter, orderOf, visit } = useOrders(setup, 'carolina@order.test');

/** Title, close and edit stay in the window when the order is scrolled to its end. */
async function expectInReach(page: Page, say: Say): Promise<void> {
  const dialog = dialogOf(page);
  await dialog.getByRole('region', { name: say('admin:internal.title') }).waitFor();
  await dialog.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  expect(await dialog.evaluate((element) => element.scrollTop)).toBeGreaterThan(100);
  const title = dialog.getByRole('heading', { level: 2 });
  const edit = dialog.getByRole('button', { name: say('admin:edit.open') });
  for (const part of [title, edit]) {
    const box = (await part.boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(page.viewportSize()!.height);
  }
}

describe.each(VISITORS)('in $language at $width px', (visitor) => {
  test('a status is changed after the question, and the history says by whom and why', async () => {
    const { orderId } = await assigned(`status-${visitor.language}@orders.test`, 3);
    await visit(visitor, async (page, say) => {
      const row = rowOf(page, orderId);
      await page.getByRole('searchbox').fill(shortId(orderId));
      // Results replace the rows, and whatever was open in them.
      await waitFor('the order alone', async () => (await shown(page)).length === 1);
      const words = { from: say('status.assigned'), to: say('status.planted') };
      await row.getByRole('combobox').click();
      await page.getByRole('option', { name: words.from, exact: true }).click();
      expect(await page.getByRole('dialog').count()).toBe(0);

      await row.getByRole('combobox').click();
      await page.getByRole('option', { name: words.to, exact: true }).click();
      const question = page.getByRole('dialog', { name: say('admin:status.ask', words) });
      await question.getByLabel(say('admin:status.reason')).fill('Seen in the field.');
      await expectFinished(page, 'the question');
      await question.getByRole('button', { name: say('admin:status.confirm') }).click();
      await row.getByText(words.to).waitFor();

      await row.getByRole('button', { name: say('admin:orders.view') }).click();
      await expectInReach(page, say);
      await openTab(page, say, 'history');
      const history = dialogOf(page).getByRole('list', { name: say('admin:details.tab.history') });
      await history.getByText('Seen in the field.').waitFor();
      await history.getByText(say('admin:by.admin', { name: admin().name })).waitFor();
      await expectFinished(page, 'the order');
      await page.goBack();
      await dialogOf(page).waitFor({ state: 'hidden' });
    });
  });

  test('an edit over somebody else’s is refused, shows theirs, keeps what was typed, and then saves', async () => {
    const { orderId } = await assigned(`edited-${visitor.language}@orders.test`, 4);
    await visit(visitor, async (page, say) => {
      await page.goto(at(`?order=${orderId}`));
      await page.getByRole('button', { name: say('admin:edit.open') }).click();
      await page.getByLabel(say('admin:edit.location')).fill('La Carbonera, Salento');
      await edit(orderId, { trees: 1, notes: 'By the stream.' });
      await page.getByRole('button', { name: say('admin:edit.save') }).click();
      const refused = page.getByRole('alert').filter({ hasText: say('admin:edit.failed') });
      await refused.getByText('By the stream.').waitFor();
      await expectFinished(page, 'an edit refused');
      expect(await page.getByLabel(say('admin:edit.location')).inputValue()).toBe('La Carbonera, Salento');
      expect(await page.getByLabel(say('admin:edit.notes')).inputValue()).toBe('By the stream.');

      await page.getByRole('button', { name: say('admin:edit.save') }).click();
      await page.getByText(say('admin:edit.done')).waitFor();
      const order = await orderOf(orderId);
      expect(order).toMatchObject({ trees: 1, location: 'La Carbonera, Salento' });
    });
  });
});

test('closing over what was typed asks first', async () => {
  const { orderId } = await assigned('closed@orders.test', 7);
  await visit(en1280, async (page, say) => {
    await page.goto(at(`?order=${orderId}`));
    await page.getByRole('button', { name: say('admin:edit.open') }).click();
    await page.getByLabel(say('admin:edit.notes')).fill('Half a thought');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: say('admin:edit.discardTitle') });
    await question.getByRole('button', { name: say('cancel') }).click();
    expect(await page.getByLabel(say('admin:edit.notes')).inputValue()).toBe('Half a thought');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: say('admin:edit.discard'), exact: true }).click();
    await dialogOf(page).waitFor({ state: 'hidden' });
    expect((await orderOf(orderId)).notes).toBeUndefined();
  });
});

test('a token that ends in the middle of an edit costs nothing: after logging in all is there and saves', async () => {
  const { orderId } = await assigned('token@orders.test', 8);
  await visit(en1280, async (page, say) => {
    await page.goto(at(`?order=${orderId}`));
    await page.getByRole('button', { name: say('admin:edit.open') }).click();
    await page.getByLabel(say('admin:edit.notes')).fill('Typed before the end');
    await page.context().route(`**/api/admin/orders/${orderId}`, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({
            status: 401,
            json: { type: 'unauthenticated', title: 'Please log in.', status: 401 },
          })
        : route.fallback(),
    );
    await page.getByRole('button', { name: say('admin:edit.save') }).click();
    await page.getByLabel(say('portal:logIn.password'), { exact: true }).waitFor();
    await page.context().unroute(`**/api/admin/orders/${orderId}`);
    await enter(page, say);
    const notes = page.getByLabel(say('admin:edit.notes'));
    await notes.waitFor();
    await soon(async () => expect(await notes.inputValue()).toBe('Typed before the end'));
    await page.getByRole('button', { name: say('admin:edit.save') }).click();
    await page.getByText(say('admin:edit.done')).waitFor();
    expect((await orderOf(orderId)).notes).toBe('Typed before the end');
  });
});

test('a note is added once; a change of hands has a reason, and the new worker is shown', async () => {
  const { orderId } = await assigned('note@orders.test', 9);
  await visit(en1280, async (page, say) => {
    await page.goto(at(`?order=${orderId}`));
    const dialog = dialogOf(page);
    await dialog.getByLabel(say('admin:internal.label')).fill('Called the donor.');
    await dialog.getByRole('button', { name: say('admin:internal.add') }).dblclick();
    await dialog.getByRole('listitem').getByText('Called the donor.').waitFor();
    expect((await orderOf(orderId)).internalNotes).toHaveLength(1);

    await dialog.getByRole('button', { name: say('admin:assign.reassign') }).click();
    const choice = dialog.getByRole('group', { name: say('admin:assign.worker') });
    const best = choice.locator('label').filter({ has: page.locator(':checked') });
    const chosen = await best.locator('strong').innerText();
    const give = dialog.getByRole('button', { name: say('admin:assign.submit', { name: chosen }) });
    await give.click();
    await dialog.getByText(say('admin:assign.reasonMissing')).waitFor();
    await expectFinished(page, 'reassigning');
    await dialog.getByLabel(say('admin:assign.reason')).fill('Closer to the plot.');
    await give.click();
    await dialog.getByText(say('admin:assign.done')).waitFor();
    await dialog
      .getByText(new RegExp(`^${chosen} · `))
      .first()
      .waitFor();
  });
});

test('an email that was sent is read from its order', async () => {
  const { orderId } = await assigned('letter@orders.test', 3);
  await setup.inbox.mail('letter@orders.test', /3/);
  await visit(en1280, async (page, say) => {
    await page.goto(at(`?order=${orderId}`));
    await openTab(page, say, 'mails');
    const mails = dialogOf(page).getByRole('list', { name: say('admin:mails.title') });
    await mails
      .getByRole('button', { name: say('admin:mails.read'), exact: false })
      .last()
      .click();
    await dialogOf(page)
      .getByRole('article', { name: say('admin:mails.text') })
      .getByText(/3/)
      .first()
      .waitFor();
    await expectFinished(page, 'an email of an order');
  });
});
