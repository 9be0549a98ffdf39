import type { Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import type { Customer } from '@arboleda/contracts/fields.ts';
import { ERASED_CUSTOMER, isErased } from '@arboleda/contracts/order.ts';
import type { EvidenceObjects } from './evidence.ts';

/** What events of others do to transfers, in the transaction that takes the event. */
export interface TransferFollowers {
  /** Transfers say who the buyer is as orders does. */
  orderUpdated(tx: Transaction, event: ArboledaEvent<'order.updated'>): Promise<void>;
  /** Orders forgets its copies by itself; one that orders has not heard of yet is forgotten here. */
  customerErased(tx: Transaction, event: Pick<ArboledaEvent<'customer.erased'>, 'data'>): Promise<void>;
}

export function transferFollowers(evidence: EvidenceObjects): TransferFollowers {
  /**
   * Whom orders forgot is forgotten, however late that is heard.
   * @param where a condition on $4, and on $2 as `at`
   */
  async function follow(
    tx: Transaction,
    { customer, at }: { customer: Customer; at: string },
    [where, value]: [string, string],
  ): Promise<void> {
    const { rows } = await tx.query<{ id: string }>(
      `update transfers set customer = $1, customer_at = $2
       where ${where} and (customer_at is null or customer_at <= $2 or $5) and customer ->> 'email' <> $3
       returning id`,
      [JSON.stringify(customer), at, ERASED_CUSTOMER.email, value, isErased(customer.email)],
    );
    if (rows.length === 0 || !isErased(customer.email)) return;
    const ids = rows.map(({ id }) => id);
    await tx.query(
      `update transfers set fingerprint = null, request_hash = '', locale = null where id = any($1)`,
      [ids],
    );
    await evidence.remove(tx, ids);
  }

  return {
    orderUpdated: (tx, { data: { orderId, customer, at } }) =>
      follow(tx, { customer, at }, ['order_id = $4', orderId]),
    customerErased: async (tx, { data: { email, ordersToo, at } }) => {
      if (!ordersToo) return;
      // Whoever sends one under the address later is not meant.
      const theirs = `customer ->> 'email' = $4 and created_at <= $2`;
      await follow(tx, { customer: { ...ERASED_CUSTOMER }, at }, [theirs, email]);
    },
  };
}
