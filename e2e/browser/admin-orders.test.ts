import { shortId } from '@arboleda/contracts/order.ts';
import { DEMO_ADMIN } from '@arboleda/local/demo/accounts.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { openVisit, type Visitor } from '../harness/browser.ts';
import { openBuyer } from '../harness/buyer.ts';
import { type Say, textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { openDesk, type Desk } from './desk.ts';
import { expectFinished } from './finished.ts';
import { logIn } from './people.ts';
import { openStage, type Stage } from './stage.ts';

jest.setTimeout(120_000);

/** More than one page of 25. */
const ORDERS = 27;
const emailOf = (number: number) => `donor-${String(number).padStart(2, '0')}@mail.test`;

let stage: Stage;
let desk: Desk;
/** Ids of the orders, by the number of their trees. */
const ids: string[] = [];

beforeAll(async () => {
  stage = await openStage();
  desk = await openDesk(stage.product);
  const buyer = openBuyer(stage.product);
  for (let first = 1; first <= ORDERS; first += 9) {
    const numbers = Array.from({ length: 9 }, (_, at) => first + at);
    const bought = await Promise.all(numbers.map((number) => buyer.buy(emailOf(number), number)));
    for (const [at, { orderId }] of bought.entries()) ids[first + at] = orderId;
  }
  // Every one of them has found its worker, so that no news of that come in the middle.
  await waitFor('all orders to be assigned', async () => (await desk.counts()).assigned === ORDERS);
});
afterAll(() => stage?.close());

async function visit(visitor: Visitor, step: (page: Page, say: Say) => Promise<void>): Promise<void> {
  const { context, page, faults } = await openVisit(stage.browser, visitor);
  try {
    await page.goto(`${stage.product.url}/admin-dashboard`);
    const say = textsOf(visitor.language);
    await enter(page, say);
    await page.getByRole('rowheader').first().waitFor();
    await step(page, say);
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
}

const enter = (page: Page, say: Say) =>
  logIn(page, say, 'email', DEMO_ADMIN.email, stage.product.demoPassword);
const at = (search: string) => `${stage.product.url}/admin-dashboard${search}`;
const rowOf = (page: Page, id: string) => page.getByRole('row').filter({ hasText: shortId(id) });
const shown = (page: Page) => page.getByRole('rowheader').allInnerTexts();
const dialogOf = (page: Page) => page.locator('dialog[open]').first();

describe.each([
  { language: 'en', width: 1280 },
  { language: 'es', width: 360 },
] as const)('in $language at $width px', (visitor) => {
  const [mine, other] = visitor.language === 'en' ? [3, 4] : [5, 6];

  test('filter, search, sort and page live in the address, and the back button goes through them', async () => {
    await visit(visitor, async (page, say) => {
      await page.getByText(say('admin:paging.place', { first: 1, last: 25, all: ORDERS })).waitFor();
      await expectFinished(page, 'orders');

      await page.getByRole('button', { name: say('admin:paging.next') }).click();
      await page.getByText(say('admin:paging.place', { first: 26, last: 27, all: ORDERS })).waitFor();
      expect(new URL(page.url()).searchParams.get('page')).toBe('2');
      await page.getByRole('button', { name: say('admin:paging.previous') }).click();
      await page.getByText(say('admin:paging.place', { first: 1, last: 25, all: ORDERS })).waitFor();

      await page.getByLabel(say('admin:find.sort'), { exact: true }).selectOption('trees');
      await page.waitForURL('**sort=trees**');
      await waitFor('the most trees first', async () => (await shown(page))[0] === shortId(ids[ORDERS]!));
      await page.reload();
      await waitFor('the same after a reload', async () => (await shown(page))[0] === shortId(ids[ORDERS]!));

      await page.getByRole('searchbox').fill(emailOf(mine));
      await page.waitForURL(/q=donor/);
      await waitFor('one row', async () => (await shown(page)).join() === shortId(ids[mine]!));
      await page.getByRole('button', { name: new RegExp(`^${say('status.completed')}`) }).click();
      await page.getByText(say('admin:orders.emptyTitle')).waitFor();
      await expectFinished(page, 'no orders found');

      await page.goBack();
      await waitFor('the row again', async () => (await shown(page)).join() === shortId(ids[mine]!));
      await page.goBack();
      await waitFor('an empty search', async () => (await page.getByRole('searchbox').inputValue()) === '');
      expect(new URL(page.url()).searchParams.get('sort')).toBe('trees');
    });
  });

  test('a status is changed after the question, and the history says by whom and why', async () => {
    await visit(visitor, async (page, say) => {
      const row = rowOf(page, ids[mine]!);
      await page.getByRole('searchbox').fill(shortId(ids[mine]!));
      const words = { from: say('status.assigned'), to: say('status.planted') };
      await row.getByRole('combobox').click();
      await page.getByRole('option', { name: words.from }).click();
      expect(await page.getByRole('dialog').count()).toBe(0);

      await row.getByRole('combobox').click();
      await page.getByRole('option', { name: words.to }).click();
      const question = page.getByRole('dialog', { name: say('admin:status.ask', words) });
      await question.getByLabel(say('admin:status.reason')).fill('Seen in the field.');
      await expectFinished(page, 'the question');
      await question.getByRole('button', { name: say('admin:status.confirm') }).click();
      await row.getByText(words.to).waitFor();

      await row.getByRole('button', { name: say('admin:orders.view') }).click();
      const history = dialogOf(page).getByRole('list').last();
      await history.getByText('Seen in the field.').waitFor();
      await history.getByText(say('admin:by.admin', { name: DEMO_ADMIN.name })).waitFor();
      await expectFinished(page, 'the order');
      await page.goBack();
      await dialogOf(page).waitFor({ state: 'hidden' });
    });
  });

  test('an edit over somebody else’s is refused, shows theirs, keeps what was typed, and then saves', async () => {
    await visit(visitor, async (page, say) => {
      await page.goto(at(`?order=${ids[other]}`));
      await page.getByRole('button', { name: say('admin:edit.open') }).click();
      await page.getByLabel(say('admin:edit.location')).fill('La Carbonera, Salento');
      await desk.edit(ids[other]!, { trees: 1, notes: 'By the stream.' });
      await page.getByRole('button', { name: say('admin:edit.save') }).click();
      const refused = page.getByRole('alert').filter({ hasText: say('admin:edit.failed') });
      await refused.getByText('By the stream.').waitFor();
      await expectFinished(page, 'an edit refused');
      expect(await page.getByLabel(say('admin:edit.location')).inputValue()).toBe('La Carbonera, Salento');
      expect(await page.getByLabel(say('admin:edit.notes')).inputValue()).toBe('By the stream.');

      await page.getByRole('button', { name: say('admin:edit.save') }).click();
      await page.getByText(say('admin:edit.done')).waitFor();
      const order = await desk.order(ids[other]!);
      expect(order).toMatchObject({ trees: 1, location: 'La Carbonera, Salento' });
    });
  });
});

const en1280 = { language: 'en', width: 1280 } as const;

test('closing over what was typed asks first', async () => {
  await visit(en1280, async (page, say) => {
    await page.goto(at(`?order=${ids[7]}`));
    await page.getByRole('button', { name: say('admin:edit.open') }).click();
    await page.getByLabel(say('admin:edit.notes')).fill('Half a thought');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: say('admin:edit.discardTitle') });
    await question.getByRole('button', { name: say('cancel') }).click();
    expect(await page.getByLabel(say('admin:edit.notes')).inputValue()).toBe('Half a thought');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: say('admin:edit.discard'), exact: true }).click();
    await dialogOf(page).waitFor({ state: 'hidden' });
    expect((await desk.order(ids[7]!)).notes).toBeUndefined();
  });
});

test('a token that ends in the middle of an edit costs nothing: after logging in all is there and saves', async () => {
  await visit(en1280, async (page, say) => {
    await page.goto(at(`?order=${ids[8]}`));
    await page.getByRole('button', { name: say('admin:edit.open') }).click();
    await page.getByLabel(say('admin:edit.notes')).fill('Typed before the end');
    await page.context().route(
      `**/api/admin/orders/${ids[8]}`,
      (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 401, json: { type: 'unauthenticated', title: 'Please log in.', status: 401 } })
          : route.fallback(),
    ); // prettier-ignore
    await page.getByRole('button', { name: say('admin:edit.save') }).click();
    await page.getByLabel(say('portal:logIn.password'), { exact: true }).waitFor();
    await page.context().unroute(`**/api/admin/orders/${ids[8]}`);
    await enter(page, say);
    const notes = page.getByLabel(say('admin:edit.notes'));
    await notes.waitFor();
    expect(await notes.inputValue()).toBe('Typed before the end');
    await page.getByRole('button', { name: say('admin:edit.save') }).click();
    await page.getByText(say('admin:edit.done')).waitFor();
    expect((await desk.order(ids[8]!)).notes).toBe('Typed before the end');
  });
});

test('a note is added once; a change of hands has a reason, and the new worker is shown', async () => {
  await visit(en1280, async (page, say) => {
    await page.goto(at(`?order=${ids[9]}`));
    const dialog = dialogOf(page);
    await dialog.getByLabel(say('admin:internal.label')).fill('Called the donor.');
    await dialog.getByRole('button', { name: say('admin:internal.add') }).dblclick();
    await dialog.getByRole('listitem').getByText('Called the donor.').waitFor();
    expect((await desk.order(ids[9]!)).internalNotes).toHaveLength(1);

    await dialog.getByRole('button', { name: say('admin:assign.reassign') }).click();
    const choice = dialog.getByLabel(say('admin:assign.worker'));
    const chosen = (await choice.locator('option:checked').innerText()).split(' · ')[0]!;
    const give = dialog.getByRole('button', { name: say('admin:assign.submit', { name: chosen }) });
    await give.click();
    await dialog.getByText(say('admin:assign.reasonMissing')).waitFor();
    await expectFinished(page, 'reassigning');
    await dialog.getByLabel(say('admin:assign.reason')).fill('Closer to the plot.');
    await give.click();
    await dialog.getByText(say('admin:assign.done')).waitFor();
    await dialog.getByText(new RegExp(`^${chosen} · `)).first().waitFor(); // prettier-ignore
  });
});

test('a double click refunds once, what the button says', async () => {
  await visit(en1280, async (page, say) => {
    await page.goto(at(`?order=${ids[10]}`));
    await dialogOf(page).getByRole('button', { name: say('admin:refund.open') }).click(); // prettier-ignore
    const refund = page.getByRole('dialog', { name: say('admin:refund.title', { id: shortId(ids[10]!) }) });
    await refund.getByLabel(say('admin:refund.part')).check();
    await refund.getByLabel(say('admin:refund.amount', { currency: 'USD' })).fill('12.50');
    await refund.getByLabel(say('admin:refund.reason')).fill('Two and a half trees less.');
    await expectFinished(page, 'the refund');
    await refund.getByRole('button', { name: /USD\s12\.50$/ }).dblclick();
    await refund.waitFor({ state: 'hidden' });
    await dialogOf(page).getByText('Two and a half trees less.').first().waitFor(); // prettier-ignore
    const { refunds } = await desk.payment(ids[10]!);
    expect(refunds.map((one) => one.amount)).toEqual([1250]);
  });
});

test('the file holds what the filters find, not only the page', async () => {
  await visit(en1280, async (page, say) => {
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: say('admin:find.csvOf_other', { shown: ORDERS }) }).click();
    const saved = await file;
    expect(saved.suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await saved.path(), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(ORDERS + 1);
    for (const id of ids.slice(1)) expect(lines.filter((line) => line.startsWith(id))).toHaveLength(1);
  });
});

test('by keyboard alone: search, walk the rows, open, close, and the focus is where it was', async () => {
  await visit(en1280, async (page, say) => {
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    await page.getByRole('row').nth(2).waitFor();
    await page.keyboard.press('/');
    expect(await page.getByRole('searchbox').evaluate((box) => box === document.activeElement)).toBe(true);
    await page.keyboard.type('donor-1');
    await page.waitForURL(/q=donor-1/);
    await waitFor('fewer rows', async () => (await shown(page)).length < 25);
    await page.getByRole('searchbox').blur();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('ArrowDown');
    const second = (await shown(page))[1]!;
    expect(await focused()).toBe(say('admin:orders.viewOne', { id: second }));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: say('admin:details.title', { id: second }) }).waitFor();
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'hidden' });
    expect(await focused()).toBe(say('admin:orders.viewOne', { id: second }));

    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: say('admin:keys.title') });
    await expectFinished(page, 'the help');
    await help.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

test('a new order does not move the list under the hand; it is shown when asked for', async () => {
  await visit(en1280, async (page, say) => {
    await page.getByRole('row').nth(2).waitFor();
    const before = await shown(page);
    const { orderId } = await openBuyer(stage.product).buy('late@mail.test', 2);
    await page.getByText(say('admin:news.arrived', { count: 1 })).waitFor();
    expect(await shown(page)).toEqual(before);
    await page.getByRole('button', { name: say('admin:news.show') }).click();
    await rowOf(page, orderId).waitFor();
  });
});
