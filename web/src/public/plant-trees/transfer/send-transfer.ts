import type { CreatedTransfer, TransferFields } from '../../../api/create-transfer.ts';
import { ApiProblem, isProblem, type ProblemField } from '../../../api/problem.ts';

/** What is announced: the form, its pictures by their ids, and the amount that the buyer sees. */
export interface Announcement {
  fields: TransferFields;
  pictures: readonly string[];
  amountMinor: number;
}

/**
 * One transfer on its way to the server: kept from before the first byte until the order is there. Every try bears the
 * same key, so that whichever of them arrives is the only one.
 */
export interface Sending {
  /** Sent as Idempotency-Key. */
  key: string;
  /** What was sent and may have arrived, though no answer came. */
  tries: readonly Announcement[];
}

export type TransferOutcome =
  | { kind: 'sent'; orderToken: string }
  | { kind: 'quote-expired' }
  /** The buyer called it off; it may have arrived all the same. */
  | { kind: 'stopped' }
  /** An earlier try arrived, with contents that are not here any more. */
  | { kind: 'arrived-before' }
  | { kind: 'refused'; problem: ApiProblem | undefined; fields: readonly ProblemField[] };

export interface TransferTools {
  sending: Sending | undefined;
  keep: (sending: Sending | undefined) => void;
  newKey: () => string;
  /** The pictures by their ids; undefined when one of them is gone. */
  filesOf: (pictures: readonly string[]) => readonly File[] | undefined;
  create: (fields: TransferFields, files: readonly File[], key: string) => Promise<CreatedTransfer>;
}

/** The same purchase with the same pictures, whatever quote its price came with. */
function isSame(a: Announcement, b: Announcement): boolean {
  const essence = ({ fields, pictures, amountMinor }: Announcement) => {
    const { quote: _quote, locale: _locale, ...rest } = fields;
    return JSON.stringify([Object.entries(rest).sort(), pictures, amountMinor]);
  };
  return essence(a) === essence(b);
}

/** Announces the transfer once, however often and with whatever changes it is tried. */
export async function sendTransfer(wanted: Announcement, tools: TransferTools): Promise<TransferOutcome> {
  const before = tools.sending ?? { key: tools.newKey(), tries: [] };
  // The very same words again: only then does the server know that it is the very same transfer.
  const current = before.tries.find((one) => isSame(one, wanted)) ?? wanted;
  const others = before.tries.filter((one) => one !== current);
  tools.keep({ key: before.key, tries: [...others, current] });
  try {
    return await send(current, before.key, tools);
  } catch (error) {
    if (isProblem(error, 'idempotency-conflict')) return takeEarlier(others, before.key, tools);
    if (isAbort(error)) return { kind: 'stopped' };
    if (hasNotArrived(error)) tools.keep({ key: before.key, tries: others });
    if (isProblem(error, 'quote-expired') || isProblem(error, 'quote-invalid'))
      return { kind: 'quote-expired' };
    const problem = error instanceof ApiProblem ? error : undefined;
    return { kind: 'refused', problem, fields: problem?.fields ?? [] };
  }
}

async function send(announcement: Announcement, key: string, tools: TransferTools): Promise<TransferOutcome> {
  const files = tools.filesOf(announcement.pictures);
  if (!files) return { kind: 'arrived-before' };
  const { orderToken } = await tools.create(announcement.fields, files, key);
  return { kind: 'sent', orderToken };
}

/** The key is taken: one of the earlier tries did arrive, and repeating it tells which order it became. */
async function takeEarlier(
  tries: readonly Announcement[],
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

/** A refusal for what was sent: nothing was made of it. Silence, and a server in trouble, leave that open. */
const hasNotArrived = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status >= 400 && error.status < 500;
