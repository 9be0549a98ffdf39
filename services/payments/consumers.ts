import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Customer } from '@arboleda/contracts/fields.ts';
import { ERASED_CUSTOMER, isErased } from '@arboleda/contracts/order.ts';
import { forgetClaims, forgetGiftsTo, keepClaim } from './purchase/gifts.ts';
import { refundPackageOf } from './photo-packages/settle.ts';
import type { Refund } from './money/refund.ts';
import type { Refunds } from './refunds/refunds.ts';
import { lock } from './settling.ts';
import { followApprover } from './transfers/approvers.ts';
import type { TransferFollowers } from './transfers/transfers.ts';
import { keepWithdrawal } from './withdrawals.ts';

/** Copies customer data from orders, erases customers with auth, and follows the state of photo packages. */
export function consumers(parts: {
  sql: Sql;
  transfers: TransferFollowers;
  refunds: Pick<Refunds, 'sendSoon'>;
  clock: () => Date;
}): EventHandlers {
  const { sql, transfers, refunds, clock } = parts;
  return {
    'order.updated': async (event) => {
      await sql.consume(event.id, async (tx) => {
        const { orderId, customer, at } = event.data;
        await follow(tx, customer, at, 'order_id = $4', orderId);
        await transfers.orderUpdated(tx, event);
        await tx.query(
          `update package_purchases as bought set customer = payment.customer from all_payments as payment
           where bought.order_id = $1 and payment.order_id = $1 and bought.recipient_account is null`,
          [orderId],
        );
      });
    },
    'customer.erased': async (event) => {
      await sql.consume(event.id, async (tx) => {
        await rememberErased(tx, event.data);
        await forget(tx, event.data);
        await transfers.customerErased(tx, event);
        await forgetClaims(tx, event.data.accountId);
      });
    },
    /** Payments without an order follow the account; orders publishes the change for all others. */
    'email.changed': async (event) => {
      await sql.consume(event.id, async (tx) => {
        const { accountId, role, from, to, fromVerified, at } = event.data;
        if (role !== 'customer' || !fromVerified) return;
        const erased = await erasureOf(tx, accountId);
        if (erased) {
          const former = { accountId, email: from, at };
          await forget(tx, { ...former, ordersToo: erased.ordersToo });
          await transfers.customerErased(tx, { data: { ...former, ordersToo: erased.ordersToo } });
          return;
        }
        await tx.query(
          `update package_purchases set customer = customer || jsonb_build_object('email', $1::text)
           where recipient_account = $2`,
          [to, accountId],
        );
        await tx.query(
          `update payments set customer = customer || jsonb_build_object('email', $1::text)
           where customer ->> 'email' = $3 and status <> 'succeeded' and created_at <= $2`,
          [to, at, from],
        );
      });
    },
    /** A package is refunded with its trees when nothing is planted. */
    'order.status_changed': async (event) => {
      if (!event.data.withdrawn) return;
      let refund: Refund | undefined;
      await sql.consume(event.id, async (tx) => {
        refund = await refundPackageOf(tx, event.data.orderId, clock());
      });
      if (refund) await refunds.sendSoon(refund);
    },
    'order.withdrawal_requested': async ({ id, data: { orderId, requestedAt } }) => {
      await sql.consume(id, (tx) => keepWithdrawal(tx, { orderId, requestedAt }));
    },
    'order.withdrawal_retracted': async ({ id, data: { orderId, at: retractedAt } }) => {
      await sql.consume(id, (tx) => keepWithdrawal(tx, { orderId, retractedAt }));
    },
    'admin.role_changed': async ({ id, data }) => {
      await sql.consume(id, (tx) => followApprover(tx, data));
    },
    'gift.claimed': async (event) => {
      await sql.consume(event.id, async (tx) => {
        if (!(await erasureOf(tx, event.data.accountId))) await keepClaim(tx, event.data);
      });
    },
    'photo_package.completed': async (event) => {
      await sql.consume(event.id, async (tx) => {
        await tx.query(
          `update package_purchases set status = 'completed', updated_at = $2
           where id = $1 and status in ('active', 'stopped')`,
          [event.data.purchaseId, event.data.at],
        );
      });
    },
  };
}

async function forget(
  tx: Transaction,
  { email, ordersToo, at }: { email: string; ordersToo: boolean; at: string },
): Promise<void> {
  // An unverified address may belong to somebody else.
  if (!ordersToo) return;
  await forgetGiftsTo(tx, email, at);
  const neverOrders = `customer ->> 'email' = $4 and status <> 'succeeded' and created_at <= $2`;
  await follow(tx, { ...ERASED_CUSTOMER }, at, neverOrders, email);
}

/**
 * Updates the buyer of a card payment. An erased buyer stays erased, even when an older event arrives late.
 * @param where a condition on $4, and on $2 as `at`
 */
async function follow(
  tx: Transaction,
  customer: Customer,
  at: string,
  where: string,
  value: string,
): Promise<void> {
  await tx.query(
    `update payments set customer = $1, customer_at = $2,
       locale = case when $5 then null else locale end,
       request_hash = case when $5 then '' else request_hash end,
       details = case when $5 then null else details end,
       network_hash = case when $5 then null else network_hash end,
       charge = case when $5 then charge - 'receiptUrl' else charge end,
       -- A processing one may yet become an order.
       gift = case when $5 and status <> 'processing' then null else gift end
     where ${where} and (customer_at is null or customer_at <= $2 or $5) and customer ->> 'email' <> $3`,
    [JSON.stringify(customer), at, ERASED_CUSTOMER.email, value, isErased(customer.email)],
  );
}

/** Records an erasure: topics are not ordered, so earlier events of the account may arrive later. */
async function rememberErased(
  tx: Transaction,
  erased: { accountId: string; ordersToo: boolean; at: string },
): Promise<void> {
  await lock(tx, 'accounts', erased.accountId);
  await tx.query(
    'insert into erased_accounts (id, orders_too, at) values ($1, $2, $3) on conflict (id) do nothing',
    [erased.accountId, erased.ordersToo, erased.at],
  );
}

/** Locks erasures until the transaction ends. @returns undefined when the account was not erased */
async function erasureOf(tx: Transaction, accountId: string): Promise<{ ordersToo: boolean } | undefined> {
  await lock(tx, 'accounts', accountId);
  const { rows } = await tx.query<{ orders_too: boolean }>(
    'select orders_too from erased_accounts where id = $1',
    [accountId],
  );
  return rows[0] && { ordersToo: rows[0].orders_too };
}
