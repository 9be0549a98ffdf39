import { strToU8, zipSync } from 'fflate';
import iconv from 'iconv-lite';

/** A credit or debit, in pesos with two decimals. */
export interface Line {
  /** "2026-03-12" */
  day: string;
  amountMinor: number;
  text: string;
  name?: string;
  number?: string;
  balanceMinor?: number;
}

export const lines: readonly Line[] = [
  { day: '2026-03-12', amountMinor: 28_805_000, text: 'PAGO ARB-7K3Q9F', name: 'JOSÉ MUÑOZ', number: '1001' },
  { day: '2026-03-13', amountMinor: -1_250_050, text: 'CUOTA DE MANEJO', number: '1002' },
  { day: '2026-03-14', amountMinor: 123_456_789, text: 'CONSIGNACIÓN "CAJA"; SALENTO', number: '1003' },
];

export type Decimal = ',' | '.';

/** "1.234.567,89" or "1,234,567.89" */
function written(amountMinor: number, decimal: Decimal): string {
  const [whole, cents] = (Math.abs(amountMinor) / 100).toFixed(2).split('.') as [string, string];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, decimal === ',' ? '.' : ',');
  return `${amountMinor < 0 ? '-' : ''}${grouped}${decimal}${cents}`;
}

const TITLES = ['Fecha', 'Descripción', 'Pagador', 'Documento', 'Valor', 'Saldo'];

const cellsOf = (line: Line, decimal: Decimal, dayOf: (day: string) => string): string[] => [
  dayOf(line.day),
  line.text,
  line.name ?? '',
  line.number ?? '',
  written(line.amountMinor, decimal),
  line.balanceMinor === undefined ? '' : written(line.balanceMinor, decimal),
];

export const dmy = (day: string): string => day.split('-').reverse().join('/');
/** For days that depend on today: up to the twelfth of a month, 01/12/2026 alone could be either, and is asked about. */
export const iso = (day: string): string => day;

export function csv(
  of: readonly Line[] = lines,
  how: { separator?: string; decimal?: Decimal; encoding?: string; day?: (day: string) => string } = {},
): Buffer {
  const { separator = ';', decimal = ',', encoding = 'utf-8', day = dmy } = how;
  const quoted = (cell: string) => (/[",;\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const rows = [TITLES, ...of.map((line) => cellsOf(line, decimal, day))];
  return iconv.encode(rows.map((row) => row.map(quoted).join(separator)).join('\r\n') + '\r\n', encoding, {
    addBOM: encoding.startsWith('utf-16'),
  });
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A workbook whose amounts are numbers, or texts in the style that is given. */
export function xlsx(of: readonly Line[] = lines, decimal?: Decimal): Buffer {
  const cell = (text: string, isNumber = false) =>
    isNumber ? `<c><v>${text}</v></c>` : `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;
  const rows = of.map((line) =>
    [
      cell(line.day),
      cell(line.text),
      cell(line.name ?? ''),
      cell(line.number ?? ''),
      decimal ? cell(written(line.amountMinor, decimal)) : cell(String(line.amountMinor / 100), true),
    ].join(''),
  );
  return workbook([
    TITLES.slice(0, 5)
      .map((title) => cell(title))
      .join(''),
    ...rows,
  ]);
}

/** @param rows cells of each row, without addresses */
export function workbook(rows: readonly string[]): Buffer {
  const addressed = rows.map((row, at) => {
    let column = 0;
    return `<row r="${at + 1}">${row.replace(/<c/g, (all, offset: number) =>
      /[ >]/.test(row[offset + 2] ?? '') ? `<c r="${String.fromCharCode(65 + column++)}${at + 1}"` : all,
    )}</row>`;
  });
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
      ),
      'xl/workbook.xml': strToU8(
        '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Extracto" sheetId="1" r:id="rId1"/></sheets></workbook>',
      ),
      'xl/_rels/workbook.xml.rels': strToU8(
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      ),
      'xl/worksheets/sheet1.xml': strToU8(
        `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${addressed.join('')}</sheetData></worksheet>`,
      ),
    }),
  );
}

/** OFX 1, without closing tags. */
export function ofx(of: readonly Line[] = lines, account = '12345678900', decimal: Decimal = '.'): Buffer {
  const amount = (minor: number) => (minor / 100).toFixed(2).replace('.', decimal);
  const rows = of.map(
    (line) =>
      `<STMTTRN><TRNTYPE>${line.amountMinor < 0 ? 'DEBIT' : 'CREDIT'}\n<DTPOSTED>${line.day.replaceAll('-', '')}120000[-5:EST]\n` +
      `<TRNAMT>${amount(line.amountMinor)}\n<FITID>${line.number}\n<NAME>${line.name ?? ''}\n<MEMO>${escaped(line.text)}\n</STMTTRN>`,
  );
  return iconv.encode(
    `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>COP\n<BANKACCTFROM><BANKID>7\n<ACCTID>${account}\n</BANKACCTFROM><BANKTRANLIST>${rows.join('\n')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`,
    'windows-1252',
  );
}

export function camt(of: readonly Line[] = lines, account = '12345678900'): Buffer {
  const rows = of.map(
    (line) => `<Ntry><Amt Ccy="COP">${(Math.abs(line.amountMinor) / 100).toFixed(2)}</Amt>
<CdtDbtInd>${line.amountMinor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${line.day}</Dt></BookgDt>
<AcctSvcrRef>${line.number}</AcctSvcrRef><NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>${escaped(line.name ?? '')}</Nm></Pty></Dbtr></RltdPties>
<RmtInf><Ustrd>${escaped(line.text)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  );
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id><Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>COP</Ccy></Acct>${rows.join('')}</Stmt></BkToCstmrStmt></Document>`,
  );
}
