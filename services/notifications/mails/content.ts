import type { Coordinates } from '@arboleda/contracts/fields.ts';
import type { Language } from '@arboleda/contracts/roles.ts';

/** What a mail says; the layout makes HTML and plain text of it. */
export interface Content {
  subject: string;
  /** What an inbox shows behind the subject. */
  preview: string;
  title: string;
  paragraphs: readonly string[];
  /** Label and value, in the order they are read. */
  rows: readonly (readonly [label: string, value: string])[];
  /** The one next step. */
  action: { label: string; url: string };
  /** Quiet last words: why this mail came, what to do if it should not have. */
  note: string;
}

/** What every mail about an order knows of it. */
export interface OrderFacts {
  orderId: string;
  orderToken: string;
  trees: number;
}

export interface ReceiptFacts extends OrderFacts {
  amountMinor: number;
  currency: string;
  card?: { brand: string; last4: string } | undefined;
  paidAt: string;
  transactionId: string;
}

export interface Planter {
  name: string;
  region: string;
}

export interface AssignedFacts extends OrderFacts {
  planter: Planter;
}

/** Nothing of the donor: the portal shows that to who is logged in. */
export interface WorkerAssignedFacts {
  orderId: string;
  trees: number;
  region: string;
  assignedAt: string;
}

export interface PlantedFacts extends OrderFacts {
  planter: Planter;
  plantedAt: string;
  place?: string | undefined;
  coordinates?: Coordinates | undefined;
}

export interface PhotosFacts extends OrderFacts {
  photos: number;
}

export interface CompletedFacts extends OrderFacts {
  completedAt: string;
}

export interface VerifyEmailFacts {
  token: string;
  expiresAt: string;
}

/** Where a mail's links lead. */
export interface Links {
  order(orderToken: string): string;
  workerPortal: string;
  verifyEmail(token: string): string;
}

/** Says one kind of mail in every language. `name` is the recipient's, `language` that of dates and numbers. */
export type Compose<Facts> = (
  facts: Facts,
  to: { name: string; language: Language; links: Links },
) => Record<Language, Content>;
