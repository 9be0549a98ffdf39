import type { CreatedTransfer, TransferFields } from '../../../api/create-transfer.ts';
import { ApiProblem, isProblem, type ProblemField } from '../../../api/problem.ts';

/** Content of one submission: fields, picture ids, and the amount shown to the buyer. */
export interface Submission {
  fields: TransferFields;
  pictures: readonly string[];
  amountMinor: number;
}

/**
 * One transfer being submitted, stored from before the first byte until the order exists. All attempts share one key,
 * so that at most one becomes an order.
 */
export interface PendingSubmission {
  /** Sent as Idempotency-Key. */
  key: string;
  /** Attempts without an answer, which may have arrived. */
  tries: readonly Submission[];
}

export type TransferOutcome =
  | { kind: 'sent'; orderToken: string }
  | { kind: 'quote-expired' }
  /** Cancelled by the buyer; it may have arrived. */
  | { kind: 'stopped' }
  /** An earlier attempt arrived, and its contents are no longer available. */
  | { kind: 'arrived-before' }
  | { kind: 'refused'; problem: ApiProblem | undefined; fields: readonly ProblemField[] };

export interface TransferTools {
  sending: PendingSubmission | undefined;
  keep: (sending: PendingSubmission | undefined) => void;
  newKey: () => string;
  /** Files of the pictures; undefined when one is missing. */
  filesOf: (pictures: readonly string[]) => readonly File[] | undefined;
  create: (fields: TransferFields, files: readonly File[], key: string) => Promise<CreatedTransfer>;
}

/** Whether purchase and pictures are equal, whatever the quote. */
function isSame(a: Submission, b: Submission): boolean {
  const essence = ({ fields, pictures, amountMinor }: Submission) => {
    const { quote: _quote, locale: _locale, ...rest } = fields;
    return JSON.stringify([Object.entries(rest).sort(), pictures, amountMinor]);
  };
  return essence(a) === essence(b);
}

/** Submits the transfer at most once, across retries and changes. */
export async function sendTransfer(wanted: Submission, tools: TransferTools): Promise<TransferOutcome> {
  const before = tools.sending ?? { key: tools.newKey(), tries: [] };
  // The idempotency key only matches an identical request, so resend the earlier one.
  const current = before.tries.find((one) => isSame(one, wanted)) ?? wanted;
  const others = before.tries.filter((one) => one !== current);
  tools.keep({ key: before.key, tries: [...others, current] });
  try {
    return await send(current, before.key, tools);
  } catch (error) {
    if (isProblem(error, 'idempotency-conflict')) return findEarlier(others, before.key, tools);
    if (isAbort(error)) return { kind: 'stopped' };
    if (hasNotArrived(error)) tools.keep({ key: before.key, tries: others });
    if (isProblem(error, 'quote-expired') || isProblem(error, 'quote-invalid'))
      return { kind: 'quote-expired' };
    const problem = error instanceof ApiProblem ? error : undefined;
    return { kind: 'refused', problem, fields: problem?.fields ?? [] };
  }
}

async function send(announcement: Submission, key: string, tools: TransferTools): Promise<TransferOutcome> {
  const files = tools.filesOf(announcement.pictures);
  if (!files) return { kind: 'arrived-before' };
  const { orderToken } = await tools.create(announcement.fields, files, key);
  return { kind: 'sent', orderToken };
}

/** The key is taken: an earlier attempt arrived, and repeating it returns its order. */
async function findEarlier(
  tries: readonly Submission[],
  key: string,
  tools: TransferTools,
): Promise<TransferOutcome> {
  for (const one of tries) {
    try {
      const outcome = await send(one, key, tools);
      if (outcome.kind === 'sent') return outcome;
    } catch (error) {
      if (isProblem(error, 'idempotency-conflict')) continue;
      if (isAbort(error)) return { kind: 'stopped' };
      return { kind: 'refused', problem: error instanceof ApiProblem ? error : undefined, fields: [] };
    }
  }
  return { kind: 'arrived-before' };
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** A 4xx refusal proves that nothing was created. Missing answers and server errors leave it open. */
const hasNotArrived = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status >= 400 && error.status < 500;
