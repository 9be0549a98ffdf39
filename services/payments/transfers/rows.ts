import type { Transfer } from './transfer.ts';

type Purchase = Transfer['purchase'];

/** A transfer as PostgreSQL has it; its files are rows of their own. */
export interface TransferRow {
  id: string;
  order_id: string;
  order_token: string;
  bank: Transfer['bank'];
  package_type: Purchase['packageType'];
  trees: number;
  /** pg gives bigint as text. */
  amount_minor: string;
  currency: Purchase['currency'];
  quote: Purchase['quote'];
  customer: Purchase['customer'];
  language: Purchase['language'];
  locale: string | null;
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

export const TRANSFER_COLUMNS = `id, order_id, order_token, bank, package_type, trees, amount_minor, currency, quote, customer,
  language, locale, reference, state, revision, created_at, evidence_removed_at`;

export const transferOf = (row: TransferRow, evidence: readonly EvidenceRow[]): Transfer => ({
  purchase: {
    paymentId: row.id,
    orderId: row.order_id,
    orderToken: row.order_token,
    packageType: row.package_type,
    trees: row.trees,
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    quote: row.quote,
    customer: row.customer,
    language: row.language,
    locale: row.locale ?? undefined,
  },
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

/** In the order of the insert's columns. */
export const purchaseValues = ({ purchase, bank }: Transfer): unknown[] => [
  purchase.paymentId,
  purchase.orderId,
  purchase.orderToken,
  bank,
  purchase.packageType,
  purchase.trees,
  purchase.amountMinor,
  purchase.currency,
  JSON.stringify(purchase.quote),
  JSON.stringify(purchase.customer),
  purchase.language,
  purchase.locale ?? null,
];
