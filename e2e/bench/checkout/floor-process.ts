/** Writes an order of Arboleda again and again under new ids, and tells how many seconds that took. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { byClients } from './contestant.ts';

const CONNECTIONS = 16;

const [databaseUrl, orders, clients] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });

const sample = await sampleOrder();
// Connections are made before it begins.
await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query('select pg_sleep(0.05)')));
console.log(await byClients(Number(orders), Number(clients), write));
await pool.end();

interface Sample {
  payment: Record<string, unknown>;
  /** Those that nobody computes. */
  columns: string;
  doc: Record<string, unknown>;
}

async function sampleOrder(): Promise<Sample> {
  const { rows: columns } = await pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'floor' and table_name = 'payments' and is_generated = 'NEVER'`,
  );
  const { rows } = await pool.query<Pick<Sample, 'payment' | 'doc'>>(
    `select to_jsonb(p) as payment, o.doc from payments.payments p join orders.orders o on o.id = p.order_id limit 1`,
  );
  return { ...rows[0]!, columns: columns.map(({ name }) => `"${name}"`).join(', ') };
}

async function write(): Promise<void> {
  const [id, token] = [randomBytes(12).toString('hex'), randomBytes(16).toString('base64url')];
  const { state } = sample.payment as { state: object };
  const payment = {
    ...sample.payment,
    ...{
      id,
      order_id: id,
      order_token: token,
      idempotency_key: token,
      state: { ...state, intentId: `pi_${id}` },
    },
  };
  const doc = { ...sample.doc, _id: id, token };
  const event = (type: string) => JSON.stringify({ kind: 'event', event: { id, type, data: payment } });
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({
      name: 'payment',
      text: `insert into floor.payments (${sample.columns})
             select ${sample.columns} from jsonb_populate_record(null::floor.payments, $1)`,
      values: [JSON.stringify(payment)],
    });
    await client.query({
      name: 'receipt',
      text: `insert into floor.stripe_events (id, type, payment_id, received_at) values ($1, $2, $1, now())`,
      values: [id, 'payment_intent.succeeded'],
    });
    await client.query({
      name: 'order',
      text: 'insert into floor.orders (id, version, doc) values ($1, 1, $2)',
      values: [id, JSON.stringify(doc)],
    });
    await client.query({
      name: 'events',
      text: 'insert into floor.events (entry) values ($1), ($2)',
      values: [event('payment.succeeded'), event('order.created')],
    });
    await client.query('commit');
  } finally {
    client.release();
  }
}
