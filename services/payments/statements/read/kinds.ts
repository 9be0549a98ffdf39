import { Problem, type ProblemType } from '@arboleda/contracts/problems.ts';

/** Other files that banks offer, by how their text begins. */
const TEXTS: readonly (readonly [ProblemType, RegExp])[] = [
  ['statement-qif', /^!(type|account|option|clear):?/i],
  ['statement-mt940', /^(\{1:F01|:20:|:25:)|^:60[FM]:/m],
  ['statement-camt-052', /camt\.052|BkToCstmrAcctRpt/],
  ['statement-camt-054', /camt\.054|BkToCstmrDbtCdtNtfctn/],
  ['statement-other-workbook', /schemas-microsoft-com:office:spreadsheet|progid="Excel\.Sheet"/],
  ['statement-web-page', /^<(!doctype html|html|head|meta|body|style|table|div|center|font)\b|<html\b/i],
  ['statement-web-page', /^MIME-Version:[^]*text\/html/i],
];

/** @param head beginning of the text @throws Problem that says what the file is and what to download instead */
export function refuseOtherTexts(head: string): void {
  const kind = TEXTS.find(([, pattern]) => pattern.test(head))?.[0];
  if (kind) throw new Problem(kind);
}

/** @throws Problem, as above, and `statement-unreadable` for pictures and other binary files */
export function refuseOtherBinaries(bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = buffer.subarray(0, 1024).toString('latin1');
  if (/^\s*%PDF/.test(start)) throw new Problem('statement-pdf');
  if (start.startsWith('\xd0\xcf\x11\xe0')) throw new Problem('statement-old-excel');
  const isZip = start.startsWith('PK\x03\x04');
  if (isZip && (start.includes('application/vnd.oasis.opendocument') || buffer.includes('xl/workbook.bin')))
    throw new Problem('statement-other-workbook');
  if (/^(\x89PNG|\xff\xd8|GIF8)/.test(start) || (start.startsWith('PK') && !isZip))
    throw new Problem('statement-unreadable');
}
