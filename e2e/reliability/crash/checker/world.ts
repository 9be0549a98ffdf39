import type { PaymentMethod } from '@arboleda/contracts/payment-method.ts';

/** Contents of all stores after a run. The checker reads them itself, not through the code under test. */
export interface World {
  /** From the card provider. */
  charges: { intentId: string; amount: number; status: string; orderId?: string; purchaseId?: string }[];
  refunds: { refundId: string; amount: number; status: string }[];
  /** From payments' schema. */
  transfers: { orderId: string; status: string; evidence: number; evidenceKept: number }[];
  purchases: { purchaseId: string; orderId: string; status: string; intentId: string | undefined }[];
  /** From orders' store. */
  orders: OrderSeen[];
  /** Orders that assignments and notifications know. */
  assigned: { orderId: string; status: string }[];
  toldOf: readonly string[];
  /** From media's store and its objects. */
  photos: PhotoSeen[];
  /** Emails that the mail server accepted. */
  mails: readonly MailSeen[];
  /** Rows, jobs and letters that should not be there when everything is quiet. */
  leftovers: { what: string; count: number }[];
}

export interface OrderSeen {
  id: string;
  token: string;
  email: string;
  kind: PaymentMethod['kind'];
  transactionId: string | undefined;
  amount: number;
  status: string;
  revision: number;
  verification: string | undefined;
  refunds: string[];
  purchases: string[];
  photos: string[];
  history: Line[];
}

/** A line of an order's history. */
export interface Line {
  type: string;
  from?: string;
  to?: string;
}

export interface PhotoSeen {
  filename: string;
  orderId: string;
  state: string;
  /** Hash of the stored original; undefined when it is missing. */
  originalSha256: string | undefined;
  /** Status of GET /api/photos/{filename}. */
  shown: number;
}

export interface MailSeen {
  messageId: string;
  to: string;
  subject: string;
  /** Tokens of the orders that its text links to. */
  orderTokens: string[];
  /** Milliseconds since 1970. */
  at: number;
}
