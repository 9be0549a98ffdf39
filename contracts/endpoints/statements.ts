import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  actor,
  amountMinor,
  bank,
  currency,
  cursor,
  freeText,
  givenAmountMinor,
  id,
  instant,
  orderId,
  pageLimit,
  reason,
  trees,
} from '../fields.ts';
import { VERIFICATION_STATUSES } from '../order.ts';
import {
  AMOUNT_CHOICES,
  COLUMN_ROLES,
  DAY_ORDERS,
  MATCH_REASONS,
  MAX_APPROVED_AT_ONCE,
  MAX_STATEMENT_BYTES,
  RETURN_REASONS,
  ROW_LISTS,
  STATEMENT_DOUBTS,
  STATEMENT_FORMATS,
  STATEMENT_QUESTIONS,
} from '../statement.ts';

const day = z.iso.date();
/** Minor units; negative for a debit. */
const signedMinor = z.int();
const rowAmount = givenAmountMinor.min(1);

const column = z.object({
  /** Position in the file, from 0. */
  column: z.int().min(0).max(199),
  role: z.enum(COLUMN_ROLES),
});

const directionValue = z.string().min(1).max(60);

const sums = z.object({ count: z.int(), amount: amountMinor });

const sampleRow = z.object({
  day,
  amount: signedMinor,
  text: z.string(),
  name: z.string().optional(),
  number: z.string().optional(),
  balance: signedMinor.optional(),
});

/** A file as it was understood. Nothing of it counts until it is confirmed. */
const draft = z.object({
  statementId: id,
  bank,
  fileName: z.string(),
  format: z.enum(STATEMENT_FORMATS),
  /** For CSV: "utf-8" or "windows-1252", and the character between columns. */
  encoding: z.string().optional(),
  separator: z.string().optional(),
  /** All columns of a CSV or XLSX file, with three of their values each. */
  columns: z
    .array(
      z.object({
        column: z.int(),
        title: z.string(),
        role: z.enum(COLUMN_ROLES).exclude(['direction']).optional(),
        samples: z.array(z.string()),
      }),
    )
    .optional(),
  /** "," in 1.234,56. */
  decimal: z.enum([',', '.']).optional(),
  dayOrder: z.enum(DAY_ORDERS).optional(),
  /** The account as the file names it. */
  account: z.string().optional(),
  currency,
  from: day.optional(),
  to: day.optional(),
  credits: sums,
  debits: sums,
  /** Rows of the file that were imported before; they are not added again. */
  known: z.int(),
  sampleRows: z.array(sampleRow),
  /** Lines that are no movements, such as titles and totals, shortened; at most five. */
  otherLines: z.array(z.string()),
  /**
   * To be answered before the import; empty when there is nothing to ask. Names `columns` for questions that version 1.0
   * did not have: `asks` has them all.
   */
  questions: z.array(z.enum(STATEMENT_QUESTIONS).extract(['columns', 'day-order'])),
  asks: z.array(z.enum(STATEMENT_QUESTIONS)).optional(),
  /** Why columns are asked; at most five. */
  doubts: z
    .array(
      z.object({
        kind: z.enum(STATEMENT_DOUBTS),
        column: z.int().optional(),
        /** Line of the file, from 1. */
        line: z.int().optional(),
        role: z.enum(COLUMN_ROLES).optional(),
        /** The cell's text, shortened. */
        text: z.string().optional(),
      }),
    )
    .optional(),
  /** The column that tells the direction of each row, which has no `role`. */
  directionColumn: z.int().optional(),
  /** Values of that column. Without `isCredit` it is asked what one means. */
  directions: z.array(z.object({ value: directionValue, isCredit: z.boolean().optional() })).optional(),
});

const imported = z.object({
  statementId: id,
  bank,
  fileName: z.string(),
  format: z.enum(STATEMENT_FORMATS),
  account: z.string().optional(),
  currency,
  from: day,
  to: day,
  credits: sums,
  /** Credits that were not there before. */
  added: z.int(),
  /** Approved by the import itself, where the setting allows it. */
  approved: z.int(),
  importedBy: actor,
  importedAt: instant,
});

const candidate = z.object({
  orderId,
  shortId: z.string(),
  customerName: z.string(),
  trees,
  /** Price of the order. */
  amount: amountMinor,
  currency,
  referenceNumber: z.string().optional(),
  verificationStatus: z.enum(VERIFICATION_STATUSES),
  submittedAt: instant,
  /** Sum of the rows linked to it. */
  paidAmount: amountMinor,
  reasons: z.array(z.enum(MATCH_REASONS)),
});

/** A debit that may be the return of a credit, or is. */
const returned = z.object({
  debitId: id,
  day,
  amount: rowAmount,
  text: z.string(),
  name: z.string().optional(),
  number: z.string().optional(),
  reasons: z.array(z.enum(RETURN_REASONS)),
  /** An admin said that it is. */
  isDecided: z.literal(true).optional(),
});

const row = z.object({
  rowId: id,
  statementId: id,
  bank,
  day,
  amount: rowAmount,
  currency,
  text: z.string(),
  name: z.string().optional(),
  number: z.string().optional(),
  list: z.enum(ROW_LISTS),
  /** Orders that it may pay, at most five, the likeliest first; the one that it pays once it is linked. */
  orders: z.array(candidate),
  /** The row that it is a part of. */
  partOf: id.optional(),
  /**
   * A row of another file that is perhaps the same credit: same day, sum and text, and only one of the two has the bank's
   * number.
   */
  sameAs: z.object({ rowId: id, fileName: z.string(), importedAt: instant }).optional(),
  decision: z
    .object({
      kind: z.enum(['linked', 'split', 'ignored', 'kept']),
      by: actor,
      at: instant,
      reason: z.string().optional(),
    })
    .optional(),
  /** Looks after money without an order: the admin who kept it, else the importer. */
  owner: actor.optional(),
  /** Debits that may have taken it back; then it is not sure. */
  returns: z.array(returned).optional(),
  /** Marked or worded as taking a debit back; then it is not sure. */
  isReversal: z.literal(true).optional(),
});

const rowIds = z.array(id).min(1).max(50);
const changed = z.object({ rows: z.array(row) });

export const statementsEndpoints = {
  'POST /api/admin/statements': endpoint({
    audit: 'statement.uploaded',
    service: 'payments',
    summary: 'Read a bank’s file (CSV, XLSX, OFX, camt.053) and show what was understood; nothing counts yet',
    access: ['admin'],
    permission: 'statements:write',
    status: 201,
    limit: { max: 60, windowSeconds: 600 },
    upload: {
      field: 'statement',
      maxCount: 1,
      maxBytes: MAX_STATEMENT_BYTES,
      tooLarge: 'statement-too-large',
    },
    body: z.object({
      /** Whose account it is; Bancolombia by default. */
      bankName: bank.optional(),
    }),
    response: z.object({ statement: draft }),
    problems: [
      'statement-required',
      'statement-too-large',
      'statement-too-many-rows',
      'statement-empty',
      'statement-unreadable',
      'statement-cut-off',
      'statement-too-wide',
      'statement-investments',
      'statement-camt-052',
      'statement-camt-054',
      'statement-qif',
      'statement-mt940',
      'statement-pdf',
      'statement-old-excel',
      'statement-web-page',
      'statement-other-workbook',
      'statement-mixed-decimals',
      'statement-three-decimals',
      'statement-mixed-days',
      'statement-other-account',
      'statement-foreign-currency',
      'statement-row-unreadable',
      'statement-row-length',
      'statement-day-ahead',
      'too-many-files',
      'unavailable',
    ],
  }),
  'PUT /api/admin/statements/{id}/layout': endpoint({
    audit: 'statement.layout_changed',
    service: 'payments',
    summary: 'Say which column is which, and how days are written; kept for the bank’s next files',
    access: ['admin'],
    permission: 'statements:write',
    params: z.object({ id }),
    body: z.object({
      /** Columns that are not named hold nothing that tells rows apart. Several may be `text`. */
      columns: z.array(column).min(2).max(200).optional(),
      dayOrder: z.enum(DAY_ORDERS).optional(),
      /** Which values of the column of directions mean money in. */
      directions: z
        .array(z.object({ value: directionValue, isCredit: z.boolean() }))
        .max(20)
        .optional(),
      /** Year of the file's last day, where days are written without one. Not kept. */
      year: z.int().min(1990).max(2099).optional(),
    }),
    response: z.object({ statement: draft }),
    problems: [
      'not-found',
      'conflict',
      'statement-mixed-decimals',
      'statement-three-decimals',
      'statement-mixed-days',
      'statement-other-account',
      'statement-foreign-currency',
      'statement-row-unreadable',
      'statement-row-length',
      'statement-day-ahead',
      'statement-empty',
    ],
  }),
  'POST /api/admin/statements/{id}/confirm': endpoint({
    audit: 'statement.imported',
    service: 'payments',
    summary: 'Import a file as it was understood; said again it changes nothing',
    access: ['admin'],
    permission: 'statements:write',
    params: z.object({ id }),
    response: z.object({ statement: imported }),
    problems: ['not-found', 'statement-unclear'],
  }),
  'GET /api/admin/statements': endpoint({
    service: 'payments',
    summary: 'Imported statements, newest first',
    access: ['admin'],
    permission: 'payments:read',
    query: z.object({ limit: pageLimit(25), cursor: cursor.optional() }),
    response: z.object({
      statements: z.array(imported),
      nextCursor: z.string().optional(),
      /** Last day on a statement, by bank. */
      lastDays: z.array(z.object({ bank, day })),
    }),
  }),
  'GET /api/admin/statement-rows': endpoint({
    audit: 'statement.rows_listed',
    service: 'payments',
    summary: 'Credits on bank statements by list, with the orders that they may pay',
    access: ['admin'],
    permission: 'payments:read',
    query: z.object({
      list: z.enum(ROW_LISTS).default('sure'),
      /** Part of the text, the name or the bank’s number. */
      q: freeText(120).optional(),
      limit: pageLimit(100, 200),
      cursor: cursor.optional(),
    }),
    response: z.object({
      rows: z.array(row),
      nextCursor: z.string().optional(),
      counts: z.object({
        sure: z.int(),
        perhaps: z.int(),
        unknown: z.int(),
        withoutOrder: z.int(),
      }),
    }),
  }),
  'POST /api/admin/statement-rows/approve': endpoint({
    audit: 'statement.row_approved',
    service: 'payments',
    summary:
      'Approve orders whose money is sure, as the admin saw them listed; said again it changes nothing',
    access: ['admin'],
    permission: 'statements:write',
    stepUp: true,
    body: z.object({
      rows: z
        .array(z.object({ rowId: id, orderId }))
        .min(1)
        .max(MAX_APPROVED_AT_ONCE),
    }),
    response: z.object({
      results: z.array(
        z.object({
          rowId: id,
          orderId,
          /** `first-approved`: another admin must approve it too. `refused`: no longer sure, or decided otherwise. */
          outcome: z.enum(['approved', 'first-approved', 'refused']),
          /** Slug of the problem that refused it. */
          problem: z.string().optional(),
        }),
      ),
    }),
  }),
  'POST /api/admin/statement-rows/link': endpoint({
    audit: 'statement.row_linked',
    service: 'payments',
    summary: 'Let rows pay an order; a sum other than the order’s needs a choice',
    access: ['admin'],
    permission: 'statements:write',
    stepUp: true,
    body: z.object({ rowIds, orderId, choice: z.enum(AMOUNT_CHOICES).optional() }),
    response: changed.extend({
      /** `waiting`: for the rest. `first-approved`: for another admin. `kept`: as money without an order. */
      outcome: z.enum(['approved', 'first-approved', 'waiting', 'kept']),
    }),
    problems: [
      'not-found',
      'conflict',
      'statement-row-taken',
      'statement-row-returned',
      'statement-other-currency',
      'amount-choice-required',
      'amount-choice-impossible',
      'transfer-already-approved',
      'transfer-already-rejected',
      'second-admin-required',
    ],
  }),
  'POST /api/admin/statement-rows/split': endpoint({
    audit: 'statement.row_split',
    service: 'payments',
    summary: 'Split one credit into parts that pay different orders',
    access: ['admin'],
    permission: 'statements:write',
    stepUp: true,
    body: z.object({ rowId: id, amounts: z.array(rowAmount).min(2).max(20) }),
    response: changed,
    problems: ['not-found', 'statement-row-taken', 'split-sum-differs'],
  }),
  'POST /api/admin/statement-rows/ignore': endpoint({
    audit: 'statement.row_ignored',
    service: 'payments',
    summary: 'Say why rows are none of an order’s money: interest, or given back by hand',
    access: ['admin'],
    permission: 'statements:write',
    body: z.object({ rowIds, reason }),
    response: changed,
    problems: ['not-found', 'statement-row-taken'],
  }),
  'POST /api/admin/statement-rows/keep': endpoint({
    audit: 'statement.row_kept',
    service: 'payments',
    summary: 'Put rows on the list of money without an order, and look after them',
    access: ['admin'],
    permission: 'statements:write',
    body: z.object({ rowIds }),
    response: changed,
    problems: ['not-found', 'statement-row-taken'],
  }),
  'POST /api/admin/statement-rows/undo': endpoint({
    audit: 'statement.row_reopened',
    service: 'payments',
    summary: 'Take back what was decided of rows, while no order was approved with them',
    access: ['admin'],
    permission: 'statements:write',
    body: z.object({ rowIds }),
    response: changed,
    problems: ['not-found', 'statement-row-approved', 'statement-row-taken'],
  }),
};
