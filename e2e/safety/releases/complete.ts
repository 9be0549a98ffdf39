import { VERIFICATION_STATUSES, ORDER_STATUSES } from '@arboleda/contracts/order.ts';
import { GIFT_STATES } from '@arboleda/contracts/gift.ts';
import { ADMIN_ROLES } from '@arboleda/contracts/permissions.ts';
import { ROW_LISTS } from '@arboleda/contracts/statement.ts';
import type { Seen } from './see.ts';

const of = (name: string, values: readonly string[]) => values.map((value) => `"${name}":"${value}"`);

/** Texts that must be somewhere in the answers to an owner's requests, as JSON. */
const SAID: readonly [request: RegExp, said: readonly string[]][] = [
  [/orders\/manage$/, of('status', ORDER_STATUSES)],
  [/orders\/manage$/, of('state', GIFT_STATES)],
  [/orders\/manage$/, ['"withdrawn":true', '"requestedAt"', '"answeredAt"', '"claimedAt"', '"thanks"', '—']],
  [/pending-verification/, [...of('verificationStatus', VERIFICATION_STATUSES), '"firstApproval"']],
  [/orders\/\w+\/payment$/, of('status', ['succeeded', 'failed', 'pending', 'canceled'])],
  [/orders\/\w+\/payment$/, of('method', ['card', 'hand'])],
  [/orders\/\w+\/payment$/, [...of('status', ['needs_response', 'lost', 'won']), '"dismissed"']],
  [/admin\/payments$/, of('status', ['open', 'submitted', 'rejected'])],
  [/orders\/\w+\/assignment$/, of('state', ['waiting', 'scheduled', 'due', 'done', 'cancelled'])],
  [/certificates\/[\w-]+$/, of('state', ['valid', 'superseded', 'revoked'])],
  [/orders\/\w+$/, of('cause', ['admin', 'not_planted'])],
  [/statement-rows/, of('kind', ['linked', 'split', 'ignored', 'kept'])],
  [/orders\/\w+\/photos$/, ['"used-elsewhere"', '"far-from-place"', '"hidden"']],
  [/admin\/mails$/, of('state', ['sent', 'bounced'])],
  [
    /admin\/admins$/,
    [...of('role', ADMIN_ROLES), '"hasSecondFactor":true', '"invitationPending":true', '"active":false'],
  ],
  [/admin\/workers$/, ['"invitationPending":true']],
  [/audit-log$/, of('action', ['refund.made', 'order.edited', 'statement.row_linked', 'photo.hidden'])],
  [/dead-letters$/, ['"event"']],
];

/** @returns what a release's fixture should have and has not, so that none is made that promises too little */
export function missing(seen: Seen): string[] {
  const answers = Object.entries(seen);
  const lists = ROW_LISTS.map((list) => `owner GET /api/admin/statement-rows?list=${list}`);
  const empty = lists.filter((request) => (seen[request] as { rows: unknown[] }).rows.length === 0);
  const unsaid = SAID.flatMap(([request, said]) => {
    const texts = answers
      .filter(([asked]) => request.test(asked))
      .map(([, answer]) => JSON.stringify(answer));
    return said
      .filter((one) => !texts.some((text) => text.includes(one)))
      .map((one) => `${request} says no ${one}`);
  });
  return [...unsaid, ...empty.map((request) => `${request} is empty`)];
}
