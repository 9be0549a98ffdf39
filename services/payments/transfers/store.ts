import { amountText, type Audited, changedFields } from '@arboleda/chassis/audit/audit.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { currentTraceparent, linkTrace } from '@arboleda/chassis/telemetry/trace.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { lockGifts, requireGiftRoom } from '../purchase/gifts.ts';
import { PURCHASE_COLUMNS, purchaseOfRow, type PurchaseRow, purchaseValues } from '../purchase/row.ts';
import { isVoid } from './approvers.ts';
import type { EvidenceObjects } from './evidence.ts';
import { referenceKey, submitted, type Transfer, type TransferDecision } from './transfer.ts';

export interface SubmittedTransfer {
  transfer: Transfer;
  requestHash: string;
}

interface Submission extends SubmittedTransfer {
  idempotencyKey: string | undefined;
  fingerprint: string;
  networkHash: string;
  /** Size of all stored images of the transfer. */
  evidenceBytes: number;
}

interface Undecided {
  bytes: number;
  bytesOfNetwork: number;
  ofEmail: number;
}

interface WaitingTransfers {
  count: number;
  since?: Date;
}

export interface TransferStore {
  /**
   * Writes the transfer, its files and payment.submitted in one transaction.
   * @returns false when the key exists, or a pending transfer has the fingerprint
   * @throws Problem `unavailable` when its files may have been deleted already, or `too-many-gifts`
   */
  submit(submission: Submission): Promise<boolean>;
  withKey(idempotencyKey: string): Promise<SubmittedTransfer | undefined>;
  /** A transfer with this fingerprint that is pending, or was submitted after `since` and not rejected. */
  alike(fingerprint: string, since: Date): Promise<SubmittedTransfer | undefined>;
  /**
   * Writes state and events in one transaction. Decisions on one transfer are serialized.
   * @returns the transfer as it is now; undefined when there is none. @throws what `decide` throws
   */
  decide(
    orderId: string,
    decide: (transfer: Transfer) => TransferDecision,
  ): Promise<{ transfer: Transfer; decision: TransferDecision } | undefined>;
  /**
   * Like `decide`, in the caller's transaction. `changed` replaces the purchase where other trees were paid.
   */
  decideIn(
    tx: Transaction,
    orderId: string,
    decide: (transfer: Transfer) => { decision: TransferDecision; changed?: Transfer | undefined },
  ): Promise<{ transfer: Transfer; decision: TransferDecision } | undefined>;
  /** Locks a transfer until the transaction ends. */
  lock(tx: Transaction, orderId: string): Promise<Transfer | undefined>;
  /** Reserves a reference. @returns false when it was suggested or used before */
  suggest(reference: string): Promise<boolean>;
  waiting(): Promise<WaitingTransfers>;
  undecided(of: { networkHash: string; email: string; since: Date }): Promise<Undecided>;
}

export function transferStore(sql: Sql, evidence: EvidenceObjects, clock: () => Date): TransferStore {
  async function find(
    condition: string,
    values: readonly unknown[],
    from: Pick<Sql, 'query'> = sql,
  ): Promise<SubmittedTransfer | undefined> {
    const { rows } = await from.query<TransferRow & { request_hash: string; traceparent: string | null }>(
      `select ${TRANSFER_COLUMNS}, request_hash, traceparent from transfers where ${condition}`,
      values,
    );
    const row = rows[0];
    if (!row) return undefined;
    linkTrace(row.traceparent);
    const files = await from.query<EvidenceRow>('select * from transfer_evidence where transfer_id = $1', [
      row.id,
    ]);
    return { transfer: transferOf(row, files.rows), requestHash: row.request_hash };
  }

  async function write(tx: Transaction, transfer: Transfer, decision: TransferDecision): Promise<Transfer> {
    if (decision.kind === 'unchanged') return transfer;
    const { state, events } = decision;
    const revision = transfer.revision + 1;
    const network = state.status === 'pending' ? '' : ', network_hash = null';
    await tx.query(
      `update transfers set state = $2, revision = $3, decided_at = $4${network} where id = $1`,
      [
        transfer.purchase.paymentId,
        JSON.stringify(state),
        revision,
        state.status === 'pending' ? null : clock(),
      ],
    );
    await tx.publish(events, revision);
    return { ...transfer, state, revision };
  }

  const decideIn: TransferStore['decideIn'] = async (tx, orderId, decide) => {
    const found = await find('order_id = $1 for update', [orderId], tx);
    if (!found) return undefined;
    const { decision, changed } = decide(found.transfer);
    if (changed) {
      const { trees, amountMinor, packageType, paymentId } = changed.purchase;
      await tx.query(
        'update transfers set trees = $2, amount_minor = $3, package_type = $4, trees_asked = $5 where id = $1',
        [paymentId, trees, amountMinor, packageType, changed.treesAsked ?? null],
      );
    }
    return { transfer: await write(tx, changed ?? found.transfer, decision), decision };
  };

  return {
    submit: (submission) =>
      sql.transaction(async (tx) => {
        const { transfer } = submission;
        await lockGifts(tx, transfer.purchase);
        if (!(await insert(tx, submission))) return false;
        await requireGiftRoom(tx, transfer.purchase, clock());
        if (!(await evidence.claim(tx, transfer))) throw new Problem('unavailable', { retryAfterSeconds: 1 });
        await insertFiles(tx, transfer);
        await tx.publish([submitted(transfer)], transfer.revision);
        return true;
      }),
    withKey: (idempotencyKey) => find('idempotency_key = $1', [idempotencyKey]),
    alike: (fingerprint, since) =>
      find(
        `fingerprint = $1 and (status = 'pending' or (status = 'approved' and created_at > $2))
         order by created_at desc limit 1`,
        [fingerprint, since],
      ),
    decide: (orderId, decide) =>
      sql.transaction(async (tx) => {
        let before: Transfer | undefined;
        const decided = await decideIn(tx, orderId, (transfer) => {
          before = transfer;
          return { decision: decide(transfer) };
        });
        if (decided?.decision.kind === 'changed') await tx.audit(auditedTransfer(before!, decided.transfer));
        return decided;
      }),
    decideIn,
    lock: async (tx, orderId) => (await find('order_id = $1 for update', [orderId], tx))?.transfer,
    async suggest(reference) {
      const { rowCount } = await sql.query(
        `insert into transfer_references (reference, suggested_at)
         select $1, $2 where not exists (select 1 from transfers where reference_key = $3)
         on conflict (reference) do nothing`,
        [reference, clock(), referenceKey(reference)],
      );
      return rowCount === 1;
    },
    async undecided({ networkHash, email, since }) {
      const { rows } = await sql.query<{ bytes: string; of_network: string; of_email: string }>(
        `select coalesce(sum(evidence_bytes), 0) as bytes,
           coalesce(sum(evidence_bytes) filter (where network_hash = $1), 0) as of_network,
           count(*) filter (where mailbox(customer ->> 'email') = mailbox($2) and created_at > $3) as of_email
         from transfers where decided_at is null`,
        [networkHash, email, since],
      );
      const { bytes, of_network, of_email } = rows[0]!;
      return { bytes: Number(bytes), bytesOfNetwork: Number(of_network), ofEmail: Number(of_email) };
    },
    async waiting() {
      const { rows } = await sql.query<{ count: number; since: Date | null }>(
        `select count(*)::int as count, min(created_at) as since from transfers where status = 'pending'`,
      );
      const { count, since } = rows[0]!;
      return { count, ...(since && { since }) };
    },
  };
}

/** A decision on a transfer for the audit log. Reasons and notes are free text: only that they were given. */
export function auditedTransfer(before: Transfer, after: Transfer): Audited {
  const { orderId } = after.purchase;
  const { state } = after;
  const hasNote =
    state.status === 'approved' ? state.approval.note : state.status === 'pending' && state.first?.note;
  return {
    object: { type: 'order', id: orderId },
    orderId,
    ...changedFields(auditFields(before), auditFields(after)),
    withheld: [...(state.status === 'rejected' ? ['reason'] : []), ...(hasNote ? ['note'] : [])],
  };
}

const auditFields = ({ state, purchase }: Transfer) => ({
  verificationStatus: state.status,
  firstApproval: state.first !== undefined,
  trees: purchase.trees,
  amount: amountText(purchase.amountMinor, purchase.currency),
  ...(state.status === 'approved' &&
    state.approval.amountReceivedMinor !== undefined && {
      amountReceived: amountText(state.approval.amountReceivedMinor, purchase.currency),
    }),
});

/** @returns false when the key or fingerprint exists */
async function insert(tx: Transaction, submission: Submission): Promise<boolean> {
  const { transfer, requestHash, fingerprint, idempotencyKey } = submission;
  const { rowCount } = await tx.query(
    `insert into transfers (${PURCHASE_COLUMNS}, bank, reference, reference_key, state, request_hash, fingerprint,
       idempotency_key, created_at, network_hash, evidence_bytes, traceparent)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
       $21, $22, $23, $24)
     on conflict do nothing`,
    [
      ...purchaseValues(transfer.purchase),
      transfer.bank,
      transfer.reference ?? null,
      referenceKey(transfer.reference) ?? null,
      JSON.stringify(transfer.state),
      requestHash,
      fingerprint,
      idempotencyKey ?? null,
      transfer.submittedAt,
      submission.networkHash,
      submission.evidenceBytes,
      currentTraceparent() ?? null,
    ],
  );
  return rowCount === 1;
}

async function insertFiles(tx: Transaction, { purchase, evidence }: Transfer): Promise<void> {
  for (const [position, file] of evidence.entries()) {
    await tx.query(
      `insert into transfer_evidence (transfer_id, position, filename, original_name, content_type, size_bytes, sha256)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        purchase.paymentId,
        position,
        file.filename,
        file.originalName,
        file.contentType,
        file.sizeBytes,
        file.sha256,
      ],
    );
  }
}

export interface TransferRow extends PurchaseRow {
  bank: Transfer['bank'];
  trees_asked: number | null;
  reference: string | null;
  state: Transfer['state'];
  revision: number;
  created_at: Date;
  evidence_removed_at: Date | null;
}

export interface EvidenceRow {
  transfer_id: string;
  position: number;
  filename: string;
  original_name: string;
  content_type: string;
  size_bytes: number;
  sha256: string;
}

/** Without a first approval that is void. A decided transfer shows the approvals that decided it. */
const STATE = `case when status = 'pending'
    and ${isVoid(`state -> 'first' -> 'by' ->> 'id'`, `(state -> 'first' ->> 'at')::timestamptz`)}
  then state - 'first' else state end as state`;

export const TRANSFER_COLUMNS = `${PURCHASE_COLUMNS}, bank, trees_asked, reference, ${STATE}, revision, created_at,
  evidence_removed_at`;

export const transferOf = (row: TransferRow, evidence: readonly EvidenceRow[]): Transfer => ({
  purchase: purchaseOfRow(row),
  treesAsked: row.trees_asked ?? undefined,
  bank: row.bank,
  reference: row.reference ?? undefined,
  evidence: evidence
    .filter(({ transfer_id }) => transfer_id === row.id)
    .sort((a, b) => a.position - b.position)
    .map((file) => ({
      filename: file.filename,
      originalName: file.original_name,
      contentType: file.content_type,
      sizeBytes: file.size_bytes,
      sha256: file.sha256,
    })),
  evidenceRemovedAt: row.evidence_removed_at?.toISOString(),
  submittedAt: row.created_at.toISOString(),
  state: row.state,
  revision: row.revision,
});
