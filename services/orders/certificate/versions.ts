import type { CertificateCode } from '@arboleda/contracts/certificate-code.ts';
import type { CertificateRevocation } from '@arboleda/contracts/order.ts';
import type { Language } from '@arboleda/contracts/roles.ts';

/** Facts about the trees, taken from the order. Days are in the organisation's time zone. */
export interface CertificateFacts {
  trees: number;
  place?: string;
  plantedOn: string;
  /** First name. */
  plantedBy?: string;
  completedOn?: string;
  growthUpdates: number;
  lastGrowthUpdateOn?: string;
  photo?: string;
}

/** Each version has a code of its own, and stays to be found by it. */
export interface CertificateVersion {
  code: CertificateCode;
  issuedAt: string;
  facts: CertificateFacts;
}

export interface Revocation {
  at: string;
  cause: CertificateRevocation;
  reason?: string | undefined;
}

export interface Certificate {
  /** Shown on the newest version only, so that a name that is taken off is on none. */
  name: string | null;
  /** The recipient of the gift chose the name: it goes when they are erased. */
  namedByRecipient?: true | undefined;
  language: Language;
  /** Oldest first, never empty. */
  versions: readonly CertificateVersion[];
  revoked?: Revocation | undefined;
}

export const newestOf = ({ versions }: Certificate): CertificateVersion => versions.at(-1)!;
