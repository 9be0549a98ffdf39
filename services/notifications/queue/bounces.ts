import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { ERASED_CUSTOMER, isErased } from '@arboleda/contracts/order.ts';
import { markFailed } from './addresses.ts';
import { mailIdOf } from './mail.ts';

/** A bounce as reported by a mail provider. */
export interface Bounce {
  messageId: string;
  reason: string;
  permanent: boolean;
}

/** Records a bounce; idempotent. @returns false for an unknown email */
export async function recordBounce(sql: Sql, bounce: Bounce): Promise<boolean> {
  return sql.transaction(async (tx) => {
    const { rows } = await tx.query<{ recipient_address: string }>(
      `update mails set bounced_at = coalesce(bounced_at, now()),
         error = case when recipient_address = $3 then null else $2 end
       where id = $1 and state in ('sent', 'bounced') returning recipient_address`,
      [mailIdOf(bounce.messageId), bounce.reason || 'bounced', ERASED_CUSTOMER.email],
    );
    const address = rows[0]?.recipient_address;
    if (address === undefined) return false;
    if (bounce.permanent && !isErased(address)) await markFailed(tx, address);
    return true;
  });
}
