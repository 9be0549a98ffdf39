/** Writes an order of Arboleda again and again under new ids, and tells how many seconds that took. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { byClients } from './competitor.ts';

const CONNECTIONS = 16;

/** For each order, or for each step of a sale: begun, paid, ordered. */
export type Transactions = 'one' | 'steps';

const [databaseUrl, orders, clients, transactions] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });

interface Sample {
  payment: Record<string, unknown>;
  order: Record<string, unknown>;
  /** Columns of each table that are not generated. */
  columns: { payments: string; orders: string };
}

async function sampleOrder(): Promise<Sample> {
  const { rows } = await pool.query<Pick<Sample, 'payment' | 'order'>>(
    `select to_jsonb(p) as payment, to_jsonb(o) as order
     from payments.payments p join orders.orders o on o.id = p.order_id limit 1`,
  );
  const columnsOf = async (table: string) => {
    const { rows: columns } = await pool.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = 'floor' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    );
    return columns.map(({ name }) => `"${name}"`).join(', ');
  };
  return {
    ...rows[0]!,
    columns: { payments: await columnsOf('payments'), orders: await columnsOf('orders') },
  };
}

async function write(): Promise<void> {
  const order = newOrder();
  if (transactions === 'one') {
    await transaction(
      payment(order, order.paid),
      receipt(order),
      ordered(order),
      events(order, ['payment.succeeded', 'order.created']),
    );
    return;
  }
  await transaction(payment(order, order.begun));
  await transaction(paid(order), receipt(order), events(order, ['payment.succeeded']));
  await transaction(ordered(order), events(order, ['order.created']));
}

/** A single statement is one by itself. */
async function transaction(...statements: pg.QueryConfig[]): Promise<void> {
  const client = await pool.connect();
  try {
    if (statements.length > 1) await client.query('begin');
    for (const statement of statements) await client.query(statement);
    if (statements.length > 1) await client.query('commit');
  } finally {
    client.release();
  }
}

type Order = ReturnType<typeof newOrder>;

function newOrder() {
  const [id, token] = [randomBytes(12).toString('hex'), randomBytes(16).toString('base64url')];
  const { state } = sample.payment as { state: object };
  const paid = { ...state, intentId: `pi_${id}` };
  const begun = { status: 'open', intentId: `pi_${id}` };
  const ids = { id, order_id: id, order_token: token, idempotency_key: token };
  return { id, paid, begun, payment: { ...sample.payment, ...ids }, order: { ...sample.order, id, token } };
}

const payment = (order: Order, state: object): pg.QueryConfig => ({
  name: 'payment',
  text: `insert into floor.payments (${sample.columns.payments})
         select ${sample.columns.payments} from jsonb_populate_record(null::floor.payments, $1)`,
  values: [JSON.stringify({ ...order.payment, state })],
});

const paid = (order: Order): pg.QueryConfig => ({
  name: 'paid',
  text: 'update floor.payments set state = $2, revision = revision + 1, updated_at = now(), reconcile_at = null where id = $1',
  values: [order.id, JSON.stringify(order.paid)],
});

const receipt = ({ id }: Order): pg.QueryConfig => ({
  name: 'receipt',
  text: `insert into floor.stripe_events (id, type, payment_id, received_at) values ($1, $2, $1, now())`,
  values: [id, 'payment_intent.succeeded'],
});

const ordered = ({ order }: Order): pg.QueryConfig => ({
  name: 'order',
  text: `insert into floor.orders (${sample.columns.orders})
         select ${sample.columns.orders} from jsonb_populate_record(null::floor.orders, $1)`,
  values: [JSON.stringify(order)],
});

const events = (order: Order, types: readonly string[]): pg.QueryConfig => ({
  name: `events ${types.length}`,
  text: `insert into floor.events (event) values ${types.map((_, at) => `($${at + 1})`).join(', ')}`,
  values: types.map((type) => JSON.stringify({ id: order.id, type, data: order.payment })),
});

const sample = await sampleOrder();
// Connections are made before it begins.
await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query('select pg_sleep(0.05)')));
console.log(await byClients(Number(orders), Number(clients), write));
await pool.end();
