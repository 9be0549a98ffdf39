import { concerns, type Kill } from '../processes/kills.ts';
import type { MailSeen, OrderSeen } from './world.ts';

/** Beginnings of subjects in both languages. */
const RECEIPTS = {
  card: /^(Receipt for|Recibo de)/,
  approved: /^(Transfer approved|Transferencia aprobada)/,
  rejected: /^(We could not verify|No pudimos verificar)/,
};
const VERIFY = /^(Verify your email|Verifica tu correo)/;

/** Between a mail's being taken and its sender's death the server's clock and ours may differ by so much. */
const SLACK_MS = 1_000;
/** Emails that may be in flight when their sender dies. */
const IN_HAND = 4;

/**
 * A mail that came more than once though nobody died between its being taken and its being sent again. Its sender's
 * death is the one excuse: the confirmation died with it. One death excuses no more than can have been in hand.
 */
export function repeatedMails(
  mails: readonly MailSeen[],
  kills: readonly Kill[],
): { violations: string[]; excused: number } {
  const deaths = kills
    .filter((kill) => concerns(kill, 'notifications'))
    .map((kill) => ({ at: kill.at, excuses: IN_HAND }));
  const violations: string[] = [];
  let excused = 0;
  for (const [messageId, copies] of Map.groupBy(mails, (mail) => mail.messageId)) {
    const sorted = copies.toSorted((a, b) => a.at - b.at);
    for (const [before, again] of sorted.slice(1).map((copy, index) => [sorted[index]!, copy] as const)) {
      const death = deaths.find(
        ({ at, excuses }) => excuses > 0 && at >= before.at - SLACK_MS && at <= again.at,
      );
      if (death) {
        death.excuses--;
        excused++;
      } else violations.push(`mail ${messageId} (${before.subject}) came twice though its sender lived`);
    }
  }
  return { violations, excused };
}

const distinct = (mails: readonly MailSeen[]): number => new Set(mails.map((mail) => mail.messageId)).size;

/** Each order's one receipt, whatever it is called. */
export function receiptFaults(orders: readonly OrderSeen[], mails: readonly MailSeen[]): string[] {
  const byToken = Map.groupBy(
    mails.flatMap((mail) => mail.orderTokens.map((token) => ({ token, mail }))),
    ({ token }) => token,
  );
  // Rejections link to the checkout instead of an order. Each rejected visitor has their own address.
  const byAddress = Map.groupBy(mails, (mail) => mail.to);
  return orders.flatMap(({ id, token, email, kind: paidBy, verification }) => {
    const kind = paidBy === 'card' ? paidBy : verification;
    if (kind !== 'card' && kind !== 'approved' && kind !== 'rejected') return [];
    const own =
      kind === 'rejected' ? (byAddress.get(email) ?? []) : (byToken.get(token) ?? []).map(({ mail }) => mail);
    const receipts = distinct(own.filter((mail) => RECEIPTS[kind].test(mail.subject)));
    return receipts === 1 ? [] : [`order ${id} (${kind}) has ${receipts} receipts`];
  });
}

/** Every new account is asked once to verify its address. */
export const registrationFaults = (addresses: readonly string[], mails: readonly MailSeen[]): string[] => {
  const byAddress = Map.groupBy(
    mails.filter((mail) => VERIFY.test(mail.subject)),
    (mail) => mail.to,
  );
  return addresses.flatMap((address) => {
    const asked = distinct(byAddress.get(address) ?? []);
    return asked === 1 ? [] : [`${address} was asked ${asked} times to verify the address`];
  });
};
