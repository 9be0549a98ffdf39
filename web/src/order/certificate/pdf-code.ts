import { parseCertificateCode, PDF_KEYWORD } from '@arboleda/contracts/certificate-code.ts';
import { unzlibSync } from 'fflate';

/** Certificates are below 1 MB; more is not even read. */
export const MAX_PDF_BYTES = 20_000_000;

export type PdfProblem = 'notPdf' | 'tooLarge' | 'encrypted' | 'noCode' | 'unreadable';

/** Bytes in which a PDF says that it is one: ISO 32000-2, annex I. */
const HEADER_BYTES = 1024;

/** Reads the code of a certificate's PDF in the browser; the file is sent nowhere. */
export async function codeInPdf(file: File): Promise<{ code: string } | { problem: PdfProblem }> {
  if (file.size > MAX_PDF_BYTES) return { problem: 'tooLarge' };
  const bytes = await file.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => undefined,
  );
  if (!bytes) return { problem: 'unreadable' };
  const text = textOf(bytes);
  if (!text.slice(0, HEADER_BYTES).includes('%PDF-')) return { problem: 'notPdf' };
  const code = codeIn(text) ?? objectStreams(bytes, text).map(codeIn).find(Boolean);
  if (code) return { code };
  return { problem: /\/Encrypt\s*(?:\d|<<)/.test(text) ? 'encrypted' : 'noCode' };
}

const textOf = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

/** The last one counts: programs append their changes. Some write two bytes for each letter. */
function codeIn(text: string): string | undefined {
  return text
    .replaceAll('\0', '')
    .split(PDF_KEYWORD)
    .slice(1)
    .map((rest) => parseCertificateCode(/^[\w-]+/.exec(rest)?.[0] ?? ''))
    .findLast((code) => code !== 'mistyped');
}

/** Packed objects of a certificate are some hundred bytes; much more could unpack to more than a browser holds. */
const MOST_PACKED_BYTES = 100_000;

/** Objects that a program has packed when it saved the file. */
function objectStreams(bytes: Uint8Array, text: string): string[] {
  return [...text.matchAll(/\/ObjStm[^]{0,400}?stream\r?\n/g)].flatMap(({ index, 0: head }) => {
    const begin = index + head.length;
    const end = text.indexOf('endstream', begin);
    if (end < 0 || end - begin > MOST_PACKED_BYTES) return [];
    try {
      return textOf(unzlibSync(bytes.subarray(begin, end)));
    } catch {
      // Damaged, or packed in another way.
      return [];
    }
  });
}
