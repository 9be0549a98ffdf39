import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import type { Coordinates } from '@arboleda/contracts/fields.ts';
import type { GiftCard } from '@arboleda/contracts/gift.ts';
import type { CertificateRevocation } from '@arboleda/contracts/order.ts';
import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import type { Role } from '@arboleda/contracts/roles.ts';

/** Facts for every email about an order. It has one of the two tokens. */
export interface OrderFacts {
  orderId: string;
  orderToken?: string;
  /** In an email to the recipient of a gift. */
  giftToken?: string;
  trees: number;
}

/** Facts about the recipient in an email to the buyer; deleted when the recipient is erased. */
interface OfGift {
  gift?:
    | {
        recipientName: string;
        recipientEmail?: string | undefined;
        /** "2026-12-24" */
        deliverOn?: string | undefined;
        thanks?: string | undefined;
      }
    | undefined;
}

export interface Planter {
  name: string;
  region: string;
}

export interface Money {
  amountMinor: number;
  currency: string;
}

/** Set for the money of a photo package. */
interface OfPackage {
  photoPackage?: { photoPackageType: PhotoPackageType; isSurplus?: true | undefined } | undefined;
}

/** The account concerned, for erasure. */
export interface AccountFacts {
  accountId?: string | undefined;
}

/**
 * A link that works once and expires. The token is queued sealed, opened when the email is written, and
 * deleted when it is sent.
 */
export interface LinkFacts extends AccountFacts {
  token: string;
  expiresAt: string;
}

/** Contains no donor data: workers see it in the portal after logging in. */
interface WorkFacts {
  orderId: string;
  trees: number;
}

/** Set when the worker was chosen before the receipt was sent. */
interface ChosenPlanter {
  planter?: Planter | undefined;
}

interface VisitNumber {
  number: number;
  of: number;
}

/** Facts per kind of email; stored for sending and resending. Add fields, never remove or change them. */
export interface MailFacts {
  receipt: OrderFacts &
    Money &
    ChosenPlanter &
    OfGift & {
      card?: { brand: string; last4: string } | undefined;
      receiptNumber: string;
      paidAt: string;
      transactionId: string;
    };
  'transfer-received': OrderFacts &
    Money &
    OfGift & { referenceNumber?: string | undefined; submittedAt: string };
  'transfer-approved': OrderFacts &
    Money &
    ChosenPlanter &
    OfGift & { transactionId: string; receiptNumber: string; approvedAt: string };
  /** `reason` is an admin's text. */
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
      /** The donor withdrew from the purchase. */
      isWithdrawal?: true | undefined;
    };
  /** A bank took money back for good. */
  'dispute-lost': OrderFacts & Money & OfPackage & { isFull: boolean; isPlanted: boolean; lostAt: string };
  'refund-failed': OrderFacts & Money & OfPackage & { failedAt: string };
  /** The receipt of a request. `byTransfer`: it was paid by bank transfer. */
  'withdrawal-requested': OrderFacts & {
    amountMinor?: number | undefined;
    currency?: string | undefined;
    requestedAt: string;
    refundBy: string;
    byTransfer?: true | undefined;
  };
  'withdrawal-retracted': OrderFacts & { retractedAt: string };
  /** `previous`: the former worker; `isPlanted`: the trees are in the ground already. */
  assigned: OrderFacts & { planter: Planter; previous?: string | undefined; isPlanted?: boolean };
  planted: OrderFacts & {
    planter?: Planter | undefined;
    plantedAt: string;
    place?: string | undefined;
    coordinates?: Coordinates | undefined;
  };
  /** `filenames`: the photos that the email shows. */
  photos: OrderFacts & { photos: number; filenames: readonly string[]; place?: string | undefined };
  completed: OrderFacts & { completedAt: string };
  /** `startsAt`: start of the schedule; absent before the planting. */
  'photo-package': OrderFacts &
    Money & {
      photoPackageType: PhotoPackageType;
      transactionId: string;
      purchasedAt: string;
      startsAt?: string | undefined;
    };
  'growth-update': OrderFacts & VisitNumber & { planter: Planter; photos: number; visitedAt: string };

  certificate: OrderFacts & { code: string; version: number };
  /** `reason` is an admin's text. */
  'certificate-revoked': OrderFacts & {
    code: string;
    cause: CertificateRevocation;
    reason?: string | undefined;
    revokedAt: string;
  };

  /** To its recipient. `from`: the buyer's name, unless erased. */
  gift: {
    orderId: string;
    giftToken: string;
    trees: number;
    card: GiftCard;
    /** Empty when none was written. */
    message: string;
    from?: string | undefined;
  };
  'gift-sent': OrderFacts & OfGift & { deliveredAt: string };
  'gift-bounced': OrderFacts & OfGift;
  /** The address wants no gifts. */
  'gift-refused': OrderFacts & OfGift;
  'gift-claimed': OrderFacts & OfGift & { claimedAt: string };
  'gift-thanks': OrderFacts & OfGift;

  /** A debit may have taken an order's money back. `day` of the debit: "2026-11-17". */
  'return-suspected': { orderId: string } & Money & { day: string };

  'worker-assigned': WorkFacts & { region: string; assignedAt: string; reason?: string | undefined };
  'worker-unassigned': WorkFacts & {
    why: 'other-worker' | 'withdrawn' | 'held' | 'held-by-office' | 'taken-back';
    reason?: string | undefined;
  };
  'growth-visit-due': WorkFacts & VisitNumber & { dueAt: string; location: string; reminders: number };

  'verify-email': LinkFacts;
  'reset-password': LinkFacts & { role: Role };
  'worker-invited': LinkFacts & { code: string };
  'admin-invited': LinkFacts & { adminRole: AdminRole };
  /** `by`: the owner's name; absent when an operator did it. */
  'admin-role-changed': AccountFacts & {
    adminRole: AdminRole;
    active: boolean;
    by?: string | undefined;
    at: string;
  };
  'confirm-email': LinkFacts & { email: string };
  'email-changed': AccountFacts & { role: Role; to: string; at: string };
  'password-changed': AccountFacts & { role: Role; at: string };
  'second-factor-changed': AccountFacts & { role: Role; enabled: boolean; at: string };
}

export type MailKind = keyof MailFacts;
