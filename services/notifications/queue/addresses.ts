import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { randomBytes } from 'node:crypto';

/** Whether an address wants updates, and the secret token to change that. */
export interface NewsChoice {
  newsToken: string;
  news: boolean;
}

type Asked = Pick<Sql, 'query'>;

/**
 * The token is random and stored, not signed: links in emails are used for years, and a key rotation must not
 * break them.
 * @returns the same token for an address each time
 */
export async function newsChoice(sql: Asked, address: string): Promise<NewsChoice> {
  const { rows } = await sql.query<{ news_token: string; news: boolean }>(
    `insert into addresses (address, news_token) values ($1, $2)
     on conflict (address) do update set address = excluded.address returning news_token, news`,
    [address.toLowerCase(), newToken()],
  );
  return { newsToken: rows[0]!.news_token, news: rows[0]!.news };
}

/** @returns undefined for an unknown token */
export async function readNews(sql: Asked, newsToken: string): Promise<boolean | undefined> {
  const { rows } = await sql.query<{ news: boolean }>('select news from addresses where news_token = $1', [
    newsToken,
  ]);
  return rows[0]?.news;
}

/** @returns false for an unknown token */
export async function chooseNews(sql: Asked, newsToken: string, news: boolean): Promise<boolean> {
  const { rowCount } = await sql.query('update addresses set news = $2 where news_token = $1', [
    newsToken,
    news,
  ]);
  return rowCount === 1;
}

/** Whether an address wants updates; it does until it chooses otherwise. */
export async function readNewsOf(sql: Asked, address: string): Promise<boolean> {
  const { rows } = await sql.query<{ news: boolean }>('select news from addresses where address = $1', [
    address.toLowerCase(),
  ]);
  return rows[0]?.news ?? true;
}

/** A session may outlive its account by seconds: an erased one's choice is not kept. */
export async function chooseNewsOf(
  sql: Asked,
  { accountId, address }: { accountId: string; address: string },
  news: boolean,
): Promise<void> {
  await sql.query(
    `insert into addresses (address, news_token, news)
     select $1, $2, $3 where not exists (select from erased_accounts where id = $4)
     on conflict (address) do update set news = excluded.news`,
    [address.toLowerCase(), newToken(), news, accountId],
  );
}

/**
 * Records that an address refused an email for good. Later emails are still tried, as people fix their
 * mailboxes.
 */
export async function markFailed(sql: Asked, address: string): Promise<void> {
  await sql.query(
    `insert into addresses (address, news_token, failed_at) values ($1, $2, now())
     on conflict (address) do update set failed_at = now()`,
    [address.toLowerCase(), newToken()],
  );
}

/** Copies an address's choice to its owner's new one, unless that has a choice. */
export async function moveAddress(sql: Asked, from: string, to: string): Promise<void> {
  await sql.query(
    `update addresses set address = $2, failed_at = null
     where address = $1 and not exists (select from addresses where address = $2)`,
    [from.toLowerCase(), to.toLowerCase()],
  );
  await forgetAddress(sql, from);
}

export async function forgetAddress(sql: Asked, address: string): Promise<void> {
  await sql.query('delete from addresses where address = $1', [address.toLowerCase()]);
}

const newToken = () => randomBytes(16).toString('base64url');
