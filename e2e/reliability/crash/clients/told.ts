/** Promises that clients got as answers. The stores are checked against them. */
export interface Told {
  /** Card payments that Stripe's page said succeeded. */
  paid: { orderId: string; intentId: string; email: string }[];
  /** Accepted transfers, with the decision that an admin got confirmed. */
  transfers: { orderId: string; email: string; decision: 'approved' | 'rejected' | undefined }[];
  /** Photos that were accepted from a worker. */
  photos: { filename: string; orderId: string; sha256: string }[];
  /** Steps of workers that were accepted. */
  steps: { orderId: string; status: 'planted' | 'completed' }[];
  /** Money that an admin was told goes back. */
  refunds: { orderId: string; refundId: string; amountMinor: number }[];
  /** Photo packages whose payment succeeded. */
  packages: { orderId: string; intentId: string }[];
  /** Accounts that were opened. */
  registered: string[];
  /** Answers that no client should get. */
  complaints: string[];
}

export const nothingTold = (): Told => ({
  paid: [],
  transfers: [],
  photos: [],
  steps: [],
  refunds: [],
  packages: [],
  registered: [],
  complaints: [],
});

export const checkoutsOf = (told: Told): number =>
  told.paid.length + told.transfers.length + told.packages.length;
