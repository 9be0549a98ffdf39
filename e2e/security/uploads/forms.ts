import { randomBytes } from 'node:crypto';

export interface Sent {
  contentType: string;
  body: Buffer;
  /** Beside the content type. */
  headers?: Record<string, string>;
}

const BOUNDARY = 'arboleda-security-boundary';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A part as it stands in the body. @param head its header lines, not looked at */
const part = (head: string, content: Uint8Array | string): Buffer =>
  Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);

const named = (field: string, name?: string): string =>
  `Content-Disposition: form-data; name="${field}"${name === undefined ? '' : `; filename="${name}"`}`;

export const textPart = (name: string, value: string): Buffer => part(named(name), value);

export const filePart = (field: string, bytes: Uint8Array, name = 'photo.jpg', type = 'image/jpeg'): Buffer =>
  part(`${named(field, name)}\r\nContent-Type: ${type}`, bytes);

export const form = (...parts: readonly Buffer[]): Sent => ({
  contentType: TYPE,
  body: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
});

/** Names that a file may be sent under, written into the part's header as they stand here. */
export const NAMES: readonly string[] = [
  '../../../../etc/passwd.jpg',
  '..\\..\\windows\\system32.jpg',
  '%2e%2e%2f%2e%2e%2fx.jpg',
  'a\0.jpg',
  'x.php\0.jpg',
  '..',
  'x.html;.jpg',
  '<script>alert(1)</script>.jpg',
  "x'; drop table photos; --.jpg",
  '\u202egpj.exe',
  '👩‍👩‍👧‍👦'.repeat(60),
  'á'.repeat(5_000),
  '\ufeff\u200b.jpg',
  '__proto__',
];

export const CONTENT_TYPES: readonly string[] = [
  'image/svg+xml',
  'text/html',
  '*/*',
  'image/jpeg; charset=utf-7',
  `image/${'x'.repeat(3_000)}`,
  'multipart/mixed; boundary=x',
];

/**
 * Bodies that are no proper multipart, or more of it than anybody needs.
 * @param fields the text fields that a proper one has @param field of files
 */
export function badForms(fields: readonly Buffer[], field: string, photo: Buffer): Record<string, Sent> {
  const file = filePart(field, photo);
  const whole = form(...fields, file);
  const withPart = (head: string, content: Uint8Array | string = photo) =>
    form(...fields, part(head, content));
  const lines = whole.body.toString('latin1');
  return {
    'an empty boundary': { ...whole, contentType: 'multipart/form-data; boundary=' },
    'a boundary of 5,000 letters': {
      ...whole,
      contentType: `multipart/form-data; boundary=${'b'.repeat(5_000)}`,
    },
    'two boundaries': { ...whole, contentType: `multipart/form-data; boundary=other; boundary=${BOUNDARY}` },
    'multipart/mixed': { ...whole, contentType: TYPE.replace('form-data', 'mixed') },
    'only an end': form(),
    'bare line feeds': { contentType: TYPE, body: Buffer.from(lines.replaceAll('\r\n', '\n'), 'latin1') },
    'a part without a name': withPart('Content-Disposition: form-data; filename="a.jpg"'),
    'a part without a disposition': withPart('Content-Type: image/jpeg'),
    'a part without headers': withPart(''),
    'a file without a filename': withPart(named(field)),
    'headers of a part without end': withPart(`${named(field, 'a.jpg')}\r\nX-Long: ${'h'.repeat(900_000)}`),
    'thousands of headers in a part': withPart(`${named(field, 'a.jpg')}\r\n${'X: 1\r\n'.repeat(5_000)}X: 1`),
    'line breaks in a name': withPart(named(field, 'a\r\nX-Injected: 1\r\n.jpg')),
    'a name in two spellings': withPart(
      `${named(field, 'a.jpg')}; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd%0d%0aX-Injected:1`,
    ),
    'a name in an unknown alphabet': withPart(`${named(field)}; filename*=x-none''%ff%fe`),
    'a file in base64': withPart(
      `${named(field, 'a.jpg')}\r\nContent-Transfer-Encoding: base64`,
      photo.toString('base64'),
    ),
    'fields twice': form(...fields, ...fields, file),
    'the file as a text field too': form(...fields, textPart(field, 'text'), file),
    'fields that are prototypes': form(
      ...fields,
      ...['__proto__', 'constructor', 'toString'].map((name) => textPart(name, 'x')),
      file,
    ),
    'a field of 200 kB': form(...fields, textPart('notes', 'n'.repeat(200_000)), file),
    'thousands of files': form(
      ...fields,
      ...Array.from({ length: 3_000 }, () => filePart(field, Buffer.from('x'))),
    ),
    'a packed body': { ...whole, headers: { 'Content-Encoding': 'gzip' } },
    noise: { contentType: TYPE, body: randomBytes(100_000) },
  };
}
