import { type Bank, wireMethodOf } from '@arboleda/contracts/payment-method.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { createTransfer } from '../../../api/create-transfer.ts';
import type { ProblemField } from '../../../api/problem.ts';
import { useToast } from '../../../design/components/Toasts.tsx';
import type { CheckoutProblem } from '../checkout-problem.ts';
import { changeDraft, clearDraft, currentDraft } from '../draft.ts';
import type { PricedSelection } from '../selection.ts';
import { useNewTotal } from '../use-new-total.ts';
import { useProblemWords } from '../use-problem-words.ts';
import { acceptedOf, type EvidenceRefusal } from './evidence-files.ts';
import { sendTransfer, type TransferOutcome } from './send-transfer.ts';
import { forgetEvidence, type Evidence } from './use-evidence.ts';
import { REFERENCE_KEY } from './use-reference.ts';

export interface Sender {
  bank: Bank;
  name: string;
  email: string;
  phone: string;
  referenceNumber: string;
}

export interface Transfer {
  /** Submits the transfer; returns the fields the server refused. Does nothing while busy. */
  send: (sender: Sender) => Promise<readonly ProblemField[]>;
  /** Cancels the upload. */
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

  const announce = (sender: Sender, signal: AbortSignal): Promise<TransferOutcome> => {
    const fields = {
      trees: String(total!.trees),
      packageType: selection.packageType,
      currency: total!.currency,
      customerEmail: sender.email,
      customerName: sender.name,
      ...(sender.phone && { customerPhone: sender.phone }),
      paymentMethod: wireMethodOf({ kind: 'transfer', bank: sender.bank }),
      bankName: sender.bank,
      ...(sender.referenceNumber && { referenceNumber: sender.referenceNumber }),
      locale: i18n.language,
      ...(quote && { quote }),
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

  const finish = (orderToken: string) => {
    onDone(orderToken);
    forgetEvidence();
    clearDraft();
    queryClient.removeQueries({ queryKey: REFERENCE_KEY });
    toast({ kind: 'good', text: t('transfer.received') });
    void navigate(`/orders/${orderToken}`);
  };

  const tell = async (outcome: TransferOutcome): Promise<readonly ProblemField[]> => {
    if (outcome.kind === 'sent') finish(outcome.orderToken);
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
      return tell(outcome);
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
