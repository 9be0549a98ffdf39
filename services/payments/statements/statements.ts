import { cursorOf, pageOf } from '@arboleda/chassis/http/cursor.ts';
import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import type { debitsEndpoints } from '@arboleda/contracts/endpoints/debits.ts';
import type { statementsEndpoints } from '@arboleda/contracts/endpoints/statements.ts';
import { type Actor, currency, id, instant } from '@arboleda/contracts/fields.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { z } from 'zod';
import type { BankAccount, TransfersConfig } from '../transfers/config.ts';
import type { TransferStore } from '../transfers/store.ts';
import type { TransferDecision } from '../transfers/transfer.ts';
import type { Refunds } from '../refunds/refunds.ts';
import { debitLists } from './debit-list.ts';
import { debitDecisions } from './debits.ts';
import { rowDecisions } from './decisions.ts';
import { statementImport } from './import.ts';
import { lastDaysOf, statementMatching } from './matching.ts';
import { statementReader } from './read/reader.ts';
import { statementRows } from './rows.ts';
import { type ImportedStatement, importedPage } from './store.ts';

const HOUSEKEEPING_EVERY_MS = 10 * 60_000;
const LOOK_EVERY_MS = 60_000;
/** A file that nobody confirms is deleted. */
const DRAFT_MS = 24 * 60 * 60_000;

const position = cursorOf(z.tuple([instant, id]));

/** Statements of the bank: their import, and what is decided of their rows. */
export async function openStatements(parts: {
  sql: Sql;
  jobs: Jobs;
  transfers: TransferStore;
  refunds: Pick<Refunds, 'noteSent'>;
  decided: (decision: TransferDecision) => void;
  config: { bankAccounts: readonly BankAccount[]; transfers: TransfersConfig };
  clock: () => Date;
}): Promise<Handlers<typeof statementsEndpoints & typeof debitsEndpoints>> {
  const { sql, jobs, transfers, refunds, decided, config, clock } = parts;
  const matching = statementMatching(sql);
  const rows = statementRows(sql, matching);
  const decisions = rowDecisions({ sql, transfers, matching, rule: config.transfers, decided, clock });
  const debits = debitDecisions({ sql, transfers, refunds, clock });
  const lists = debitLists(sql);
  const imports = statementImport({ sql, read: statementReader(), accounts: config.bankAccounts, clock });
  await jobs.every('statements', HOUSEKEEPING_EVERY_MS, async () => {
    const before = new Date(clock().getTime() - DRAFT_MS);
    await sql.query(`delete from statements where status = 'draft' and uploaded_at < $1`, [before]);
  });

  await jobs.every('returns', LOOK_EVERY_MS, () => debits.look());

  const debitView = async (debitId: string) => ({ debit: (await lists.view(debitId))! });

  async function approveAlone(statement: ImportedStatement): Promise<ImportedStatement> {
    const { autoApproveUpToUsd: usd } = config.transfers;
    if (usd === undefined) return statement;
    const approved = await decisions.approveUpTo(usd);
    await sql.query('update statements set approved = $2 where id = $1', [statement.id, approved]);
    return { ...statement, approved };
  }

  return {
    async 'POST /api/admin/statements'({ body, files, person }) {
      const [file] = files;
      if (!file || (file.bytes.length === 0 && file.originalName === ''))
        throw new Problem('statement-required', { fields: [{ path: 'statement', type: 'required' }] });
      const { originalName: name, bytes } = file;
      return { statement: await imports.upload({ name, bytes, bank: body.bankName, by: actorOf(person) }) };
    },
    async 'PUT /api/admin/statements/{id}/layout'({ params, body }) {
      return { statement: await imports.setLayout(params.id, body) };
    },
    async 'POST /api/admin/statements/{id}/confirm'({ params, person }) {
      const { statement, isNew } = await imports.confirm(params.id, actorOf(person));
      if (isNew) await debits.look();
      return { statement: importedView(isNew ? await approveAlone(statement) : statement) };
    },
    async 'GET /api/admin/statements'({ query: { limit, cursor } }) {
      const found = await importedPage(sql, limit + 1, cursor ? position.decode(cursor) : undefined);
      const { rows: shown, ...next } = pageOf(found, limit, (last) =>
        position.encode([last.importedAt, last.id]),
      );
      return {
        statements: shown.map(importedView),
        ...next,
        lastDays: [...(await lastDaysOf(sql))].map(([bank, day]) => ({
          bank: bank as ImportedStatement['bank'],
          day,
        })),
      };
    },
    async 'GET /api/admin/statement-rows'({ query: { list, q, limit, cursor } }) {
      const after = cursor ? position.decode(cursor) : undefined;
      const { next, ...page } = await rows.page({ list, q, limit, after });
      return { ...page, ...(next && { nextCursor: position.encode(next) }) };
    },
    'POST /api/admin/statement-rows/approve': async ({ body, person }) => ({
      results: await decisions.approve(body.rows, actorOf(person)),
    }),
    async 'POST /api/admin/statement-rows/link'({ body: { rowIds, orderId, choice }, person }) {
      const outcome = await decisions.link({ rowIds, orderId, choice, by: actorOf(person) });
      return { outcome, rows: await rows.views(rowIds) };
    },
    async 'POST /api/admin/statement-rows/split'({ body: { rowId, amounts }, person }) {
      await decisions.split(rowId, amounts, actorOf(person));
      return { rows: await rows.views([rowId]) };
    },
    async 'POST /api/admin/statement-rows/ignore'({ body: { rowIds, reason }, person }) {
      await decisions.ignore(rowIds, reason, actorOf(person));
      return { rows: await rows.views(rowIds) };
    },
    async 'POST /api/admin/statement-rows/keep'({ body: { rowIds }, person }) {
      await decisions.keep(rowIds, actorOf(person));
      return { rows: await rows.views(rowIds) };
    },
    async 'GET /api/admin/statement-debits'({ query: { list, q, limit, cursor } }) {
      const after = cursor ? position.decode(cursor) : undefined;
      const { next, ...page } = await lists.page({ list, q, limit, after });
      return { ...page, ...(next && { nextCursor: position.encode(next) }) };
    },
    async 'POST /api/admin/statement-debits/return'({ body: { debitId, rowId, orderId }, person }) {
      await debits.confirmReturn({ debitId, rowId, orderId, by: actorOf(person) });
      return debitView(debitId);
    },
    async 'POST /api/admin/statement-debits/refund'({ body: { debitId, refundId }, person }) {
      await debits.proveRefund(debitId, refundId, actorOf(person));
      return debitView(debitId);
    },
    async 'POST /api/admin/statement-debits/dismiss'({ body: { debitId }, person }) {
      await debits.dismiss(debitId, actorOf(person));
      return debitView(debitId);
    },
    async 'POST /api/admin/statement-rows/undo'({ body: { rowIds } }) {
      await decisions.undo(rowIds);
      return { rows: await rows.views(rowIds) };
    },
  };
}

const actorOf = ({ role, id: personId, name }: Person): Actor => ({ role, id: personId, name });

type ImportedView = ApiResponse<'POST /api/admin/statements/{id}/confirm'>['statement'];

const importedView = (statement: ImportedStatement): ImportedView => ({
  statementId: statement.id,
  bank: statement.bank,
  fileName: statement.fileName,
  format: statement.format,
  ...(statement.account && { account: statement.account }),
  currency: currency.parse(statement.currency),
  from: statement.from,
  to: statement.to,
  credits: { count: statement.credits, amount: statement.creditsMinor },
  added: statement.added,
  approved: statement.approved,
  importedBy: statement.importedBy,
  importedAt: statement.importedAt,
});
