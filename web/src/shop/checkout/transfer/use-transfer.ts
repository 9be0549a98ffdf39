import { type Bank, wireMethodOf } from '@arboleda/contracts/payment-method.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { call } from '../../../api/client.ts';
import { type CreatedTransfer, createTransfer, type TransferFields } from '../../../api/create-transfer.ts';
import { ApiProblem, isProblem, type ProblemField } from '../../../api/problem.ts';
import { useToast } from '../../../design/components/Toasts.tsx';
import { giftToSend } from '../../../order/gift/gift-form.ts';
import type { PayingCustomer } from '../../../order/purchase/buyer.ts';
import { type CheckoutProblem, useNewTotal, useProblemWords } from '../checkout-problem.ts';
import {
  changeDraft,
  clearDraft,
  currentDraft,
  type PendingSubmission,
  type Submission,
  useDraft,
} from '../../../order/purchase/draft.ts';
import type { PricedSelection } from '../selection.ts';
import { acceptedOf, type Evidence, type EvidenceRefusal, forgetEvidence } from './evidence.ts';

type TransferOutcome =
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

async function send(submission: Submission, key: string, tools: TransferTools): Promise<TransferOutcome> {
  const files = tools.filesOf(submission.pictures);
  if (!files) return { kind: 'arrived-before' };
  const { orderToken } = await tools.create(submission.fields, files, key);
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

const REFERENCE_KEY = ['transfer-reference'];

/** Unique transfer reference, requested once per order and stored in the draft. */
export function useReference(wanted: boolean) {
  const { reference } = useDraft();
  const { isError, refetch } = useQuery({
    queryKey: REFERENCE_KEY,
    queryFn: async ({ signal }) => {
      const { referenceNumber } = await call('GET /api/manual-payments/reference', { signal });
      if (!currentDraft().reference) changeDraft({ reference: referenceNumber });
      return referenceNumber;
    },
    enabled: wanted && !reference,
    staleTime: Infinity,
  });
  return { reference, isError: isError && !reference, refetch: () => void refetch() };
}

interface Sender extends PayingCustomer {
  bank: Bank;
  phone: string;
  referenceNumber: string;
}

interface Transfer {
  /** Submits the transfer; returns the fields the server refused. Does nothing while busy. */
  send: (sender: Sender) => Promise<readonly ProblemField[]>;
  stop: () => void;
  /** Uploaded share of the form, 0 to 1, while sending. */
  share: number | undefined;
  problem: CheckoutProblem | undefined;
  setProblem: (problem: CheckoutProblem | undefined) => void;
}

/** Submits one transfer at a time, then opens the order page. */
export function useTransfer(
  { selection, total, quote }: PricedSelection,
  evidence: Evidence,
  onDone: (orderToken: string) => void,
): Transfer {
  const { t, i18n } = useTranslation('checkout');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const toast = useToast();
  const wordsFor = useProblemWords();
  const newTotal = useNewTotal(selection);
  const [share, setShare] = useState<number>();
  const [problem, setProblem] = useState<CheckoutProblem>();
  const sending = useRef<AbortController>(undefined);
  // Closing the checkout cancels the upload.
  useEffect(() => () => sending.current?.abort(), []);

  const announce = (
    { bank, phone, referenceNumber, ...customer }: Sender,
    signal: AbortSignal,
  ): Promise<TransferOutcome> => {
    const gift = giftToSend(currentDraft());
    const fields = {
      trees: String(total!.trees),
      packageType: selection.packageType,
      currency: total!.currency,
      ...customer,
      ...(phone && { customerPhone: phone }),
      paymentMethod: wireMethodOf({ kind: 'transfer', bank }),
      bankName: bank,
      ...(referenceNumber && { referenceNumber }),
      locale: i18n.language,
      ...(quote && { quote }),
      ...(gift && { gift: JSON.stringify(gift) }),
    };
    return sendTransfer(
      {
        fields,
        pictures: acceptedOf(evidence.pictures).map(({ id }) => id),
        amountMinor: total!.amountMinor,
      },
      {
        sending: currentDraft().sending,
        keep: (next) => changeDraft({ sending: next }),
        newKey: () => crypto.randomUUID(),
        filesOf: evidence.filesOf,
        create: (body, files, idempotencyKey) =>
          createTransfer(body, files, { idempotencyKey, onProgress: setShare, signal }),
      },
    );
  };

  const finish = (orderToken: string, reference: string | undefined) => {
    onDone(orderToken);
    forgetEvidence();
    clearDraft();
    queryClient.removeQueries({ queryKey: REFERENCE_KEY });
    toast({ kind: 'good', text: t('transfer.received') });
    void navigate(`/orders/${orderToken}`, { state: { hasPaid: true, reference } });
  };

  const handleOutcome = async (
    outcome: TransferOutcome,
    sender: Sender,
  ): Promise<readonly ProblemField[]> => {
    // Taken from the draft before it is cleared: the server does not show it to everybody with the link.
    const reference = sender.referenceNumber || currentDraft().reference;
    if (outcome.kind === 'sent') finish(outcome.orderToken, reference);
    if (outcome.kind === 'stopped') setProblem({ text: t('transfer.stopped') });
    if (outcome.kind === 'arrived-before') setProblem({ text: t('transfer.arrivedBefore') });
    if (outcome.kind === 'quote-expired')
      setProblem({ text: t('errors.quoteExpired', { amount: await newTotal('COP') }) });
    if (outcome.kind !== 'refused') return [];
    setProblem(wordsFor(outcome.problem, t('errors.transfer')));
    evidence.refuse(refusalsOf(outcome.fields, evidence));
    return outcome.fields;
  };

  return {
    share,
    problem,
    setProblem,
    stop: () => sending.current?.abort(),
    send: async (sender) => {
      if (sending.current || !total) return [];
      sending.current = new AbortController();
      setProblem(undefined);
      setShare(0);
      const outcome = await announce(sender, sending.current.signal).catch((): TransferOutcome => ({
        kind: 'refused',
        problem: undefined,
        fields: [],
      }));
      sending.current = undefined;
      setShare(undefined);
      return handleOutcome(outcome, sender);
    },
  };
}

/** Maps "evidenceFiles.1" to the second uploaded picture. */
function refusalsOf(fields: readonly ProblemField[], evidence: Evidence): Map<string, EvidenceRefusal> {
  const sent = acceptedOf(evidence.pictures);
  return new Map(
    fields.flatMap(({ path, type }) => {
      const at = /^evidenceFiles\.(\d+)$/.exec(path)?.[1];
      const picture = at && sent[Number(at)];
      return picture && type ? [[picture.id, type as EvidenceRefusal] as const] : [];
    }),
  );
}
