import type { CallParts } from '@arboleda/contracts/client.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit, type Visitor } from '../harness/browser.ts';
import { type Say, textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { atDashboard } from './admin.ts';
import { expectFinished } from './finished.ts';
import { logIn } from './people.ts';
import { makeAdmin, type Person, useSetup } from './setup.ts';
import { visit as visitOf } from './visiting.ts';

jest.setTimeout(120_000);

const setup = useSetup();
const { driver } = setup;
let admin: Person;
beforeAll(async () => {
  admin = await makeAdmin(setup, 'carolina@orders.test');
});

/** Buys an order, and waits until its worker is there, so that no news of that come later. */
async function assigned(email: string, trees: number): Promise<{ orderId: string; orderToken: string }> {
  const bought = await driver.buy(email, { trees });
  await driver.worker(await setup.admin(), bought.orderId);
  await waitFor('the worker in the order', async () => (await orderOf(bought.orderId)).status === 'assigned');
  return bought;
}

const orderOf = async (id: string) =>
  (await driver.call('GET /api/admin/orders/{id}', { token: await setup.admin(), params: { id } })).order;
const paymentOf = async (id: string) => driver.payment(await setup.admin(), id);
/** Another admin, who works without a browser. */
const edit = async (id: string, body: CallParts<'PUT /api/admin/orders/{id}'>['body']) =>
  driver.call('PUT /api/admin/orders/{id}', { token: await setup.admin(), params: { id }, body });

/** An admin at the orders. @param search what the address asks for */
async function visit(
  visitor: Visitor,
  step: (page: Page, say: Say) => Promise<void>,
  search = '',
): Promise<void> {
  const { context, page, faults } = await openVisit(setup.browser, visitor);
  try {
    await page.goto(at(search));
    const say = textsOf(visitor.language);
    await enter(page, say);
    await page.getByRole('rowheader').first().waitFor();
    await step(page, say);
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
}

const enter = (page: Page, say: Say) => logIn(page, say, 'email', admin.email, admin.password);
const at = (search: string) => `${setup.product.url}/admin-dashboard${search}`;
const rowOf = (page: Page, id: string) => page.getByRole('row').filter({ hasText: shortId(id) });
const shown = (page: Page) => page.getByRole('rowheader').allInnerTexts();
const dialogOf = (page: Page) => page.locator('dialog[open]').first();
const isPhone = (page: Page) => page.viewportSize()!.width < 800;

/** The status is a select on phones, and a row of buttons elsewhere. */
async function filterByStatus(page: Page, say: Say, status: 'completed'): Promise<void> {
  if (isPhone(page))
    await page.getByRole('combobox', { name: say('admin:orders.filter') }).selectOption(status);
  else await page.getByRole('button', { name: new RegExp(`^${say(`status.${status}`)}`) }).click();
}

async function openTab(page: Page, say: Say, tab: 'history' | 'mails'): Promise<void> {
  await dialogOf(page)
    .getByRole('tab', { name: say(`admin:details.tab.${tab}`) })
    .click();
}

const VISITORS = [
  { language: 'en', width: 1280 },
  { language: 'es', width: 360 },
] as const;
const en1280 = VISITORS[0];

describe('more orders than a page shows', () => {
  const ORDERS = 27;
  /** Prefix of their email addresses. */
  const ALL = 'orchard-';
  const emailOf = (number: number) => `${ALL}${String(number).padStart(2, '0')}@orders.test`;
  /** Ids of the orders, by the number of their trees. */
  const ids: string[] = [];

  beforeAll(async () => {
    for (let first = 1; first <= ORDERS; first += 9) {
      const numbers = Array.from({ length: 9 }, (_, index) => first + index);
      const bought = await Promise.all(numbers.map((number) => assigned(emailOf(number), number)));
      for (const [index, { orderId }] of bought.entries()) ids[first + index] = orderId;
    }
  });

  test.each(VISITORS)(
    'filter, search, sort and page live in the address, and the back button goes through them, in $language at $width px',
    async (visitor) => {
      const mine = visitor.language === 'en' ? 13 : 15;
      await visit(
        visitor,
        async (page, say) => {
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
          await waitFor(
            'the same after a reload',
            async () => (await shown(page))[0] === shortId(ids[ORDERS]!),
          );

          await page.goto(at('?sort=trees'));
          await page.getByRole('searchbox').fill(emailOf(mine));
          await page.waitForURL(`**q=${encodeURIComponent(emailOf(mine))}**`);
          await waitFor('one row', async () => (await shown(page)).join() === shortId(ids[mine]!));
          await filterByStatus(page, say, 'completed');
          await page.getByText(say('admin:orders.emptyTitle')).waitFor();
          await expectFinished(page, 'no orders found');

          await page.goBack();
          await waitFor('the row again', async () => (await shown(page)).join() === shortId(ids[mine]!));
          await page.goBack();
          await waitFor(
            'an empty search',
            async () => (await page.getByRole('searchbox').inputValue()) === '',
          );
          expect(new URL(page.url()).searchParams.get('sort')).toBe('trees');
        },
        `?q=${ALL}`,
      );
    },
  );

  test('a window of 1440 by 900 shows at least 14 orders, under heads that stay', async () => {
    for (const language of ['en', 'es'] as const)
      await visit(
        { language, width: 1440 },
        async (page) => {
          await page.getByRole('row').nth(14).waitFor();
          const rows = await page.getByRole('rowheader').all();
          const boxes = await Promise.all(rows.map((row) => row.boundingBox()));
          const whole = boxes.filter((box) => box && box.y + box.height <= 900);
          expect(whole.length).toBeGreaterThanOrEqual(14);
          for (const box of whole) expect(box!.height).toBeLessThanOrEqual(45);
          await expectFinished(page, `orders at 1440 px in ${language}`);
          await rows.at(-1)!.scrollIntoViewIfNeeded();
          const head = await page.getByRole('columnheader').nth(1).boundingBox();
          expect(head!.y).toBeGreaterThanOrEqual(0);
        },
        `?q=${ALL}`,
      );
  });

  test('filters by worker and region survive a reload, and Back takes them off again', async () => {
    const { assignedWorker } = await orderOf(ids[5]!);
    await visit(
      en1280,
      async (page, say) => {
        const worker = page.getByRole('search').getByLabel(say('admin:columns.worker'));
        await worker.selectOption({ label: assignedWorker!.name });
        await page.waitForURL(`**worker=${assignedWorker!.workerId}**`);
        await page
          .getByRole('search')
          .getByLabel(say('admin:columns.region'))
          .selectOption(assignedWorker!.region);
        await page.waitForURL('**region=**');
        const all = await waitFor('their rows alone', () => shownOf(page, assignedWorker!.name));
        await page.reload();
        await waitFor('the same rows', async () => (await shownOf(page, assignedWorker!.name)) === all);
        expect(await worker.inputValue()).toBe(assignedWorker!.workerId);
        await page.getByRole('button', { name: say('admin:find.refunded') }).click();
        await page.getByText(say('admin:orders.emptyTitle')).waitFor();
        await page.goBack();
        await page.getByRole('rowheader').first().waitFor();
        await page.goBack();
        await page.goBack();
        await waitFor('no filter', async () => (await worker.inputValue()) === '');
      },
      `?q=${ALL}`,
    );
  });

  /** Rows that show a worker, once no other rows do. */
  const shownOf = async (page: Page, worker: string): Promise<number | undefined> => {
    const all = await page.getByRole('rowheader').count();
    const theirs = await page.getByRole('row').filter({ hasText: worker }).count();
    return all === theirs ? all : undefined;
  };

  test('several orders change their status after one question, and each says what happened', async () => {
    await visit(
      en1280,
      async (page, say) => {
        for (const id of [ids[2]!, ids[3]!])
          await page
            .getByRole('checkbox', { name: say('admin:bulk.chooseOne', { id: shortId(id) }) })
            .check();
        await page.getByRole('button', { name: say('admin:bulk.acts.status') }).click();
        const dialog = dialogOf(page);
        await dialog.getByLabel(say('admin:bulk.newStatus')).selectOption('planted');
        await dialog.getByLabel(say('admin:status.reason')).fill('Seen on the round.');
        await expectFinished(page, 'several orders');
        const confirm = dialog.getByRole('button', {
          name: say('admin:bulk.confirm.status_other', { count: 2 }),
        });
        await confirm.dblclick();
        await dialog.getByText(say('admin:bulk.done_other', { count: 2 })).waitFor();
        await expectFinished(page, 'several orders changed');
        for (const id of [ids[2]!, ids[3]!]) {
          const { status, timeline } = await orderOf(id);
          expect(status).toBe('planted');
          expect(timeline.filter(({ reason }) => reason === 'Seen on the round.')).toHaveLength(1);
        }
      },
      `?q=${ALL}&sort=oldest`,
    );
  });

  test('a click on a row opens the order', async () => {
    await visit(en1280, async (page, say) => {
      const first = (await shown(page))[0]!;
      await page.getByRole('rowheader').first().click();
      await page.getByRole('dialog', { name: say('admin:details.title', { id: first }) }).waitFor();
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'hidden' });
    });
  });

  test('the file holds what the filters find, not only the page', async () => {
    await visit(
      en1280,
      async (page, say) => {
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name: say('admin:find.csvOf_other', { shown: ORDERS }) }).click();
        const saved = await download;
        expect(saved.suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/);
        const file = Buffer.concat(await (await saved.createReadStream()).toArray());
        const lines = file.toString().trim().split('\n');
        expect(lines).toHaveLength(ORDERS + 1);
        for (const id of ids.slice(1)) expect(lines.filter((line) => line.startsWith(id))).toHaveLength(1);
      },
      `?q=${ALL}`,
    );
  });

  test('by keyboard alone: search, walk the rows, open, close, and the focus is where it was', async () => {
    await visit(en1280, async (page, say) => {
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
      await page.getByRole('row').nth(2).waitFor();
      await page.keyboard.press('/');
      expect(await page.getByRole('searchbox').evaluate((box) => box === document.activeElement)).toBe(true);
      await page.keyboard.type(`${ALL}1`);
      await page.waitForURL(`**q=${ALL}1**`);
      await waitFor('fewer rows', async () => (await shown(page)).length === 10);
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
});

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
      await openTab(page, say, 'history');
      const history = dialogOf(page).getByRole('list', { name: say('admin:details.tab.history') });
      await history.getByText('Seen in the field.').waitFor();
      await history.getByText(say('admin:by.admin', { name: admin.name })).waitFor();
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

test('long names and addresses keep to one line of 44 px at 1280 px in Spanish', async () => {
  const email = 'maria-alejandra.de-los-angeles.restrepo-echeverri@orders.test';
  const { orderId } = await assigned(email, 2);
  await visit({ language: 'es', width: 1280 }, async (page) => {
    await rowOf(page, orderId).waitFor();
    const rows = (await page.getByRole('row').all()).slice(1);
    const heights = await Promise.all(rows.map(async (row) => (await row.boundingBox())!.height));
    expect(Math.max(...heights)).toBeLessThanOrEqual(45);
    expect(await page.getByTitle(email).first().innerText()).toBe(email);
    await expectFinished(page, 'orders at 1280 px in es');
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
    expect(await notes.inputValue()).toBe('Typed before the end');
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

test('a double click refunds once, what the button says', async () => {
  const { orderId } = await assigned('refund@orders.test', 10);
  await visit(en1280, async (page, say) => {
    await page.goto(at(`?order=${orderId}`));
    await dialogOf(page)
      .getByRole('button', { name: say('admin:refund.open') })
      .click();
    const refund = page.getByRole('dialog', { name: say('admin:refund.title', { id: shortId(orderId) }) });
    await refund.getByLabel(say('admin:refund.part')).check();
    await refund.getByLabel(say('admin:refund.amount', { currency: 'USD' })).fill('12.50');
    await refund.getByLabel(say('admin:refund.reason')).fill('Two and a half trees less.');
    await expectFinished(page, 'the refund');
    await refund.getByRole('button', { name: /USD\s12\.50$/ }).dblclick();
    await refund.waitFor({ state: 'hidden' });
    await dialogOf(page).getByText('Two and a half trees less.').first().waitFor();
    const { refunds } = await paymentOf(orderId);
    expect(refunds.map((one) => one.amount)).toEqual([1250]);
  });
});

test('a new order does not move the list under the hand; it is shown when asked for', async () => {
  await visit(en1280, async (page, say) => {
    await page.getByRole('row').nth(2).waitFor();
    const before = await shown(page);
    const { orderId } = await driver.buy('late@orders.test', { trees: 2 });
    await page.getByText(/^\d+ new orders?$/).waitFor();
    expect(await shown(page)).toEqual(before);
    await page.getByRole('button', { name: say('admin:news.show') }).click();
    await rowOf(page, orderId).waitFor();
  });
});

const en = textsOf('en');

/** The payment of somebody, opened from its row, and the dialog in which money is given back. */
async function openRefund(page: Page, email: string, orderId: string) {
  await page.getByRole('row').filter({ hasText: email }).getByRole('button').click();
  const payment = page.getByRole('dialog', { name: en('desk:payments.one', { id: shortId(orderId) }) });
  await payment.getByRole('button', { name: en('desk:payments.refund') }).click();
  const refund = page.getByRole('dialog', { name: en('admin:refund.title', { id: shortId(orderId) }) });
  await refund.waitFor();
  return { payment, refund };
}

/** Expects a sentence on the donor's order page. */
const donorReads = (orderToken: string, sentence: RegExp) =>
  visitOf(
    setup,
    async (page) => {
      await page.goto(`${setup.product.url}/orders/${orderToken}`);
      await page.getByText(sentence).waitFor();
      await expectFinished(page, 'order page after a refund');
    },
    { width: 360 },
  );

test('all of a payment is given back from its row once, and the donor reads it and hears of it', async () => {
  const email = 'whole@refunds.test';
  const { orderId, orderToken } = await driver.buy(email);
  await atDashboard(setup, { ...admin, ...en1280 }, 'payments', async (page) => {
    const { payment, refund } = await openRefund(page, email, orderId);
    await refund.getByLabel(en('admin:refund.reason')).fill('Ordered twice.');
    await expectFinished(page, 'a refund from the payments');
    await refund.getByRole('button', { name: /USD\s20\.00$/ }).dblclick();
    await refund.waitFor({ state: 'hidden' });
    await page.getByText(/USD\s20\.00 refunded/).waitFor();
    await payment.getByText('Ordered twice.').waitFor();
    await payment.getByText(en('desk:payments.refundedWhole'), { exact: true }).waitFor();
    expect(await payment.getByRole('button', { name: en('desk:payments.refund') }).count()).toBe(0);
    await expectFinished(page, 'a payment refunded');
  });
  expect((await paymentOf(orderId)).refunds.map(({ amount }) => amount)).toEqual([2000]);
  await donorReads(orderToken, /USD\s20\.00.* went back to/);
  await waitFor('a mail about it', async () =>
    (await setup.inbox.all(email)).some(({ text }) => /USD\s20\.00/.test(text) && /back/.test(text)),
  );
});

test('more than what was paid is refused and nothing goes back; a part does, and the donor reads how much', async () => {
  const email = 'part@refunds.test';
  const { orderId, orderToken } = await driver.buy(email);
  await atDashboard(setup, { ...admin, ...en1280 }, 'payments', async (page) => {
    const { payment, refund } = await openRefund(page, email, orderId);
    await refund.getByLabel(en('admin:refund.part')).check();
    const amount = refund.getByLabel(en('admin:refund.amount', { currency: 'USD' }));
    await amount.fill('20.01');
    await refund.getByLabel(en('admin:refund.reason')).fill('One tree less.');
    await refund.getByRole('button', { name: /USD\s20\.01$/ }).click();
    await refund.getByText(/That is more than what is left: USD\s20\.00/).waitFor();
    expect((await paymentOf(orderId)).refunds).toEqual([]);
    await expectFinished(page, 'a refund that is too much');

    await amount.fill('4');
    await refund.getByRole('button', { name: /USD\s4\.00$/ }).click();
    await refund.waitFor({ state: 'hidden' });
    await payment.getByText('One tree less.').waitFor();

    await donorReads(orderToken, /USD\s4\.00 of what you paid went back to you/);

    // Another admin gives back the rest while this window still offers it.
    await payment.getByRole('button', { name: en('desk:payments.refund') }).click();
    await refund.getByLabel(en('admin:refund.reason')).fill('All of it after all.');
    await driver.refund(await setup.admin(), (await paymentOf(orderId)).paymentId, 'The donor asked for it.');
    await refund.getByRole('button', { name: /USD\s16\.00$/ }).click();
    await refund
      .getByRole('alert')
      .filter({ hasText: /nothing left to refund/ })
      .waitFor();
    expect(await refund.getByLabel(en('admin:refund.reason')).inputValue()).toBe('All of it after all.');
  });
  expect((await paymentOf(orderId)).refunds.map(({ amount }) => amount).sort()).toEqual([1600, 400]);
  await donorReads(orderToken, /USD\s20\.00.* went back to/);
});
