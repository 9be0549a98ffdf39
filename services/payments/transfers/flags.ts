import type { TransferFlag } from '@arboleda/contracts/endpoints/transfers.ts';
import type { VerificationStatus } from '@arboleda/contracts/order.ts';
import { isMistyped } from './reference.ts';
import type { Transfer } from './transfer.ts';

export interface OtherOrder {
  orderId: string;
  status: VerificationStatus;
}

/** What other transfers have in common with one, the oldest first. */
export interface Resemblance {
  /** By the file's name. */
  files: Map<string, OtherOrder[]>;
  reference: OtherOrder[];
}

export interface Flag {
  type: TransferFlag;
  filename?: string;
  orders?: OtherOrder[];
}

/** What an admin should look at. A flag accuses nobody: people send the same picture again after a rejection. */
export function flagsOf(transfer: Transfer, { files, reference }: Resemblance): Flag[] {
  const flags: Flag[] = transfer.evidence.flatMap(({ filename }) => {
    const orders = files.get(filename) ?? [];
    return orders.length > 0 ? [{ type: 'file-used-before', filename, orders }] : [];
  });
  if (reference.length > 0) flags.push({ type: 'reference-used-before', orders: reference });
  if (isMistyped(transfer.reference)) flags.push({ type: 'reference-mistyped' });
  if (amountDiffers(transfer)) flags.push({ type: 'amount-differs' });
  return flags;
}

function amountDiffers({ state, purchase }: Transfer): boolean {
  const approval =
    state.status === 'pending' ? state.first : state.status === 'approved' ? state.approval : undefined;
  const received = approval?.amountReceivedMinor;
  return received !== undefined && received !== purchase.amountMinor;
}
