import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { call } from '../../api/client.ts';
import { workers } from '../../test/admin-orders.tsx';
import { statementRow } from '../../test/fixtures.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { BarChart } from './BarChart.tsx';
import { byCurrency, ceilingOf, type MoneyAttention, type Overview, totalsOf } from './overview.ts';
import {
  MoneyToLookAfter,
  MoneyWithoutOrder,
  NotPlanted,
  notPlantedAddress,
  Queues,
  Reports,
  UndeliveredEvents,
} from './Queues.tsx';

const days = [
  {
    day: '2026-11-20',
    orders: 2,
    trees: 6,
    amounts: [{ currency: 'COP', amount: 500, refunded: 0, lost: 0 }],
    packageAmounts: [],
  },
  {
    day: '2026-11-21',
    orders: 0,
    trees: 0,
    amounts: [],
    packageAmounts: [{ currency: 'USD', amount: 2500, refunded: 1500, lost: 0 }],
  },
  {
    day: '2026-11-22',
    orders: 3,
    trees: 30,
    amounts: [
      { currency: 'COP', amount: 700, refunded: 200, lost: 300 },
      { currency: 'USD', amount: 90, refunded: 0, lost: 0 },
    ],
    packageAmounts: [],
  },
] as Parameters<typeof byCurrency>[0];

test('keeps currencies separate, with a value for every day', () => {
  expect(byCurrency(days)).toEqual([
    { currency: 'COP', amountMinor: 1200, refundedMinor: 200, lostMinor: 300, byDay: [500, 0, 700] },
    { currency: 'USD', amountMinor: 90, refundedMinor: 0, lostMinor: 0, byDay: [0, 0, 90] },
  ]);
});

test('keeps photo packages apart from trees', () => {
  expect(byCurrency(days, 'packageAmounts')).toEqual([
    { currency: 'USD', amountMinor: 2500, refundedMinor: 1500, lostMinor: 0, byDay: [0, 2500, 0] },
  ]);
});

test('sums orders and trees', () => {
  expect(totalsOf(days)).toEqual({ orders: 5, trees: 36 });
});

test.each([
  [[], 1],
  [[0, 0], 1],
  [[3, 1], 5],
  [[11], 20],
  [[100], 100],
  [[2076], 5000],
])('the scale for %j ends at %d', (values, end) => {
  expect(ceilingOf(values)).toBe(end);
});

describe('BarChart', () => {
  afterEach(cleanup);

  const bars = [1, 0, 4].map((value, at) => ({ label: `day ${at + 1}`, value, text: `${value} orders` }));

  const open = () =>
    renderScreen(<BarChart title="Orders by day" bars={bars} scale={String} />, { texts: ['panels'] });

  const slider = () => screen.getByRole('slider', { name: 'Orders by day' });

  const said = () => slider().getAttribute('aria-valuetext');

  test('values are reachable by keyboard and described in words', async () => {
    await open();
    expect(said()).toBe('day 3: 4 orders');
    fireEvent.keyDown(slider(), { key: 'ArrowLeft' });
    expect(said()).toBe('day 2: 0 orders');
    fireEvent.keyDown(slider(), { key: 'Home' });
    fireEvent.keyDown(slider(), { key: 'ArrowLeft' });
    expect(said()).toBe('day 1: 1 orders');
    fireEvent.keyDown(slider(), { key: 'End' });
    expect(said()).toBe('day 3: 4 orders');
  });

  test('a value with a list behind it is a link', async () => {
    await renderScreen(
      <BarChart
        title="Orders by day"
        bars={[{ label: 'day 1', value: 2, text: '2 orders', to: '?from=x' }]}
        scale={String}
      />,
      { texts: ['panels'] },
    );
    expect(screen.getAllByRole('link', { name: '2 orders' })[0]!.getAttribute('href')).toBe('/?from=x');
  });

  test('a table repeats all values', async () => {
    await open();
    for (const { label, text } of bars)
      expect(screen.getByRole('row', { name: `${label} ${text}` })).toBeTruthy();
  });
});

describe('reports of former workers', () => {
  afterEach(cleanup);

  test('name the worker, the step and the order', async () => {
    const orderId = '65f0c0ffee0000000006bbe0';
    const report = { orderId, shortId: '06BBE0', worker: 'Luz', at: '2026-11-21T12:00:00Z' };
    await renderScreen(<Reports reports={[{ ...report, step: 'planted' }]} />, { texts: ['panels'] });
    expect(screen.getByText(/^Luz reports “Planted”/)).toBeTruthy();
    expect(screen.getByRole('link', { name: '06BBE0' }).getAttribute('href')).toContain(`order=${orderId}`);
  });
});

const ofMoney = {
  paymentId: 'p1',
  orderId: '65f0c0ffee0000000006bbe0',
  shortId: '06BBE0',
  customerName: 'Emma',
  amount: 1500,
  currency: 'USD',
};

describe('figures', () => {
  afterEach(cleanup);

  const asOf = '2026-11-22T12:00:00Z';
  const overview: Overview = {
    withdrawals: { orders: 0, overdue: 0 },
    transfers: { orders: 2, oldestAt: '2026-11-22T10:00:00Z' },
    waitingForWorker: { orders: 1 },
    deadLetters: 0,
    reports: [],
    notPlanted: [],
    days: [],
    asOf,
  };

  test('lead to the list behind them', async () => {
    fakeApi({
      'GET /api/admin/workers/workloads': workers,
      'GET /api/admin/photos': () => ({ body: { photos: [], total: 3 } }),
    });
    const dispute = { ...ofMoney, status: 'lost', reason: 'fraudulent', updatedAt: asOf };
    const money: MoneyAttention = { toReturn: [], toNote: [], disputes: [dispute] };
    await renderScreen(<Queues call={call} overview={overview} money={money} />, { texts: ['panels'] });
    await screen.findByRole('link', { name: 'Growth visits due' });
    const places = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
    expect(places).toEqual([
      ['Transfers to verify', '/?view=transfers'],
      ['Cancellations to refund', '/?view=orders&withdrawal=true&sort=oldest'],
      ['Paid, no worker yet', '/?view=orders&status=pending&worker=none'],
      ['Growth visits due', '/?view=workers'],
      ['Photos of former workers', '/?view=photos&flag=after-reassignment&hidden=true'],
      ['Disputes', '/#money'],
    ]);
  });

  test.each([
    ['none', {}, 'Every refund arrived'],
    ['a failed one', { toReturn: [{ ...ofMoney, since: asOf }] }, /^A refund failed .+ ago$/],
    [
      'one that was begun and forgotten',
      { toNote: [{ ...ofMoney, since: asOf, by: 'Clara Ruiz' }] },
      /^One was begun .+ ago and not noted as sent$/,
    ],
  ])('say which refunds have not arrived: %s', async (_what, waiting, text) => {
    fakeApi({ 'GET /api/admin/workers/workloads': workers });
    const money: MoneyAttention = { toReturn: [], toNote: [], disputes: [], ...waiting };
    await renderScreen(<Queues call={call} overview={overview} money={money} />, { texts: ['panels'] });
    expect(screen.getByText(text)).toBeTruthy();
  });

  test.each([
    [{ orders: 0, overdue: 0 }, 'None is open'],
    [
      { orders: 2, overdue: 0, oldestAt: '2026-11-20T12:00:00Z', nextBy: '2026-12-21T04:59:59.999Z' },
      /^Oldest: 2 days\. Give the money back by 20 December 2026$/,
    ],
    [
      { orders: 2, overdue: 1, oldestAt: '2026-10-20T12:00:00Z', nextBy: '2026-11-20T04:59:59.999Z' },
      '1 is past its deadline; the oldest was requested 33 days ago',
    ],
  ])('say how old withdrawals are, and by when the money is due: %j', async (withdrawals, text) => {
    fakeApi({ 'GET /api/admin/workers/workloads': workers });
    const open = { ...overview, withdrawals };
    await renderScreen(<Queues call={call} overview={open} money={undefined} />, { texts: ['panels'] });
    await screen.findByText(text);
  });

  test('have ranges of days that do not overlap', async () => {
    const groups = [
      { fromDays: 0, toDays: 3, orders: 1 },
      { fromDays: 3, toDays: 7, orders: 2 },
      { fromDays: 7, orders: 1 },
    ];
    await renderScreen(<NotPlanted groups={groups} asOf={asOf} />, { texts: ['panels'] });
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      '0 to 2 days',
      '3 to 6 days',
      '7 days or more',
    ]);
  });
});

test('each group of orders that are not planted leads to their list', () => {
  const asOf = '2026-11-22T12:00:00.000Z';
  const of = (group: { fromDays: number; toDays?: number }) =>
    Object.fromEntries(new URLSearchParams(notPlantedAddress({ ...group, orders: 1 }, asOf)));
  const assigned = { view: 'orders', status: 'assigned' };
  expect(of({ fromDays: 0, toDays: 3 })).toEqual({ ...assigned, assignedFrom: '2026-11-19T12:00:00.000Z' });
  expect(of({ fromDays: 3, toDays: 7 })).toEqual({
    ...assigned,
    assignedFrom: '2026-11-15T12:00:00.000Z',
    assignedTo: '2026-11-19T12:00:00.000Z',
  });
  expect(of({ fromDays: 30 })).toEqual({ ...assigned, assignedTo: '2026-10-23T12:00:00.000Z' });
});

describe('undelivered events', () => {
  afterEach(cleanup);

  test('name event, service and time, and lead to their order', async () => {
    const orderId = '65f0c0ffee0000000006bbe0';
    const letter = { service: 'media', event: 'order.updated', failedAt: '2026-11-21T12:00:00Z' };
    fakeApi({
      'GET /api/admin/dead-letters': () => ({
        body: {
          deadLetters: [
            { ...letter, id: 'e1', orderId, shortId: '06BBE0' },
            { ...letter, id: 'e2', event: 'unreadable' },
          ],
        },
      }),
    });
    await renderScreen(<UndeliveredEvents call={call} />, { texts: ['panels'] });
    const link = await screen.findByRole('link', { name: '06BBE0' });
    expect(link.getAttribute('href')).toBe(`/?view=orders&order=${orderId}`);
    const [first, second] = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(first).toMatch(/^06BBE0order\.updated → media21 November 2026/);
    expect(second).toMatch(/^No orderunreadable → media/);
  });
});

describe('money to look after', () => {
  afterEach(cleanup);

  test('links each failed refund and dispute to its payment', async () => {
    const money: MoneyAttention = {
      toReturn: [{ ...ofMoney, photoPackageType: 'first_year', since: '2026-11-20T15:00:00Z' }],
      toNote: [{ ...ofMoney, since: '2026-11-20T15:00:00Z', by: 'Clara Ruiz' }],
      disputes: [
        { ...ofMoney, status: 'lost', reason: 'fraudulent', updatedAt: '2026-11-21T15:00:00Z' },
        { ...ofMoney, status: 'needs_response', reason: 'fraudulent', updatedAt: '2026-11-20T15:00:00Z' },
      ],
    };
    await renderScreen(<MoneyToLookAfter money={money} />, { texts: ['panels'] });
    const links = screen.getAllByRole('link');
    expect(links.map((link) => link.textContent)).toEqual([
      'Refund failed: 06BBE0',
      'Refund that Clara Ruiz began, not noted as sent: 06BBE0',
      'Dispute lost: 06BBE0',
      'Disputed: 06BBE0',
    ]);
    expect(links[0]!.getAttribute('href')).toBe('/?view=payments&payment=p1');
    expect(screen.getByText(/First year/)).toBeTruthy();
  });

  test('is hidden when there is none', async () => {
    await renderScreen(<MoneyToLookAfter money={{ toReturn: [], toNote: [], disputes: [] }} />, {
      texts: ['panels'],
    });
    expect(screen.queryByRole('heading')).toBeNull();
  });
});

test('money without an order names its owner, its age and its amount', async () => {
  fakeApi({
    'GET /api/admin/statement-rows': () => ({
      body: {
        rows: [
          statementRow({ list: 'without-order', owner: { role: 'admin', name: 'Lucía Restrepo' } }),
          statementRow({ rowId: 'row-2', name: 'Nora', list: 'without-order' }),
        ],
        counts: { sure: 0, perhaps: 0, unknown: 0, withoutOrder: 2 },
      },
    }),
  });
  await renderScreen(<MoneyWithoutOrder call={call} />, { texts: ['panels'] });
  const link = await screen.findByRole('link', { name: 'BARRERA FELIPE' });
  expect(link.getAttribute('href')).toBe('/?view=statements&list=without-order');
  expect(link.closest('li')!.textContent.replace(/\s/g, ' ')).toMatch(
    /Lucía Restrepo looks after it · for \d+ days?.*COP 288,050$/,
  );
  expect(screen.getByText(/^an admin looks after it/)).toBeTruthy();
  cleanup();
});
