import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { openTable, type Records } from '@arboleda/chassis/records.ts';
import { createHash } from 'node:crypto';

/** An erasure request: the account's id and a hash of its address, no personal data. */
export interface ErasedAccount {
  id: string;
  accountId: string;
  at: string;
}

export type Erasure = Omit<ErasedAccount, 'id'>;

/** Topics are not ordered: events from before an erasure may arrive after it. */
export interface ErasedAccounts {
  remember(erasure: Erasure, email: string): Promise<void>;
  /** Erasure of an account that may have claimed gifts; its address need not be verified. */
  rememberClaimant(erasure: Erasure): Promise<void>;
  ofClaimant(accountId: string): Promise<Erasure | undefined>;
  /** @returns undefined when the account was not erased */
  ofAccount(accountId: string): Promise<Erasure | undefined>;
  /** The latest erasure of an address. */
  ofAddress(email: string): Promise<Erasure | undefined>;
}

export const openErasedAccounts = (sql: Sql): ErasedAccounts =>
  erasedAccounts(
    openTable<ErasedAccount, { account_id: string; erased_at: Date }>(sql, {
      table: 'erased_accounts',
      columns: ['account_id', 'erased_at'],
      idOf: ({ id }) => id,
      toRow: ({ accountId, at }) => ({ account_id: accountId, erased_at: new Date(at) }),
      fromRow: (row) => ({ id: row.id, accountId: row.account_id, at: row.erased_at.toISOString() }),
    }),
  );

export function erasedAccounts(kept: Records<ErasedAccount>): ErasedAccounts {
  const keep = async (record: ErasedAccount) =>
    void (await kept.change(record.id, (known) => (known && known.at >= record.at ? undefined : { record })));
  return {
    async remember(erasure, email) {
      await keep({ id: erasure.accountId, ...erasure });
      await keep({ id: addressKey(email), ...erasure });
    },
    rememberClaimant: (erasure) => keep({ id: claimantKey(erasure.accountId), ...erasure }),
    ofClaimant: (accountId) => kept.get(claimantKey(accountId)),
    ofAccount: (accountId) => kept.get(accountId),
    ofAddress: (email) => kept.get(addressKey(email)),
  };
}

const claimantKey = (accountId: string): string => `claimant:${accountId}`;
const addressKey = (email: string): string =>
  `address:${createHash('sha256').update(email.toLowerCase()).digest('base64url')}`;
