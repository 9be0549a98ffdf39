import type { Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Worker } from '@arboleda/contracts/fields.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { Recipient } from '../queue/mail.ts';

export async function keepWorker(
  tx: Transaction,
  worker: { workerId: string; name: string; email: string; language: Language },
  sequence: number,
): Promise<void> {
  await tx.query(
    `insert into workers (id, language, name, email, sequence) values ($1, $2, $3, $4, $5)
     on conflict (id) do update set language = $2, name = $3, email = $4, sequence = $5
     where workers.sequence <= $5`,
    [worker.workerId, worker.language, worker.name, worker.email, sequence],
  );
}

/**
 * The recipient for a worker named in an event, from the account's data if known. Defaults to Spanish, as the
 * work is in Colombia.
 */
export async function workerRecipient(tx: Transaction, worker: Worker): Promise<Recipient> {
  const { rows } = await tx.query<{ language: Language; name: string | null; email: string | null }>(
    'select language, name, email from workers where id = $1',
    [worker.workerId],
  );
  const known = rows[0];
  return {
    address: known?.email ?? worker.email,
    name: known?.name ?? worker.name,
    language: known?.language ?? 'es',
  };
}
