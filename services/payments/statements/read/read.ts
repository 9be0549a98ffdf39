import { Problem } from '@arboleda/contracts/problems.ts';
import { MAX_STATEMENT_ROWS } from '@arboleda/contracts/statement.ts';
import { createHash } from 'node:crypto';
import { csvCells, decoded } from './cells.ts';
import { refuseOtherBinaries, refuseOtherTexts } from './kinds.ts';
import type { Movement, Reading, ReadOptions } from './movement.ts';
import { readOfx } from './ofx.ts';
import { readTable } from './table.ts';

/**
 * Reads a bank's file, whatever its name. Pure; runs in a thread of its own (see reader.ts).
 * @throws Problem `statement-empty`, `statement-unreadable`, `statement-cut-off`, `statement-too-many-rows`, those of a
 * table, and one for each kind of file that is no statement
 */
export async function readStatement(bytes: Uint8Array, options: ReadOptions): Promise<Reading> {
  const reading = await readAny(bytes, options);
  if (reading.movements.length > MAX_STATEMENT_ROWS) throw new Problem('statement-too-many-rows');
  if (reading.movements.length === 0 && reading.questions.length === 0) throw new Problem('statement-empty');
  return { ...reading, movements: withFile(reading.movements, bytes) };
}

/** Two donors may send the same sum on one day: a row with nothing else is known in its own file only. */
function withFile(movements: readonly Movement[], bytes: Uint8Array): Movement[] {
  let hash: string | undefined;
  return movements.map((movement) => {
    const { text, name, number, balanceMinor } = movement;
    if (text || name || number || balanceMinor !== undefined) return movement;
    hash ??= createHash('sha256').update(bytes).digest('base64url');
    return { ...movement, onlyIn: hash };
  });
}

async function readAny(bytes: Uint8Array, options: ReadOptions): Promise<Reading> {
  if (bytes.length === 0) throw new Problem('statement-empty');
  refuseOtherBinaries(bytes);
  // Libraries are loaded for the files that need them.
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'PK\x03\x04') {
    const { xlsxCells } = await import('./workbook.ts');
    return { format: 'xlsx', ...readTable(await xlsxCells(bytes), options) };
  }
  const { text, encoding } = decoded(bytes);
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') throw new Problem('statement-empty');
  const head = trimmed.slice(0, 4000);
  if (/^OFXHEADER|<OFX>/i.test(head)) return { format: 'ofx', ...readOfx(trimmed, options) };
  refuseOtherTexts(head);
  if (head.startsWith('<')) {
    if (!/camt\.053|BkToCstmrStmt/.test(head)) throw new Problem('statement-unreadable');
    const { readCamt } = await import('./camt.ts');
    return { format: 'camt.053', ...readCamt(trimmed, options) };
  }
  return { format: 'csv', ...readTable(csvCells(text.replace(/^\uFEFF/, ''), encoding), options) };
}
