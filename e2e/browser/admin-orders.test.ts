import { shortId } from '@arboleda/contracts/order.ts';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Say } from '../harness/texts.ts';
import { soon, waitFor } from '../harness/wait.ts';
import { expectFinished } from './finished.ts';
import { dialogOf, en1280, rowOf, shown, useOrders, VISITORS } from './orders.ts';
import { useSetup } from './setup.ts';

jest.setTimeout(120_000);

const setup = useSetup();
const { assigned, at, orderOf, visit } = useOrders(setup, 'carolina@orders.test');

const isPhone = (page: Page) => page.viewportSize()!.width < 800;

/** On a phone the first order is in the first window, the other filters wait, and the tabs show that there are more. */
async function expectListFirst(page: Page, say: Say): Promise<void> {
  const first = await page.getByRole('rowheader').first().boundingBox();
  expect(first!.y).toBeLessThan(page.viewportSize()!.height - first!.height);
  const filters = page.getByRole('search').getByLabel(say('admin:columns.worker'));
  expect(await filters.isVisible()).toBe(false);
  const tabs = page.getByRole('navigation', { name: say('admin:views.label') }).getByRole('list');
  const fades = () => tabs.evaluate((list) => getComputedStyle(list).maskImage !== 'none');
  expect(await fades()).toBe(true);
}

/** The status is a select on phones, and a row of buttons elsewhere. */
async function filterByStatus(page: Page, say: Say, status: 'completed'): Promise<void> {
  if (isPhone(page))
    await page.getByRole('combobox', { name: say('admin:orders.filter') }).selectOption(status);
  else await page.getByRole('button', { name: new RegExp(`^${say(`status.${status}`)}`) }).click();
}

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
          if (isPhone(page)) await expectListFirst(page, say);

          await page.getByRole('button', { name: say('admin:paging.next') }).click();
          await page.getByText(say('admin:paging.place', { first: 26, last: 27, all: ORDERS })).waitFor();
          await soon(async () => expect(new URL(page.url()).searchParams.get('page')).toBe('2'));
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
          await soon(async () => expect(new URL(page.url()).searchParams.get('sort')).toBe('trees'));
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
          // One line each: title, subtitle and email; filters and dates.
          for (const line of [page.locator('main header'), page.getByRole('search')])
            expect((await line.boundingBox())!.height).toBeLessThanOrEqual(48);
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
        await soon(async () => expect(await worker.inputValue()).toBe(assignedWorker!.workerId));
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

  test('a head sorts its column, kept in the address, and a second press ends that', async () => {
    await visit(
      en1280,
      async (page, say) => {
        const trees = page.getByRole('columnheader', { name: say('admin:columns.trees') });
        await trees.getByRole('button').click();
        await page.waitForURL('**sort=trees**');
        await waitFor('the most trees first', async () => (await shown(page))[0] === shortId(ids[ORDERS]!));
        await soon(async () => expect(await trees.getAttribute('aria-sort')).toBe('descending'));
        await trees.getByRole('button').click();
        await page.waitForURL((url) => !url.searchParams.has('sort'));
        await waitFor('no sorted head', async () => (await trees.getAttribute('aria-sort')) === null);
      },
      `?q=${ALL}`,
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
      await soon(async () =>
        expect(await page.getByRole('searchbox').evaluate((box) => box === document.activeElement)).toBe(
          true,
        ),
      );
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

test('filters keep to one row and long names to one line of 44 px at 1280 px in Spanish', async () => {
  const email = 'maria-alejandra.de-los-angeles.restrepo-echeverri@orders.test';
  const { orderId } = await assigned(email, 2);
  await visit({ language: 'es', width: 1280 }, async (page) => {
    await rowOf(page, orderId).waitFor();
    const rows = (await page.getByRole('row').all()).slice(1);
    const heights = await Promise.all(rows.map(async (row) => (await row.boundingBox())!.height));
    expect(Math.max(...heights)).toBeLessThanOrEqual(45);
    await soon(async () => expect(await page.getByTitle(email).first().innerText()).toBe(email));
    const tools = page.getByRole('search').locator('input, select, button:visible');
    const tops = await Promise.all((await tools.all()).map(async (tool) => (await tool.boundingBox())?.y));
    expect(new Set(tops.filter((top) => top !== undefined)).size).toBe(1);
    await expectFinished(page, 'orders at 1280 px in es');
    for (const width of [1100, 800]) {
      await page.setViewportSize({ width, height: 900 });
      await expectFinished(page, `orders at ${width} px in es`);
    }
  });
});

test('a new order does not move the list under the hand; it is shown when asked for', async () => {
  await visit(en1280, async (page, say) => {
    await page.getByRole('row').nth(2).waitFor();
    const before = await shown(page);
    const { orderId } = await setup.driver.buy('late@orders.test', { trees: 2 });
    await page.getByText(/^\d+ new orders?$/).waitFor();
    expect(await shown(page)).toEqual(before);
    await page.getByRole('button', { name: say('admin:news.show') }).click();
    await rowOf(page, orderId).waitFor();
  });
});
