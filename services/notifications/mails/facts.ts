import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';

/** Facts for every email about an order. It has one of the two tokens. */
export interface OrderFacts {
  orderId: string;
  orderToken?: string;
  /** In an email to the recipient of a gift. */
  giftToken?: string;
  trees: number;
}

/** Facts about the recipient in an email to the buyer; deleted when the recipient is erased. */
export interface OfGift {
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
export interface OfPackage {
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
export interface WorkFacts {
  orderId: string;
  trees: number;
}

/** Set when the worker was chosen before the receipt was sent. */
export interface ChosenPlanter {
  planter?: Planter | undefined;
}

export interface VisitNumber {
  number: number;
  of: number;
}

/** Money that went back to its payer. */
export interface WentBack extends OfPackage {
  trees: number;
  isFull: boolean;
  isPlanted: boolean;
  /** The donor withdrew from the purchase. */
  isWithdrawal?: true | undefined;
}
