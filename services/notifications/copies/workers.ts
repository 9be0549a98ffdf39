import { lockedRecords } from '@arboleda/chassis/locked-records.ts';
import type { Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Worker } from '@arboleda/contracts/fields.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { Recipient } from '../queue/mail.ts';

interface WorkerCopy {
  id: string;
  language: Language;
  name: string | null;
  email: string | null;
  /** The account's version. */
  sequence: number;
}

const workers = lockedRecords<WorkerCopy, WorkerCopy>({
  table: 'workers',
  key: 'id',
  columns: ['language', 'name', 'email', 'sequence'],
  toRow: (worker) => worker,
  fromRow: (row) => row,
});

export async function keepWorker(
  tx: Transaction,
  {
    workerId: id,
    name,
    email,
    language,
  }: { workerId: string; name: string; email: string; language: Language },
  sequence: number,
): Promise<void> {
  await workers.change(tx, id, (known) =>
    known && known.sequence > sequence ? undefined : { id, language, name, email, sequence },
  );
}

/**
 * The recipient for a worker named in an event, from the account's data if known. Defaults to Spanish, as the
 * work is in Colombia.
 */
export async function workerRecipient(tx: Transaction, worker: Worker): Promise<Recipient> {
  const known = await workers.get(tx, worker.workerId);
  return {
    address: known?.email ?? worker.email,
    name: known?.name ?? worker.name,
    language: known?.language ?? 'es',
  };
}
