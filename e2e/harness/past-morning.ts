import { dayIn } from '@arboleda/contracts/time-zone.ts';

/** A day and time zone in which nine in the morning has just passed, so that a gift for it is delivered at once. */
export function pastMorning(now = new Date()): { deliverOn: string; timeZone: string } {
  const timeZone = now.getUTCHours() < 14 ? 'Asia/Tokyo' : 'America/Bogota';
  return { deliverOn: dayIn(now, timeZone), timeZone };
}
