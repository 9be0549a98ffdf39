import { amountText } from '@arboleda/chassis/audit/audit.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { COLOMBIA, dayIn } from '@arboleda/contracts/time-zone.ts';
import { type Bank, DEFAULT_BANK } from '@arboleda/contracts/payment-method.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { randomUUID } from 'node:crypto';
import type { BankAccount } from '../transfers/config.ts';
import { applyCorrections } from './corrections.ts';
import { isAccount } from './credit.ts';
import { type Layout, plain } from './read/movement.ts';
import type { ReadFile, statementReader } from './read/reader.ts';
import { layoutKey } from './read/table.ts';
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

/** Accounts are at banks of Colombia. */
const ACCOUNT_CURRENCY = 'COP';

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

  async function understand(file: {
    bank: Bank;
    fileName: string;
    content: Uint8Array;
    layout?: Layout | undefined;
  }): Promise<ReadFile> {
    const { bank, fileName, content: bytes, layout } = file;
    const layouts = await layoutsOf(sql, bank);
    const account = accountOf(bank);
    const today = dayIn(clock(), COLOMBIA);
    const understood = await read({
      bytes,
      fileName,
      account,
      currency: ACCOUNT_CURRENCY,
      layouts,
      layout,
      today,
    });
    const { facts } = understood;
    // A column of accounts that is only guessed may be the payers'.
    const isGuess = facts.questions.includes('columns');
    const named = isGuess ? [facts.account].filter((one) => one !== undefined) : facts.accounts;
    if (named.some((one) => !isAccount(one, account))) throw new Problem('statement-other-account');
    return understood;
  }

  const view = async (draft: Draft): Promise<DraftView> => draftView(draft, await countKnown(sql, draft.id));

  return {
    async upload({ name, bytes, bank = DEFAULT_BANK, by }) {
      // A copy, as the memory of an upload is freed.
      const content = new Uint8Array(bytes);
      const fileName = plain(name, 200) || 'statement';
      const { facts, ...rows } = await understand({ bank, fileName, content });
      const draft: Draft = { id: randomUUID(), bank, fileName, facts };
      await sql.transaction(async (tx) => {
        await insertDraft(tx, { ...draft, ...rows, content, currency: ACCOUNT_CURRENCY, by, at: clock() });
        await tx.audit({
          object: { type: 'statement', id: draft.id },
          after: { bank, format: facts.format, lines: facts.credits.count + facts.debits.count },
        });
      });
      return view(draft);
    },

    async setLayout(id, said) {
      const file = await draftFile(sql, id);
      if (!file) throw new Problem((await findImported(sql, id)) ? 'conflict' : 'not-found');
      // An admin who chose the columns also said which one tells the direction, or that none does.
      const { directions = said.columns && (file.layout?.directions ?? []) } = said;
      const layout: Layout = { ...file.layout, ...said, ...(directions && { directions }) };
      const { facts, ...rows } = await understand({ ...file, layout });
      const draft: Draft = { id, bank: file.bank, fileName: file.fileName, layout, facts };
      await sql.transaction(async (tx) => {
        if (!(await changeDraft(tx, { ...draft, ...rows }))) throw new Problem('conflict');
        await tx.audit({
          object: { type: 'statement', id },
          after: {
            columns: layout.columns?.map(({ column, role }) => `${column}: ${role}`),
            dayOrder: layout.dayOrder,
            year: layout.year,
          },
        });
      });
      return view(draft);
    },

    confirm: (id, by) =>
      sql.transaction(async (tx) => {
        const draft = await lockDraft(tx, id);
        if (!draft) return importedBefore(tx, id);
        const { bank, fileName, layout } = draft;
        const { format, account, from, to, credits, questions, header, corrections } = draft.facts;
        if (questions.length > 0) throw new Problem('statement-unclear');
        const { added, addedMinor } = await addCredits(tx, id);
        if (corrections) await applyCorrections(tx, { bank, corrections, by, at: clock() });
        const facts = {
          format,
          account,
          currency: ACCOUNT_CURRENCY,
          from: from!,
          to: to!,
          credits: credits.count,
          creditsMinor: credits.amount,
          added,
          importedBy: by,
          importedAt: clock().toISOString(),
        };
        await markImported(tx, id, facts);
        if (layout && header !== undefined) {
          const { year: _ofThisFile, ...kept } = layout;
          await keepLayout(tx, bank, layoutKey(header), kept);
        }
        await tx.publish([
          {
            type: 'statement.imported',
            data: {
              statementId: id,
              bank,
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

function draftView({ id, bank, fileName, facts }: Draft, known: number): DraftView {
  const { format, encoding, separator, columns, decimal, dayOrder, account, from, to } = facts;
  const { credits, debits, sampleRows, otherLines, questions, doubts, directions } = facts;
  const directionColumn = columns?.find(({ role }) => role === 'direction')?.column;
  return {
    statementId: id,
    bank,
    fileName,
    format,
    ...(encoding && { encoding }),
    ...(separator && { separator }),
    ...(columns && {
      columns: columns.map(({ role, ...column }) => ({
        ...column,
        ...(role && role !== 'direction' && { role }),
      })),
    }),
    ...(directionColumn !== undefined && { directionColumn }),
    ...(columns && decimal && { decimal }),
    ...(dayOrder && { dayOrder }),
    ...(account && { account }),
    currency: ACCOUNT_CURRENCY,
    ...(from !== undefined && to !== undefined && { from, to }),
    credits,
    debits,
    known,
    sampleRows: sampleRows.map(({ day, amountMinor, text, name, number, balanceMinor }) => ({
      day,
      amount: amountMinor,
      text,
      ...(name && { name }),
      ...(number && { number }),
      ...(balanceMinor !== undefined && { balance: balanceMinor }),
    })),
    otherLines,
    questions: [...new Set(questions.map((one) => (one === 'day-order' ? one : 'columns')))],
    asks: questions,
    ...(doubts && { doubts }),
    ...(directions && { directions }),
  };
}
