import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { MATCH_DAYS, RETURN_DAYS } from '@arboleda/contracts/statement.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { nameFinder, nameOf } from './names.ts';
import { type Debit, debitsWhere, saysReturn } from './returns.ts';

const DAY_MS = 86_400_000;

export interface RefundByHand {
  refundId: string;
  orderId: string;
  customerName: string;
  amountMinor: number;
  currency: string;
  reference: string | undefined;
  createdAt: Date;
}

/** Refunds by hand that no debit proves yet, of the sums of some debits. */
export async function refundsByHand(
  sql: Pick<Sql, 'query'>,
  debits: readonly Pick<Debit, 'amountMinor' | 'currency'>[],
): Promise<RefundByHand[]> {
  const { rows } = await sql.query<{
    id: string;
    order_id: string;
    name: string;
    amount_minor: string;
    currency: string;
    reference: string | null;
    created_at: Date;
  }>(
    `select r.id, r.order_id, p.customer ->> 'name' as name, r.amount_minor, r.currency, t.reference_key as reference,
       r.created_at
     from refunds r join all_payments p on p.order_id = r.order_id left join transfers t on t.order_id = r.order_id
     where r.method = 'hand' and r.status in ('pending', 'succeeded')
       and (r.amount_minor, r.currency) in (select * from unnest($1::bigint[], $2::text[]))
       and not exists (select from statement_debits d where d.refund_id = r.id)
     order by r.created_at, r.id limit 1000`,
    [debits.map(({ amountMinor }) => amountMinor), debits.map(({ currency }) => currency)],
  );
  return rows.map((row) => ({
    refundId: row.id,
    orderId: row.order_id,
    customerName: row.name,
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    reference: row.reference ?? undefined,
    createdAt: row.created_at,
  }));
}

interface Proof {
  debitId: string;
  refundId: string;
  /** 2: our reference or the payer; 1: sum and day alone. */
  strength: number;
}

/** A refund is noted some days before or after its money is sent. */
const NOTED_WITHIN_DAYS = 7;

async function refundsByDebit(sql: Pick<Sql, 'query'>): Promise<Proof[]> {
  const debits = await debitsWhere(
    sql,
    `d.status = 'open' and not d.is_reversal and (d.amount_minor, d.currency) in (
       select r.amount_minor, r.currency from refunds r where r.method = 'hand' and r.status in ('pending', 'succeeded')
         and not exists (select from statement_debits o where o.refund_id = r.id))`,
    [],
  );
  if (debits.length === 0) return [];
  const refunds = await refundsByHand(sql, debits);
  return debits.flatMap((debit) => {
    const isNamed = nameFinder([debit.name, debit.text]);
    return refunds.flatMap((refund) => {
      if (refund.amountMinor !== debit.amountMinor || refund.currency !== debit.currency) return [];
      const days = (Date.parse(debit.day) - Date.parse(dayOf(refund.createdAt))) / DAY_MS;
      if (days < -NOTED_WITHIN_DAYS || days > RETURN_DAYS) return [];
      const isTheirs =
        (refund.reference !== undefined && debit.references.includes(refund.reference)) ||
        isNamed(nameOf(refund.customerName));
      // The bank's words for a return speak of the bank, not of an admin.
      if (!isTheirs && (days > MATCH_DAYS || saysReturn(debit.text))) return [];
      return [{ debitId: debit.id, refundId: refund.refundId, strength: isTheirs ? 2 : 1 }];
    });
  });
}

/** Open debits and the refunds by hand that they prove: pairs that are each other's only likeliest. */
export async function provenRefunds(sql: Pick<Sql, 'query'>): Promise<Proof[]> {
  const proofs = await refundsByDebit(sql);
  const bestOf = (key: 'debitId' | 'refundId') =>
    new Map(
      [...Map.groupBy(proofs, (one) => one[key])].map(([id, all]) => {
        const strength = Math.max(...all.map((one) => one.strength));
        return [id, all.filter((one) => one.strength === strength)];
      }),
    );
  const [byDebit, byRefund] = [bestOf('debitId'), bestOf('refundId')];
  const isOnly = (proof: Proof, best: Proof[] | undefined) => best?.length === 1 && best[0] === proof;
  return proofs.filter(
    (proof) => isOnly(proof, byDebit.get(proof.debitId)) && isOnly(proof, byRefund.get(proof.refundId)),
  );
}
