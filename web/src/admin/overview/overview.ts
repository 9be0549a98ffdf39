import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';
import { refreshEvery } from '../../api/refresh.ts';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';

export type Overview = Answer<'GET /api/admin/overview'>;

/** Selectable periods in days; the first is the default. */
export const SPANS = ['30', '7', '90'] as const;
export type Span = (typeof SPANS)[number];

const REFRESH_MS = 30_000;

export const useOverview = (call: PortalCall, span: Span) =>
  useQuery({
    queryKey: ['admin', 'overview', span],
    queryFn: ({ signal }) => call('GET /api/admin/overview', { query: { days: Number(span) }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery(REFRESH_MS),
  });

export type MoneyAttention = Answer<'GET /api/admin/money/attention'>;

export function useMoneyAttention(call: PortalCall) {
  const may = useMay();
  return useQuery({
    queryKey: ['admin', 'money'],
    enabled: may('payments:read'),
    queryFn: ({ signal }) => call('GET /api/admin/money/attention', { signal }),
    refetchInterval: refreshEvery(REFRESH_MS),
  });
}

/** The oldest rows of bank statements that belong to no order. */
export const useMoneyWithoutOrder = (call: PortalCall) =>
  useQuery({
    queryKey: ['admin', 'money', 'without-order'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/admin/statement-rows', { query: { list: 'without-order', limit: 10 }, signal }))
        .rows,
  });

export const useDeadLetters = (call: PortalCall) =>
  useQuery({
    queryKey: ['admin', 'dead-letters'],
    queryFn: async ({ signal }) => (await call('GET /api/admin/dead-letters', { signal })).deadLetters,
    refetchInterval: refreshEvery(REFRESH_MS),
  });

export interface CurrencyDays {
  currency: string;
  amountMinor: number;
  refundedMinor: number;
  /** Lost in disputes, minor units. */
  lostMinor: number;
  /** One value per day, in order. */
  byDay: number[];
}

/** Income from trees or from photo packages, by currency, most days first; currencies are never added. */
export function byCurrency(
  days: Overview['days'],
  of: 'amounts' | 'packageAmounts' = 'amounts',
): CurrencyDays[] {
  const found = new Map<string, CurrencyDays & { seen: number }>();
  days.forEach((day, at) => {
    for (const { currency, amount, refunded, lost } of day[of]) {
      const one = found.get(currency) ?? {
        currency,
        amountMinor: 0,
        refundedMinor: 0,
        lostMinor: 0,
        seen: 0,
        byDay: days.map(() => 0),
      };
      one.amountMinor += amount;
      one.refundedMinor += refunded;
      one.lostMinor += lost;
      one.byDay[at] = amount;
      one.seen += 1;
      found.set(currency, one);
    }
  });
  return [...found.values()]
    .sort((one, other) => other.seen - one.seen || one.currency.localeCompare(other.currency))
    .map(({ seen: _seen, ...one }) => one);
}

export const totalsOf = (days: Overview['days']) => ({
  orders: days.reduce((sum, day) => sum + day.orders, 0),
  trees: days.reduce((sum, day) => sum + day.trees, 0),
});

/** Smallest round number (1, 2, 5, 10, 20 …) at or above the largest value. */
export function ceilingOf(values: readonly number[]): number {
  const largest = Math.max(1, ...values);
  const power = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= largest)!;
}

/** Colombian days: noon is the same day in every reader's time zone. */
export const momentOf = (day: string): string => `${day}T17:00:00Z`;
