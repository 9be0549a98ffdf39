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
export const part = (head: string, content: Uint8Array | string): Buffer =>
  Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);

const named = (field: string, name?: string): string =>
  `Content-Disposition: form-data; name="${field}"${name === undefined ? '' : `; filename="${name}"`}`;

export const filePart = (field: string, bytes: Uint8Array, name = 'photo.jpg', type = 'image/jpeg'): Buffer =>
  part(`${named(field, name)}\r\nContent-Type: ${type}`, bytes);

export const form = (...parts: readonly Buffer[]): Sent => ({
  contentType: TYPE,
  body: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
});

/**
 * Bodies that are no proper multipart, or more of it than anybody needs.
 * @param fields the text fields that a proper one has @param field of files @param most files that are taken
 */
export function tricks(
  fields: readonly Buffer[],
  field: string,
  photo: Buffer,
  most: number,
): Record<string, Sent> {
  const good = [...fields, filePart(field, photo)];
  const whole = form(...good);
  const repeated = (count: number, make: (at: number) => Buffer) =>
    Array.from({ length: count }, (_, at) => make(at));
  return {
    'no boundary in the header': { ...whole, contentType: 'multipart/form-data' },
    'an empty boundary': { ...whole, contentType: 'multipart/form-data; boundary=' },
    'a boundary of 5,000 letters': {
      ...whole,
      contentType: `multipart/form-data; boundary=${'b'.repeat(5_000)}`,
    },
    'another boundary': { ...whole, contentType: 'multipart/form-data; boundary=other' },
    'two boundaries': { ...whole, contentType: `multipart/form-data; boundary=other; boundary=${BOUNDARY}` },
    'multipart/mixed': { ...whole, contentType: TYPE.replace('form-data', 'mixed') },
    'JSON that is none': { ...whole, contentType: 'application/json' },
    'no end': { contentType: TYPE, body: Buffer.concat(good) },
    'nothing at all': { contentType: TYPE, body: Buffer.alloc(0) },
    'only an end': form(),
    'bare line feeds': {
      contentType: TYPE,
      body: Buffer.from(whole.body.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
    },
    'a part without a name': form(...fields, part('Content-Disposition: form-data; filename="a.jpg"', photo)),
    'a part without a disposition': form(...fields, part('Content-Type: image/jpeg', photo)),
    'a part without headers': form(...fields, part('', photo)),
    'a file without a filename': form(...fields, part(named(field), photo)),
    'headers of a part without end': form(
      ...fields,
      part(`${named(field, 'a.jpg')}\r\nX-Long: ${'h'.repeat(900_000)}`, photo),
    ),
    'thousands of headers in a part': form(
      ...fields,
      part(
        [named(field, 'a.jpg'), ...Array.from({ length: 5_000 }, (_, at) => `X-${at}: 1`)].join('\r\n'),
        photo,
      ),
    ),
    'line breaks in a name': form(
      ...fields,
      part(`Content-Disposition: form-data; name="${field}"; filename="a\r\nX-Injected: 1\r\n.jpg"`, photo),
    ),
    'a name in two spellings': form(
      ...fields,
      part(
        `Content-Disposition: form-data; name="${field}"; filename="a.jpg"; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd%0d%0aX-Injected:1`,
        photo,
      ),
    ),
    'a name in an unknown alphabet': form(
      ...fields,
      part(`Content-Disposition: form-data; name="${field}"; filename*=x-none''%ff%fe`, photo),
    ),
    'a nested multipart': form(
      ...fields,
      part(
        `${named(field, 'a.jpg')}\r\nContent-Type: multipart/mixed; boundary=inner`,
        Buffer.concat([
          Buffer.from('--inner\r\nContent-Disposition: file; filename="b.jpg"\r\n\r\n'),
          photo,
          Buffer.from('\r\n--inner--'),
        ]),
      ),
    ),
    'a file in base64': form(
      ...fields,
      part(`${named(field, 'a.jpg')}\r\nContent-Transfer-Encoding: base64`, photo.toString('base64')),
    ),
    'fields twice': form(...fields, ...fields, filePart(field, photo)),
    'the file as a text field too': form(...fields, part(named(field), 'text'), filePart(field, photo)),
    'fields that are prototypes': form(
      ...fields,
      part(named('__proto__'), 'x'),
      part(named('constructor'), 'x'),
      part(named('toString'), 'x'),
      filePart(field, photo),
    ),
    'a field of another name': form(...good, part(named('isAdmin'), 'true')),
    'a file of another name': form(...fields, filePart('other', photo)),
    'a field of 200 kB': form(...fields, part(named('notes'), 'n'.repeat(200_000)), filePart(field, photo)),
    'thousands of fields': form(
      ...fields,
      ...repeated(5_000, (at) => part(named(`f${at}`), '1')),
      filePart(field, photo),
    ),
    'thousands of files': form(...fields, ...repeated(3_000, () => filePart(field, Buffer.from('x')))),
    'one file too many': form(...fields, ...repeated(most + 1, () => filePart(field, photo))),
    'a packed body': { ...whole, headers: { 'Content-Encoding': 'gzip' } },
    noise: { contentType: TYPE, body: randomBytes(100_000) },
  };
}

export const textPart = (name: string, value: string): Buffer => part(named(name), value);
