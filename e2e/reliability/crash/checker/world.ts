import type { PaymentMethod } from '@arboleda/contracts/payment-method.ts';

/** What the stores of a run hold, read by the checker itself: nothing here comes through the code that is checked. */
export interface World {
  /** Of the card provider. */
  charges: { intentId: string; amount: number; status: string; orderId?: string; purchaseId?: string }[];
  refunds: { refundId: string; amount: number; status: string }[];
  /** Of payments' schema. */
  transfers: { orderId: string; status: string; evidence: number; evidenceKept: number }[];
  purchases: { purchaseId: string; orderId: string; status: string; intentId: string | undefined }[];
  /** Of orders' store. */
  orders: OrderSeen[];
  /** Orders that assignments and notifications know. */
  assigned: { orderId: string; status: string }[];
  toldOf: readonly string[];
  /** Of media's store, and of the bytes behind them. */
  photos: PhotoSeen[];
  /** What the mail server has taken. */
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
  /** What the original's file says; undefined when there is none. */
  originalSha256: string | undefined;
  /** What GET /api/photos/{filename} answers. */
  shown: number;
}

export interface MailSeen {
  messageId: string;
  to: string;
  subject: string;
  /** Of the orders that its text links to. */
  orderTokens: string[];
  /** Milliseconds since 1970. */
  at: number;
}
