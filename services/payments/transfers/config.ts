import { type Environment, readEnvironment } from '@arboleda/chassis/config.ts';
import { BANK_IDS, type Bank } from '@arboleda/contracts/payment-method.ts';
import { z } from 'zod';

export interface TransfersConfig {
  /** Transfers above this many dollars need two admins. Never, when absent. */
  secondAdminAboveUsd?: number | undefined;
  /** Retention of evidence after the decision. Unlimited when absent. */
  evidenceRetentionDays?: number | undefined;
  undecided?: UndecidedBounds | undefined;
  /** Transfers that are sure on a statement are approved by its import up to this many dollars. Never, when absent. */
  autoApproveUpToUsd?: number | undefined;
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
  breB?: BreB | undefined;
}

/** A key for payments in seconds from any bank of Colombia. */
export interface BreB {
  key: string;
  /** The bank's QR code, as a data URL. */
  qr?: string | undefined;
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

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const MAX_QR_BYTES = 100_000;

/** Parses BRE_B_KEYS: `bank|key|PNG of the QR code in base64`, the last optional, separated by semicolons. */
export const breBKeys = z.string().transform((text, context): ReadonlyMap<Bank, BreB> => {
  const keys = new Map<Bank, BreB>();
  for (const line of text.split(';').filter((one) => one.trim() !== '')) {
    const [bank, key = '', picture = ''] = line.split('|').map((part) => part.trim());
    const bytes = Buffer.from(picture, 'base64');
    const isPicture = bytes.subarray(0, PNG.length).equals(PNG) && bytes.length <= MAX_QR_BYTES;
    if (!BANK_IDS.includes(bank as Bank) || !/^[\w@.+-]{3,92}$/.test(key) || (picture !== '' && !isPicture)) {
      context.addIssue('must be bank|key, or bank|key|PNG in base64 of at most 100 kB');
      continue;
    }
    keys.set(bank as Bank, {
      key,
      ...(picture && { qr: `data:image/png;base64,${bytes.toString('base64')}` }),
    });
  }
  return keys;
});

const count = (usual: number) => z.coerce.number().int().min(1).default(usual);

const shape = {
  EVIDENCE_MAX_MB: count(USUAL_BOUNDS.megabytes),
  EVIDENCE_MAX_MB_OF_NETWORK: count(USUAL_BOUNDS.megabytesOfNetwork),
  TRANSFERS_OF_EMAIL_A_DAY: count(USUAL_BOUNDS.transfersOfEmail),
  TRANSFER_SECOND_ADMIN_ABOVE_USD: z.coerce.number().min(0).max(1_000_000_000).optional(),
  STATEMENT_AUTO_APPROVE_UP_TO_USD: z.coerce.number().min(0).max(1_000_000).optional(),
  EVIDENCE_RETENTION_DAYS: z.coerce.number().int().min(0).max(36_500).default(1825),
};

export function transfersConfig(env: Environment): TransfersConfig {
  const read = readEnvironment(env, shape);
  return {
    secondAdminAboveUsd: read.TRANSFER_SECOND_ADMIN_ABOVE_USD,
    autoApproveUpToUsd: read.STATEMENT_AUTO_APPROVE_UP_TO_USD || undefined,
    evidenceRetentionDays: read.EVIDENCE_RETENTION_DAYS || undefined,
    undecided: {
      megabytes: read.EVIDENCE_MAX_MB,
      megabytesOfNetwork: read.EVIDENCE_MAX_MB_OF_NETWORK,
      transfersOfEmail: read.TRANSFERS_OF_EMAIL_A_DAY,
    },
  };
}
