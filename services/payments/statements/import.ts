import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { type Bank, DEFAULT_BANK } from '@arboleda/contracts/payment-method.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { randomUUID } from 'node:crypto';
import type { BankAccount } from '../transfers/config.ts';
import { type Credit, creditsOf, isAccount } from './credit.ts';
import { type Layout, plain, type Reading } from './read/movement.ts';
import type { statementReader } from './read/reader.ts';
import {
  addCredits,
  countKnown,
  type Draft,
  findDraft,
  findImported,
  type ImportedStatement,
  insertDraft,
  keepLayout,
  layoutsOf,
  markImported,
} from './store.ts';

export type DraftView = ApiResponse<'POST /api/admin/statements'>['statement'];

/** Of the accounts that BANK_ACCOUNTS names: banks of Colombia. */
const ACCOUNT_CURRENCY = 'COP';
const SAMPLE_ROWS = 5;

export interface StatementImport {
  /** Reads a file and keeps it as a draft. @throws Problem as readStatement, or `statement-other-account` */
  upload(file: { name: string; bytes: Uint8Array; bank: Bank | undefined; by: Actor }): Promise<DraftView>;
  /** @throws Problem `not-found`, `conflict` when it is imported */
  setLayout(id: string, layout: Layout): Promise<DraftView>;
  /** Imports a draft in one transaction; an imported one stays as it is. @throws Problem `statement-unclear` */
  confirm(id: string, by: Actor): Promise<{ statement: ImportedStatement; isNew: boolean }>;
}

interface Understood {
  reading: Reading;
  credits: Credit[];
}

export function statementImport(parts: {
  sql: Sql;
  read: ReturnType<typeof statementReader>;
  accounts: readonly BankAccount[];
  clock: () => Date;
}): StatementImport {
  const { sql, read, accounts, clock } = parts;

  async function understand(draft: Pick<Draft, 'bank' | 'content' | 'layout'>): Promise<Understood> {
    const { bank, content, layout } = draft;
    const reading = await read(content, {
      currency: ACCOUNT_CURRENCY,
      layouts: await layoutsOf(sql, bank),
      layout,
    });
    const account = accounts.find((one) => one.bank === bank)?.accountNumber ?? '';
    const named = new Set([reading.account, ...reading.movements.map((one) => one.account)]);
    if ([...named].some((one) => one !== undefined && !isAccount(one, account)))
      throw new Problem('statement-other-account');
    return { reading, credits: creditsOf(account, reading.movements, ACCOUNT_CURRENCY) };
  }

  async function view(draft: Omit<Draft, 'content'>, understood: Understood): Promise<DraftView> {
    return draftView(draft, understood, await countKnown(sql, understood.credits));
  }

  return {
    async upload({ name, bytes, bank = DEFAULT_BANK, by }) {
      const draft: Draft = {
        id: randomUUID(),
        bank,
        fileName: plain(name, 200) || 'statement',
        content: Uint8Array.from(bytes),
      };
      const understood = await understand(draft);
      const { format } = understood.reading;
      await insertDraft(sql, { ...draft, format, currency: ACCOUNT_CURRENCY, by, at: clock() });
      return view(draft, understood);
    },

    async setLayout(id, said) {
      const draft = await findDraft(sql, id);
      if (!draft) throw new Problem((await findImported(sql, id)) ? 'conflict' : 'not-found');
      const layout = { ...draft.layout, ...said };
      const understood = await understand({ ...draft, layout });
      const { rowCount } = await sql.query(
        `update statements set layout = $2 where id = $1 and status = 'draft'`,
        [id, JSON.stringify(layout)],
      );
      if (rowCount === 0) throw new Problem('conflict');
      return view({ ...draft, layout }, understood);
    },

    async confirm(id, by) {
      const draft = await findDraft(sql, id);
      if (!draft) return importedBefore(sql, id);
      const { reading, credits } = await understand(draft);
      if (reading.questions.length > 0) throw new Problem('statement-unclear');
      const days = reading.movements.map(({ day }) => day).sort();
      return sql.transaction(async (tx) => {
        const current = await findDraft(tx, id, 'for update');
        if (!current) return importedBefore(tx, id);
        // The layout was changed meanwhile.
        if (JSON.stringify(current.layout) !== JSON.stringify(draft.layout))
          throw new Problem('statement-unclear');
        const { added, addedMinor } = await addCredits(tx, draft, credits);
        const facts = {
          format: reading.format,
          account: reading.account,
          currency: credits[0]?.currency ?? ACCOUNT_CURRENCY,
          from: days[0]!,
          to: days.at(-1)!,
          credits: credits.length,
          creditsMinor: sumOf(credits),
          added,
          importedBy: by,
          importedAt: clock().toISOString(),
        };
        await markImported(tx, id, facts);
        if (draft.layout && reading.header !== undefined)
          await keepLayout(tx, draft.bank, reading.header, draft.layout);
        await tx.publish([
          {
            type: 'statement.imported',
            data: {
              statementId: id,
              bank: draft.bank,
              from: facts.from,
              to: facts.to,
              credits: facts.credits,
              added,
              addedMinor,
              currency: ACCOUNT_CURRENCY,
              by,
              at: facts.importedAt,
            },
          },
        ]);
        const { bank, fileName } = draft;
        return { statement: { id, bank, fileName, approved: 0, ...facts }, isNew: true };
      });
    },
  };
}

async function importedBefore(sql: Pick<Sql, 'query'>, id: string) {
  const statement = await findImported(sql, id);
  if (!statement) throw new Problem('not-found');
  return { statement, isNew: false };
}

const sumOf = (of: readonly { amountMinor: number }[]): number =>
  of.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

function draftView(
  { id, bank, fileName }: Omit<Draft, 'content'>,
  { reading, credits }: Understood,
  known: number,
): DraftView {
  const { format, encoding, separator, columns, decimal, dayOrder, account, otherLines, questions } = reading;
  const { movements } = reading;
  const days = movements.map(({ day }) => day).sort();
  const debits = movements.filter(({ amountMinor }) => amountMinor < 0);
  return {
    statementId: id,
    bank,
    fileName,
    format,
    ...(encoding && { encoding }),
    ...(separator && { separator }),
    ...(columns && { columns }),
    ...(columns && decimal && { decimal }),
    ...(dayOrder && { dayOrder }),
    ...(account && { account }),
    currency: ACCOUNT_CURRENCY,
    ...(days.length > 0 && { from: days[0]!, to: days.at(-1)! }),
    credits: { count: credits.length, amount: sumOf(credits) },
    debits: { count: debits.length, amount: -sumOf(debits) || 0 },
    known,
    sampleRows: movements
      .slice(0, SAMPLE_ROWS)
      .map(({ day, amountMinor, text, name, number, balanceMinor }) => ({
        day,
        amount: amountMinor,
        text,
        ...(name && { name }),
        ...(number && { number }),
        ...(balanceMinor !== undefined && { balance: balanceMinor }),
      })),
    otherLines,
    questions,
  };
}
