import type { Answer } from './client.ts';
import { upload } from './upload.ts';

export type TransferFields = Readonly<Record<string, string>>;
export type CreatedTransfer = Answer<'POST /api/manual-payments/create-order'>;

interface Options {
  /** Repeating a key with the same fields and files has no further effect. */
  idempotencyKey: string;
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Submits a bank transfer with its evidence. @throws ApiProblem */
export function createTransfer(
  fields: TransferFields,
  files: readonly File[],
  { idempotencyKey, onProgress, signal }: Options,
): Promise<CreatedTransfer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const file of files) form.append('evidenceFiles', file, file.name);
  return upload<CreatedTransfer>({
    path: '/api/manual-payments/create-order',
    form,
    headers: { 'idempotency-key': idempotencyKey },
    onProgress,
    signal,
  });
}
