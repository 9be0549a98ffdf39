/** What clients were promised by an answer. The world is held to it. */
export interface Told {
  /** Card payments that Stripe's page said succeeded. */
  paid: { orderId: string; intentId: string; email: string }[];
  /** Transfers that were taken, and what an admin was told of their decision. */
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
  /** What went otherwise than a client may expect. */
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
