import { Problem } from '@arboleda/contracts/problems.ts';
import { MAX_STATEMENT_ROWS } from '@arboleda/contracts/statement.ts';
import { csvCells, decoded } from './cells.ts';
import type { Reading, ReadOptions } from './movement.ts';
import { readOfx } from './ofx.ts';
import { readTable } from './table.ts';

/**
 * Reads a bank's file, whatever its name. Pure; runs in a thread of its own (see reader.ts).
 * @throws Problem `statement-empty`, `statement-unreadable`, `statement-cut-off`, `statement-too-many-rows`, and those
 * of a table
 */
export async function readStatement(bytes: Uint8Array, options: ReadOptions): Promise<Reading> {
  const reading = await readAny(bytes, options);
  if (reading.movements.length > MAX_STATEMENT_ROWS) throw new Problem('statement-too-many-rows');
  if (reading.movements.length === 0 && !reading.questions.includes('columns'))
    throw new Problem('statement-empty');
  return reading;
}

async function readAny(bytes: Uint8Array, options: ReadOptions): Promise<Reading> {
  if (bytes.length === 0) throw new Problem('statement-empty');
  const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  // Libraries are loaded for the files that need them.
  if (start === 'PK\x03\x04') {
    const { xlsxCells } = await import('./workbook.ts');
    return { format: 'xlsx', ...readTable(await xlsxCells(bytes), options) };
  }
  // PDF, the old XLS, pictures.
  if (start === '%PDF' || start === '\xd0\xcf\x11\xe0' || /^(\x89PNG|\xff\xd8|GIF8|PK)/.test(start))
    throw new Problem('statement-unreadable');
  const { text, encoding } = decoded(bytes);
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') throw new Problem('statement-empty');
  const head = trimmed.slice(0, 4000);
  if (/^OFXHEADER|<OFX>/i.test(head)) return { format: 'ofx', ...readOfx(trimmed, options.currency) };
  if (head.startsWith('<')) {
    if (!/camt\.053|BkToCstmrStmt/.test(head)) throw new Problem('statement-unreadable');
    const { readCamt } = await import('./camt.ts');
    return { format: 'camt.053', ...readCamt(trimmed, options.currency) };
  }
  return { format: 'csv', ...readTable(csvCells(text.replace(/^\uFEFF/, ''), encoding), options) };
}
