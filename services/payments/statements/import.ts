import { amountText } from '@arboleda/chassis/audit/audit.ts';
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
  changeDraft,
  type Draft,
  draftFile,
  findImported,
  type ImportedStatement,
  insertDraft,
  keepLayout,
  layoutsOf,
  lockDraft,
  markImported,
} from './store.ts';

export type DraftView = ApiResponse<'POST /api/admin/statements'>['statement'];

/** Accounts are at banks of Colombia. A file in another currency is of another account. */
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

export function statementImport(parts: {
  sql: Sql;
  read: ReturnType<typeof statementReader>;
  accounts: readonly BankAccount[];
  clock: () => Date;
}): StatementImport {
  const { sql, read, accounts, clock } = parts;

  const accountOf = (bank: Bank) => accounts.find((one) => one.bank === bank)?.accountNumber ?? '';
  const creditsIn = ({ bank, reading }: Pick<Draft, 'bank' | 'reading'>) =>
    creditsOf(accountOf(bank), reading.movements, ACCOUNT_CURRENCY);

  async function understand(file: {
    bank: Bank;
    content: Uint8Array;
    layout?: Layout | undefined;
  }): Promise<Reading> {
    const { bank, content, layout } = file;
    const layouts = await layoutsOf(sql, bank);
    const reading = await read(content, { currency: ACCOUNT_CURRENCY, layouts, layout });
    const named = new Set([reading.account, ...reading.movements.map(({ account }) => account)]);
    const isOther =
      [...named].some((one) => one !== undefined && !isAccount(one, accountOf(bank))) ||
      reading.movements.some(({ currency = ACCOUNT_CURRENCY }) => currency !== ACCOUNT_CURRENCY);
    if (isOther) throw new Problem('statement-other-account');
    return reading;
  }

  async function view(draft: Draft): Promise<DraftView> {
    const credits = creditsIn(draft);
    return draftView(draft, credits, await countKnown(sql, credits));
  }

  return {
    async upload({ name, bytes, bank = DEFAULT_BANK, by }) {
      // A copy, as the memory of an upload is freed.
      const content = Uint8Array.from(bytes);
      const reading = await understand({ bank, content });
      const draft: Draft = { id: randomUUID(), bank, fileName: plain(name, 200) || 'statement', reading };
      await sql.transaction(async (tx) => {
        await insertDraft(tx, { ...draft, content, currency: ACCOUNT_CURRENCY, by, at: clock() });
        await tx.audit({
          object: { type: 'statement', id: draft.id },
          after: { bank, format: reading.format, lines: reading.movements.length },
        });
      });
      return view(draft);
    },

    async setLayout(id, said) {
      const file = await draftFile(sql, id);
      if (!file) throw new Problem((await findImported(sql, id)) ? 'conflict' : 'not-found');
      const layout = { ...file.layout, ...said };
      const reading = await understand({ ...file, layout });
      const draft: Draft = { id, bank: file.bank, fileName: file.fileName, layout, reading };
      await sql.transaction(async (tx) => {
        if (!(await changeDraft(tx, draft))) throw new Problem('conflict');
        await tx.audit({
          object: { type: 'statement', id },
          after: { columns: layout.columns?.map(String), dayOrder: layout.dayOrder },
        });
      });
      return view(draft);
    },

    confirm: (id, by) =>
      sql.transaction(async (tx) => {
        const draft = await lockDraft(tx, id);
        if (!draft) return importedBefore(tx, id);
        const { reading } = draft;
        if (reading.questions.length > 0) throw new Problem('statement-unclear');
        const credits = creditsIn(draft);
        const days = reading.movements.map(({ day }) => day).sort();
        const { added, addedMinor } = await addCredits(tx, draft, credits);
        const facts = {
          format: reading.format,
          account: reading.account,
          currency: ACCOUNT_CURRENCY,
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
        await tx.audit({
          object: { type: 'statement', id },
          after: {
            bank,
            from: facts.from,
            to: facts.to,
            credits: facts.credits,
            amount: amountText(facts.creditsMinor, ACCOUNT_CURRENCY),
            added,
          },
        });
        return { statement: { id, bank, fileName, approved: 0, ...facts }, isNew: true };
      }),
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
  { id, bank, fileName, reading }: Draft,
  credits: readonly Credit[],
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
