import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { brokenOutlet, recordingOutlet } from '../conformance/documents-kit.ts';
import type { Sql } from '../ports/sql.ts';
import { anOrderId, someNews } from '../testing/events.ts';
import { waitFor } from '../testing/wait.ts';
import { accounts, openSqlDesk, type SqlDesk } from './sql-kit.ts';

let desk: SqlDesk;
let sql: Sql;
const { events, jobs, outlet } = recordingOutlet();
beforeAll(async () => {
  desk = await openSqlDesk();
  sql = await desk.open('bank', await desk.aFolder(accounts), { outlet });
});
afterAll(() => desk.close());

/** Takes everything out of an account that has exactly so much, and opens another one. */
const moved = (from: string, expected: number, to: string) => ({
  steps: `written as (update accounts set balance = 0 where name = $1 and balance = $2 returning name),
    opened as (insert into accounts select $3, $2 from written)`,
  values: [from, expected, to],
});
const balances = async () =>
  Object.fromEntries(
    (await sql.query<{ name: string; balance: number }>('select name, balance from accounts')).rows.map(
      ({ name, balance }) => [name, balance],
    ),
  );
const outboxRows = async (of: Sql) => (await of.query('select from _outbox')).rowCount;

test('a write of one statement does all its steps, and tells what it was to tell', async () => {
  await sql.query(`insert into accounts values ('first', 100)`);
  const key = anOrderId();
  const job = { name: 'receipt', payload: { of: key }, key };
  expect(
    await sql.write({ ...moved('first', 100, 'second'), events: [someNews(key)], jobs: [job], sequence: 3 }),
  ).toBe(true);
  expect(await balances()).toMatchObject({ first: 0, second: 100 });
  await waitFor(() => events.some((event) => event.key === key) && jobs.some((one) => one.key === key));
  expect(events.find((event) => event.key === key)).toMatchObject({ sequence: 3 });
  await waitFor(async () => (await outboxRows(sql)) === 0);
});

test('that has nothing to write changes and tells nothing, with or without something to tell', async () => {
  const key = anOrderId();
  const before = await balances();
  expect(await sql.write({ ...moved('second', 1, 'third'), events: [someNews(key)] })).toBe(false);
  expect(await sql.write(moved('second', 1, 'third'))).toBe(false);
  expect(await balances()).toEqual(before);
  const later = anOrderId();
  await sql.transaction((tx) => tx.publish([someNews(later)]));
  await waitFor(() => events.some((event) => event.key === later));
  expect(events.some((event) => event.key === key)).toBe(false);
});

test('of which one step fails does none', async () => {
  const key = anOrderId();
  const before = await balances();
  const failing = sql.write({ ...moved('second', 100, 'first'), events: [someNews(key)] });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await balances()).toEqual(before);
  await waitFor(async () => (await outboxRows(sql)) === 0);
  expect(events.some((event) => event.key === key)).toBe(false);
});

test('with an event that is none is not done', async () => {
  const before = await balances();
  await expect(
    sql.write({ ...moved('second', 100, 'third'), events: [someNews('not an order')] }),
  ).rejects.toThrow();
  expect(await balances()).toEqual(before);
});

test('of two that take the same, one is done', async () => {
  await sql.query(`insert into accounts values ('shared', 50)`);
  const both = await Promise.all(['left', 'right'].map((to) => sql.write(moved('shared', 50, to))));
  expect(both.filter(Boolean)).toHaveLength(1);
});

test('the effect of an event is written once, whatever it finds', async () => {
  await sql.query(`insert into accounts values ('heard', 7)`);
  const key = anOrderId();
  const heard = {
    eventId: key,
    steps: `written as (update accounts set balance = balance + 1 from unseen where name = $1 returning name)`,
    values: ['heard'],
    events: [someNews(key)],
  };
  expect([await sql.write(heard), await sql.write(heard)]).toEqual([true, false]);
  expect(await balances()).toMatchObject({ heard: 8 });
  await waitFor(() => events.some((event) => event.key === key));
  // One that found nothing to write is not tried again.
  const early = { ...heard, eventId: anOrderId(), values: ['nobody'], events: [] };
  expect([await sql.write(early), await sql.write({ ...early, values: ['heard'] })]).toEqual([false, false]);
});

test('what it tells is kept while nobody takes it', async () => {
  const shop = await desk.open('shop', await desk.aFolder(accounts), { outlet: brokenOutlet });
  await shop.query(`insert into accounts values ('first', 1)`);
  await shop.write({ ...moved('first', 1, 'second'), events: [someNews(anOrderId())] });
  expect(await outboxRows(shop)).toBe(1);
});
