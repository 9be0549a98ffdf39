import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { announcementHash, fingerprintOf, readAnnouncement } from './announcement.ts';

type Form = Parameters<typeof readAnnouncement>[0];
const form = (parts: Partial<Form> = {}): Form => ({
  trees: 5,
  packageType: 'grove',
  currency: 'COP',
  customerEmail: 'ana@arboleda.test',
  customerName: 'Ana García',
  paymentMethod: 'manual_bancolombia',
  bankName: 'bancolombia',
  ...parts,
});
const file = (content: string, originalName = 'pago.jpg') => ({
  originalName,
  contentType: 'image/jpeg',
  bytes: Buffer.from(content),
});
const read = (parts: Partial<Form> = {}, files = [file('one')]) => readAnnouncement(form(parts), files);
const problemOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return [error.type, ...error.fields.map(({ path }) => path)];
  }
  return [];
};

describe('a form', () => {
  test('says what is bought and by whom; what was left empty is not there', () => {
    const announcement = read({ customerPhone: '', referenceNumber: '', quote: '', locale: '' });
    expect(announcement).toMatchObject({ phone: undefined, reference: undefined });
    expect(announcement.request).toEqual({
      trees: 5,
      packageType: 'grove',
      currency: 'COP',
      customerEmail: 'ana@arboleda.test',
      customerName: 'Ana García',
    });
  });

  test('without name, address or files is told of the fields first', () => {
    expect(problemOf(() => read({ customerName: ' ', customerEmail: undefined }, []))).toEqual([
      'required-fields',
      'customerName',
      'customerEmail',
    ]);
    expect(problemOf(() => read({}, []))).toEqual(['evidence-required', 'evidenceFiles']);
  });
});

describe('the name of a file', () => {
  const nameOf = (name: string) => read({}, [file('one', name)]).files[0]!.originalName;
  test('keeps what people write', () =>
    expect(nameOf('Comprobante (ñandú) 1.png')).toBe('Comprobante (ñandú) 1.png'));
  test('loses what cannot be shown or stored', () =>
    expect(nameOf('a\u0000b\u202egpj\ud800.exe')).toBe('abgpj.exe'));
  test('ends somewhere, and not within a character', () => {
    expect(nameOf('a'.repeat(500))).toHaveLength(200);
    expect(nameOf(`${'a'.repeat(199)}🌳`)).toBe('a'.repeat(199));
  });
});

describe('the hash of all that was asked', () => {
  const hash = announcementHash(read());
  test('is the same for the same, whatever the files are called', () => {
    expect(announcementHash(read({}, [file('one', 'other.jpg')]))).toBe(hash);
  });
  test.each<[string, Partial<Form>]>([
    ['name', { customerName: 'Eva' }],
    ['phone', { customerPhone: '1' }],
    ['reference', { referenceNumber: 'M1' }],
    ['quote', { quote: 'q' }],
    ['count', { trees: 6 }],
  ])('is another one with another %s', (_what, parts) => {
    expect(announcementHash(read(parts))).not.toBe(hash);
  });
});

describe('the fingerprint of a purchase', () => {
  const print = fingerprintOf(read({}, [file('one'), file('two')]));
  test('is the same in whatever order the files come, and however the rest is written', () => {
    const again = read({ customerName: 'ana', referenceNumber: 'M1', quote: 'q' }, [
      file('two'),
      file('one'),
    ]);
    expect(fingerprintOf(again)).toBe(print);
  });
  test.each<[string, Partial<Form>, string[]]>([
    ['person', { customerEmail: 'eva@arboleda.test' }, ['one', 'two']],
    ['count', { trees: 6, packageType: 'custom' }, ['one', 'two']],
    ['currency', { currency: 'USD' }, ['one', 'two']],
    ['file', {}, ['one', 'three']],
  ])('is another one for another %s', (_what, parts, contents) => {
    expect(
      fingerprintOf(
        read(
          parts,
          contents.map((each) => file(each)),
        ),
      ),
    ).not.toBe(print);
  });
});
