import { type Environment, readEnvironment } from '@arboleda/chassis/config.ts';
import { BANK_IDS, type Bank } from '@arboleda/contracts/payment-method.ts';
import { z } from 'zod';

export interface TransfersConfig {
  /** Transfers above this many dollars need two admins. Never, when absent. */
  secondAdminAboveUsd?: number | undefined;
  /** Retention of evidence after the decision. Unlimited when absent. */
  evidenceRetentionDays?: number | undefined;
  undecided?: UndecidedBounds | undefined;
}

/** Bounds on undecided transfers: strangers can fill neither our disk nor somebody's mailbox. */
export interface UndecidedBounds {
  megabytes: number;
  megabytesOfNetwork: number;
  /** Transfers under one email address in a day. */
  transfersOfEmail: number;
}

export const USUAL_BOUNDS: UndecidedBounds = {
  megabytes: 5_000,
  megabytesOfNetwork: 60,
  transfersOfEmail: 10,
};

export interface BankAccount {
  bank: Bank;
  accountType: string;
  accountNumber: string;
  holder: string;
  taxId: string;
}

/**
 * Parses BANK_ACCOUNTS: `bank|type|number|holder|tax id`, separated by semicolons. Every bank we offer must
 * have one.
 */
export const bankAccounts = z.string().transform((text, context): BankAccount[] => {
  const lines = text.split(';').map((line) => line.split('|').map((part) => part.trim()));
  return BANK_IDS.flatMap((bank) => {
    const [, accountType = '', accountNumber = '', holder = '', taxId = ''] =
      lines.find(([named]) => named === bank) ?? [];
    if (accountType && accountNumber && holder && taxId)
      return [{ bank, accountType, accountNumber, holder, taxId }];
    context.addIssue(`must give the account of ${bank} as ${bank}|type|number|holder|tax id`);
    return [];
  });
});

const count = (usual: number) => z.coerce.number().int().min(1).default(usual);

const shape = {
  EVIDENCE_MAX_MB: count(USUAL_BOUNDS.megabytes),
  EVIDENCE_MAX_MB_OF_NETWORK: count(USUAL_BOUNDS.megabytesOfNetwork),
  TRANSFERS_OF_EMAIL_A_DAY: count(USUAL_BOUNDS.transfersOfEmail),
  TRANSFER_SECOND_ADMIN_ABOVE_USD: z.coerce.number().min(0).max(1_000_000_000).optional(),
  EVIDENCE_RETENTION_DAYS: z.coerce.number().int().min(0).max(36_500).default(1825),
};

export function transfersConfig(env: Environment): TransfersConfig {
  const read = readEnvironment(env, shape);
  return {
    secondAdminAboveUsd: read.TRANSFER_SECOND_ADMIN_ABOVE_USD,
    evidenceRetentionDays: read.EVIDENCE_RETENTION_DAYS || undefined,
    undecided: {
      megabytes: read.EVIDENCE_MAX_MB,
      megabytesOfNetwork: read.EVIDENCE_MAX_MB_OF_NETWORK,
      transfersOfEmail: read.TRANSFERS_OF_EMAIL_A_DAY,
    },
  };
}
