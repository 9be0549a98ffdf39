import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import type { Bank } from '@arboleda/contracts/payment-method.ts';
import type { StatementFormat } from '@arboleda/contracts/statement.ts';
import type { FileFacts } from './read/facts.ts';
import type { Layout } from './read/movement.ts';
import type { ReadFile } from './read/reader.ts';

export interface Draft {
  id: string;
  bank: Bank;
  fileName: string;
  layout?: Layout | undefined;
  facts: FileFacts;
}

export interface ImportedStatement {
  id: string;
  bank: Bank;
  fileName: string;
  format: StatementFormat;
  account?: string | undefined;
  currency: string;
  from: string;
  to: string;
  credits: number;
  creditsMinor: number;
  added: number;
  approved: number;
  importedBy: Actor;
  importedAt: string;
}

type Queries = Pick<Sql | Transaction, 'query'>;

const IMPORTED = `id, bank, file_name, format, account, currency, first_day::text, last_day::text, credits, credits_minor,
  added, approved, imported_by, imported_at`;

interface ImportedRow {
  id: string;
  bank: Bank;
  file_name: string;
  format: StatementFormat;
  account: string | null;
  currency: string;
  first_day: string;
  last_day: string;
  credits: number;
  credits_minor: string;
  added: number;
  approved: number;
  imported_by: Actor;
  imported_at: Date;
}

const importedOf = (row: ImportedRow): ImportedStatement => ({
  id: row.id,
  bank: row.bank,
  fileName: row.file_name,
  format: row.format,
  account: row.account ?? undefined,
  currency: row.currency,
  from: row.first_day,
  to: row.last_day,
  credits: row.credits,
  creditsMinor: Number(row.credits_minor),
  added: row.added,
  approved: row.approved,
  importedBy: row.imported_by,
  importedAt: row.imported_at.toISOString(),
});

export async function insertDraft(
  sql: Queries,
  draft: Draft & ReadFile & { content: Uint8Array; currency: string; by: Actor; at: Date },
): Promise<void> {
  await sql.query(
    `insert into statements (id, bank, file_name, format, currency, status, content, facts, draft_credits, draft_debits,
       uploaded_by, uploaded_at)
     values ($1, $2, $3, $4, $5, 'draft', $6, $7, $8, $9, $10, $11)`,
    [
      draft.id,
      draft.bank,
      draft.fileName,
      draft.facts.format,
      draft.currency,
      draft.content,
      JSON.stringify(draft.facts),
      draft.credits,
      draft.debits,
      JSON.stringify(draft.by),
      draft.at,
    ],
  );
}

/** Locks it until the transaction ends. @returns undefined when there is none, or it is imported */
export async function lockDraft(tx: Queries, id: string): Promise<Draft | undefined> {
  const { rows } = await tx.query<{ bank: Bank; file_name: string; facts: FileFacts; layout: Layout | null }>(
    `select bank, file_name, facts, layout from statements where id = $1 and status = 'draft' for update`,
    [id],
  );
  const row = rows[0];
  return (
    row && {
      id,
      bank: row.bank,
      fileName: row.file_name,
      facts: row.facts,
      layout: row.layout ?? undefined,
    }
  );
}

/** The file of a draft, to be read in another way. */
export async function draftFile(
  sql: Queries,
  id: string,
): Promise<(Omit<Draft, 'facts'> & { content: Uint8Array }) | undefined> {
  const { rows } = await sql.query<{ bank: Bank; file_name: string; content: Buffer; layout: Layout | null }>(
    `select bank, file_name, content, layout from statements where id = $1 and status = 'draft'`,
    [id],
  );
  const row = rows[0];
  return (
    row && {
      id,
      bank: row.bank,
      fileName: row.file_name,
      content: row.content,
      layout: row.layout ?? undefined,
    }
  );
}

/** @returns false when it is imported */
export async function changeDraft(
  sql: Queries,
  { id, layout, facts, credits, debits }: Draft & ReadFile,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `update statements set layout = $2, facts = $3, draft_credits = $4, draft_debits = $5
     where id = $1 and status = 'draft'`,
    [id, JSON.stringify(layout ?? null), JSON.stringify(facts), credits, debits],
  );
  return rowCount === 1;
}

export async function findImported(sql: Queries, id: string): Promise<ImportedStatement | undefined> {
  const { rows } = await sql.query<ImportedRow>(
    `select ${IMPORTED} from statements where id = $1 and status = 'imported'`,
    [id],
  );
  return rows[0] && importedOf(rows[0]);
}

/** Newest first. */
export async function importedPage(
  sql: Queries,
  limit: number,
  after: readonly [string, string] | undefined,
): Promise<ImportedStatement[]> {
  const { rows } = await sql.query<ImportedRow>(
    `select ${IMPORTED} from statements
     where status = 'imported' and ($1::timestamptz is null or (imported_at, id) < ($1, $2))
     order by imported_at desc, id desc limit $3`,
    [after ? new Date(after[0]) : null, after?.[1] ?? null, limit],
  );
  return rows.map(importedOf);
}

/** By header. */
export async function layoutsOf(sql: Queries, bank: Bank): Promise<Record<string, Layout>> {
  const { rows } = await sql.query<{ header: string; layout: Layout }>(
    'select header, layout from statement_layouts where bank = $1',
    [bank],
  );
  return Object.fromEntries(rows.map(({ header, layout }) => [header, layout]));
}

export async function keepLayout(tx: Queries, bank: Bank, header: string, layout: Layout): Promise<void> {
  await tx.query(
    `insert into statement_layouts (bank, header, layout) values ($1, $2, $3)
     on conflict (bank, header) do update set layout = excluded.layout`,
    [bank, header, JSON.stringify(layout)],
  );
}

/** Credits of a draft that were imported before. */
export async function countKnown(sql: Queries, id: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::int as count from statements s, json_to_recordset(s.draft_credits) as one (id text)
     where s.id = $1 and exists (select from statement_rows r where r.id = one.id)`,
    [id],
  );
  return rows[0]!.count;
}

/** Adds a draft's credits and debits that are new. @returns how many credits, and their sum */
export async function addCredits(tx: Queries, id: string): Promise<{ added: number; addedMinor: number }> {
  const { rows } = await tx.query<{ added: number; added_minor: string }>(
    `with added as (${insertOf('statement_rows', 'draft_credits')} returning amount_minor)
     select count(*)::int as added, coalesce(sum(amount_minor), 0) as added_minor from added`,
    [id],
  );
  await tx.query(insertOf('statement_debits', 'draft_debits'), [id]);
  return { added: rows[0]!.added, addedMinor: Number(rows[0]!.added_minor) };
}

const insertOf = (table: string, draft: string): string => `
  insert into ${table} (id, statement_id, position, bank, day, amount_minor, currency, text, name, number, refs, is_reversal)
  select one.id, s.id, one.position, s.bank, one.day, one."amountMinor", one.currency, one.text, one.name, one.number,
    array(select json_array_elements_text(one."references")), coalesce(one."isReversal", false)
  from statements s, rows from (json_to_recordset(s.${draft})
    as (id text, day date, "amountMinor" bigint, currency text, text text, name text, number text, "references" json,
      "isReversal" boolean))
    with ordinality as one (id, day, "amountMinor", currency, text, name, number, "references", "isReversal", position)
  where s.id = $1
  -- In one order, so that two imports do not wait for each other.
  order by one.id
  on conflict (id) do nothing`;

export async function markImported(
  tx: Queries,
  id: string,
  facts: Omit<ImportedStatement, 'id' | 'bank' | 'fileName' | 'approved'>,
): Promise<void> {
  await tx.query(
    `update statements set status = 'imported', content = null, facts = null, draft_credits = null, draft_debits = null, format = $2, account = $3, first_day = $4, last_day = $5,
       credits = $6, credits_minor = $7, added = $8, imported_by = $9, imported_at = $10, currency = $11
     where id = $1`,
    [
      id,
      facts.format,
      facts.account ?? null,
      facts.from,
      facts.to,
      facts.credits,
      facts.creditsMinor,
      facts.added,
      JSON.stringify(facts.importedBy),
      new Date(facts.importedAt),
      facts.currency,
    ],
  );
}
