import type { Collection, Documents } from '@arboleda/chassis/ports/documents.ts';
import { createHash } from 'node:crypto';

/** Who asked to be forgotten, by the account and by a hash of its address: nothing that tells of them. */
interface Kept {
  _id: string;
  accountId: string;
  at: string;
}

export type Erasure = Omit<Kept, '_id'>;

/** Topics are not ordered: what happened before an erasure may be heard after it. */
export interface ErasedAccounts {
  remember(erasure: Erasure, email: string): Promise<void>;
  /** @returns undefined when it was not erased */
  ofAccount(accountId: string): Promise<Erasure | undefined>;
  /** The last one of an address. */
  ofAddress(email: string): Promise<Erasure | undefined>;
}

export async function openErasedAccounts(documents: Documents): Promise<ErasedAccounts> {
  const kept: Collection<Kept> = await documents.collection<Kept>({ name: 'erased_accounts', indexes: [] });
  const keep = (document: Kept) =>
    kept.change(document._id, (known) => (known && known.at >= document.at ? undefined : { document }));
  return {
    async remember(erasure, email) {
      await keep({ _id: erasure.accountId, ...erasure });
      await keep({ _id: addressKey(email), ...erasure });
    },
    ofAccount: (accountId) => kept.get(accountId),
    ofAddress: (email) => kept.get(addressKey(email)),
  };
}

const addressKey = (email: string): string =>
  `address:${createHash('sha256').update(email.toLowerCase()).digest('base64url')}`;
