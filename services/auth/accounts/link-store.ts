import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { LinkPurpose, LinkRequest, MailedLink } from './links.ts';

/** Earlier reset links stay valid, as people who ask twice may open the first email. */
const KEEPS_FORMER: readonly LinkPurpose[] = ['reset-password'];

/**
 * Stores a link and requests its email, in the caller's transaction. Invalidates earlier links of most
 * purposes.
 */
export async function saveLink(tx: Transaction, { link, event }: LinkRequest): Promise<void> {
  if (!KEEPS_FORMER.includes(link.purpose)) await voidLinks(tx, link.accountId, [link.purpose]);
  await tx.query(
    'insert into verification_links (token_hash, purpose, account_id, email, expires_at) values ($1, $2, $3, $4, $5)',
    [link.tokenHash, link.purpose, link.accountId, link.email, link.expiresAt],
  );
  await tx.publish([event]);
}

export async function voidLinks(
  tx: Transaction,
  accountId: string,
  purposes: readonly LinkPurpose[],
): Promise<void> {
  await tx.query(
    `update verification_links set replaced_at = now()
     where account_id = $1 and purpose = any($2) and used_at is null and replaced_at is null`,
    [accountId, purposes],
  );
}

interface LinkRow {
  token_hash: Buffer;
  purpose: LinkPurpose;
  account_id: string;
  email: string;
  expires_at: Date;
  used: boolean;
  replaced: boolean;
}

export async function linkByHash(
  db: Pick<Sql, 'query'>,
  tokenHash: Buffer,
  lock: '' | 'for update' = '',
): Promise<MailedLink | undefined> {
  const { rows } = await db.query<LinkRow>(
    `select token_hash, purpose, account_id, email, expires_at, used_at is not null as used,
       replaced_at is not null as replaced
     from verification_links where token_hash = $1 ${lock}`,
    [tokenHash],
  );
  const [row] = rows;
  return (
    row && {
      tokenHash: row.token_hash,
      purpose: row.purpose,
      accountId: row.account_id,
      email: row.email,
      expiresAt: row.expires_at,
      used: row.used,
      replaced: row.replaced,
    }
  );
}

export async function markLinkUsed(tx: Transaction, { tokenHash }: MailedLink): Promise<void> {
  await tx.query('update verification_links set used_at = now() where token_hash = $1', [tokenHash]);
}

/** Deletes links that expired before then. @returns how many */
export async function sweepLinks(sql: Sql, before: Date, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `delete from verification_links where token_hash in (
       select token_hash from verification_links where expires_at < $1 order by expires_at limit $2)`,
    [before, limit],
  );
  return rowCount ?? 0;
}
