import type { Stage } from './stage.ts';
import type { Ending } from './truths.ts';

interface Row {
  order_id: string;
  payment: string;
  failure: string | null;
  refunds: string[] | null;
  disputes: string[] | null;
  packages: string[] | null;
  orders: number;
  paid: number | null;
  refunded_minor: number | null;
  order_disputes: string[] | null;
  growth: number | null;
  stopped: number | null;
  given_back: boolean | null;
}

const LISTS = `
  (select array_agg(r.amount_minor || ' ' || r.status order by r.amount_minor) from payments.refunds r
    where r.subject_id = p.id) as refunds,
  (select array_agg(d.status order by d.id) from payments.disputes d where d.subject_id = p.id) as disputes,
  (select array_agg(concat_ws(', ', k.status,
      (select string_agg(r.amount_minor || ' ' || r.status, ' ') from payments.refunds r where r.subject_id = k.id),
      (select string_agg(d.status, ' ') from payments.disputes d where d.subject_id = k.id)) order by k.created_at)
    from payments.package_purchases k where k.order_id = p.order_id) as packages`;

/** How payments and orders stand, in one line for each order: read from the database. */
export async function endingsOf(stage: Stage, orderIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await stage.query<Row>(
    `select p.order_id, p.status as payment, p.state -> 'failure' ->> 'reason' as failure, ${LISTS},
       (select count(*)::int from orders.orders one where one.payment_id = p.id) as orders,
       (select count(*)::int from jsonb_array_elements(o.timeline) e where e ->> 'type' = 'paid') as paid,
       o.refunded_minor::int as refunded_minor,
       (select array_agg(d ->> 'status') from jsonb_array_elements(o.disputes) d) as order_disputes,
       jsonb_array_length(o.growth) as growth,
       (select count(*)::int from jsonb_array_elements(o.growth) g where g ->> 'stoppedAt' is not null) as stopped,
       o.is_given_back as given_back
     from payments.payments p left join orders.orders o on o.id = p.order_id where p.order_id = any($1)`,
    [orderIds],
  );
  return new Map(rows.map((row) => [row.order_id, lineOf(row)]));
}

function lineOf(row: Row): string {
  const order = [
    `${row.orders} orders paid ${row.paid} times`,
    `refunded ${row.refunded_minor ?? 0}`,
    `disputes ${row.order_disputes?.join(' ') ?? ''}`,
    `growth ${row.growth ?? 0}`,
    `stopped ${row.stopped ?? 0}`,
    `given back ${row.given_back ?? false}`,
  ];
  return line(row, row.orders === 0 ? ['no order'] : order);
}

/** The line that an ending must be. */
export function wantedLine(ending: Ending): string {
  const { order } = ending;
  const wanted = order && [
    '1 orders paid 1 times',
    `refunded ${order.refundedMinor ?? 0}`,
    `disputes ${order.disputes?.join(' ') ?? ''}`,
    `growth ${order.growth ?? 0}`,
    `stopped ${order.stopped ?? 0}`,
    `given back ${order.givenBack ?? false}`,
  ];
  const refunds = ending.refunds?.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  return line({ ...ending, refunds }, wanted ?? ['no order']);
}

interface Lists {
  payment: string;
  failure?: string | null | undefined;
  refunds?: readonly string[] | null | undefined;
  disputes?: readonly string[] | null | undefined;
  packages?: readonly string[] | null | undefined;
}

const line = ({ payment, failure, refunds, disputes, packages }: Lists, order: readonly string[]): string =>
  [
    `payment ${payment}${failure ? ` (${failure})` : ''}`,
    `refunds ${refunds?.join('; ') ?? ''}`,
    `disputes ${disputes?.join('; ') ?? ''}`,
    `packages ${packages?.join('; ') ?? ''}`,
    ...order,
  ].join(' | ');
