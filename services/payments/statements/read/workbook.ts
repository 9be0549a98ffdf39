import { Problem } from '@arboleda/contracts/problems.ts';
import { unzipSync, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { type Cells, MAX_CELL, MAX_COLUMNS, MAX_LINES } from './cells.ts';

/** Decompressed size of all parts of a workbook. A year of a busy account takes about 15 MB. */
const MAX_UNPACKED_BYTES = 120_000_000;

/**
 * The first sheet of a workbook. The library trusts the sizes that a file gives, so the file is unpacked within bounds
 * and handed over uncompressed.
 */
export async function xlsxCells(bytes: Uint8Array): Promise<Cells> {
  const rows = await readSheet(Buffer.from(unpacked(bytes)), { parseNumber: numberText }).catch(
    (cause: unknown) => {
      throw new Problem('statement-unreadable', { cause });
    },
  );
  if (rows.length > MAX_LINES) throw new Problem('statement-too-many-rows');
  const filled = rows
    .map((row, at) => ({ row: row.slice(0, MAX_COLUMNS).map(cellText), line: at + 1 }))
    .filter(({ row }) => row.some((cell) => cell !== ''));
  return { rows: filled.map(({ row }) => row), lines: filled.map(({ line }) => line) };
}

function unpacked(bytes: Uint8Array): Uint8Array {
  let total = 0;
  try {
    const parts = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/\.xml(\.rels)?$/.test(name)) return false;
        total += originalSize;
        if (total > MAX_UNPACKED_BYTES) throw new Error('unpacks to too much');
        return true;
      },
    });
    return zipSync(parts, { level: 0 });
  } catch (cause) {
    const isWhole = Buffer.from(bytes.subarray(-70_000)).includes('PK\x05\x06');
    throw new Problem(isWhole ? 'statement-unreadable' : 'statement-cut-off', { cause });
  }
}

/** A number as a workbook keeps it, in binary: 288050.30000000005 is 288050.30. */
function numberText(text: string): string {
  const value = Number(text);
  if (/^-?\d+$/.test(text) || !Number.isFinite(value)) return text;
  const rounded = value.toFixed(2);
  return Math.abs(value - Number(rounded)) < 1e-6 ? rounded : text;
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10);
  if (typeof cell === 'boolean') return '';
  return String(cell).slice(0, MAX_CELL).trim();
}
