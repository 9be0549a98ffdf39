import { COLOMBIA, dayIn, daysLater, instantIn } from '@arboleda/contracts/time-zone.ts';
import { isHoliday } from 'colombian-holidays';

/** The donor withdraws from the purchase (the laws are below). */
export interface Withdrawal {
  requestedAt: string;
  /** The donor's; gone with their data. */
  reason?: string | undefined;
  /** All of the money is to be back by then. */
  refundBy: string;
  /** When all of the money was back. */
  answeredAt?: string | undefined;
}

/**
 * One rule for all buyers, the kinder of two laws. Colombia: five business days to withdraw (Ley 1480 of 2011, article 47) and
 * 15 calendar days to give the money back (Ley 2439 of 2024). European Union: 14 days each (Directive 2011/83/EU, articles 9
 * and 13).
 */
const BUSINESS_DAYS_TO_WITHDRAW = 5;
const DAYS_TO_WITHDRAW = 14;
const DAYS_TO_REFUND = 14;

/** Monday to Friday without the public holidays of Colombia. @param day "2026-11-21" */
export function isBusinessDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
  return !isWeekend && !isHoliday(date);
}

/** Last day to withdraw; counting begins the day after. @param day of the payment, "2026-11-21" */
export function lastDayToWithdraw(day: string): string {
  let last = day;
  for (let counted = 0; counted < BUSINESS_DAYS_TO_WITHDRAW;) {
    last = daysLater(last, 1);
    if (isBusinessDay(last)) counted++;
  }
  const fortnight = daysLater(day, DAYS_TO_WITHDRAW);
  return fortnight > last ? fortnight : last;
}

/** Last moment to withdraw, ISO. @param paidAt ISO */
export const withdrawableUntil = (paidAt: string): string =>
  endOf(lastDayToWithdraw(dayIn(new Date(paidAt), COLOMBIA)));

/** Last moment to give the money back, ISO. @param requestedAt ISO */
export const refundBy = (requestedAt: string): string =>
  endOf(daysLater(dayIn(new Date(requestedAt), COLOMBIA), DAYS_TO_REFUND));

/** The last millisecond, so that it is shown as this day. */
const endOf = (day: string): string =>
  new Date(instantIn(daysLater(day, 1), 0, COLOMBIA).getTime() - 1).toISOString();
