import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { ERASED_CUSTOMER, isErased } from '@arboleda/contracts/order.ts';
import type { MailKind } from '../mails/index.ts';
import { markFailed } from './addresses.ts';
import { giftBounced } from './gift-mail.ts';
import { mailIdOf } from './mail.ts';

/** A bounce as reported by a mail provider. */
export interface Bounce {
  messageId: string;
  reason: string;
  permanent: boolean;
}

/** Records a bounce; idempotent. @returns false for an unknown email */
export async function recordBounce(sql: Sql, bounce: Bounce, now: Date): Promise<boolean> {
  const id = mailIdOf(bounce.messageId);
  return sql.transaction(async (tx) => {
    const { rows } = await tx.query<{ recipient_address: string; kind: MailKind }>(
      `update mails set bounced_at = coalesce(bounced_at, now()),
         error = case when recipient_address = $3 then null else $2 end
       where id = $1 and state in ('sent', 'bounced') returning recipient_address, kind`,
      [id, bounce.reason || 'bounced', ERASED_CUSTOMER.email],
    );
    if (!rows[0]) return false;
    const { recipient_address: address, kind } = rows[0];
    if (kind === 'gift') await giftBounced(tx, id, now);
    if (bounce.permanent && !isErased(address)) await markFailed(tx, address);
    return true;
  });
}
