import type { Coordinates } from '@arboleda/contracts/fields.ts';
import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import type { Role } from '@arboleda/contracts/roles.ts';

/** What every mail about an order knows of it. */
export interface OrderFacts {
  orderId: string;
  orderToken: string;
  trees: number;
}

export interface Planter {
  name: string;
  region: string;
}

export interface Money {
  amountMinor: number;
  currency: string;
}

/** Set when it is the money of a photo package. */
interface OfPackage {
  photoPackage?: { photoPackageType: PhotoPackageType; isSurplus?: true | undefined } | undefined;
}

/** Whose account it is about: what is erased with it. */
export interface AccountFacts {
  accountId?: string | undefined;
}

/**
 * A link that works once and only for a while. The token waits in the queue sealed, is opened for writing the mail, and
 * leaves the queue when the mail has gone.
 */
export interface LinkFacts extends AccountFacts {
  token: string;
  expiresAt: string;
}

/** Nothing of the donor: the portal shows that to who is logged in. */
interface WorkFacts {
  orderId: string;
  trees: number;
}

interface VisitNumber {
  number: number;
  of: number;
}

/** What each kind of mail is made of; kept until it is sent, and for sending it again. Fields are only ever added. */
export interface MailFacts {
  receipt: OrderFacts &
    Money & {
      card?: { brand: string; last4: string } | undefined;
      paidAt: string;
      transactionId: string;
    };
  'transfer-received': OrderFacts & Money & { referenceNumber?: string | undefined; submittedAt: string };
  'transfer-approved': OrderFacts & Money & { transactionId: string; approvedAt: string };
  /** `reason` is what an admin wrote. */
  'transfer-rejected': OrderFacts & { reason: string };
  /** `isFull`: nothing of the money is left. */
  refunded: OrderFacts &
    Money &
    OfPackage & {
      refundedMinor: number;
      isFull: boolean;
      isPlanted: boolean;
      refundedAt: string;
      byHand?: true | undefined;
    };
  /** A bank took money back for good. */
  'dispute-lost': OrderFacts & Money & OfPackage & { isFull: boolean; isPlanted: boolean; lostAt: string };
  'refund-failed': OrderFacts & Money & OfPackage & { failedAt: string };
  /** `previous` had the order before; `isPlanted`: the trees are in the ground already. */
  assigned: OrderFacts & { planter: Planter; previous?: string | undefined; isPlanted?: boolean };
  planted: OrderFacts & {
    planter?: Planter | undefined;
    plantedAt: string;
    place?: string | undefined;
    coordinates?: Coordinates | undefined;
  };
  photos: OrderFacts & { photos: number };
  completed: OrderFacts & { completedAt: string };
  /** `startsAt`: what the updates are counted from; absent while nothing is planted. */
  'photo-package': OrderFacts &
    Money & {
      photoPackageType: PhotoPackageType;
      transactionId: string;
      purchasedAt: string;
      startsAt?: string | undefined;
    };
  'growth-update': OrderFacts & VisitNumber & { planter: Planter; photos: number; visitedAt: string };

  'worker-assigned': WorkFacts & { region: string; assignedAt: string; reason?: string | undefined };
  'worker-unassigned': WorkFacts & {
    why: 'other-worker' | 'withdrawn' | 'taken-back';
    reason?: string | undefined;
  };
  'growth-visit-due': WorkFacts & VisitNumber & { dueAt: string; location: string; reminders: number };

  'verify-email': LinkFacts;
  'reset-password': LinkFacts & { role: Role };
  'worker-invited': LinkFacts & { code: string };
  'confirm-email': LinkFacts & { email: string };
  'email-changed': AccountFacts & { role: Role; to: string; at: string };
  'password-changed': AccountFacts & { role: Role; at: string };
  'second-factor-changed': AccountFacts & { role: Role; enabled: boolean; at: string };
}

export type MailKind = keyof MailFacts;
