import { beforeAll, describe, expect, test } from '@jest/globals';
import { inflateSync } from 'node:zlib';
import { decidePayment } from '../order/creation.ts';
import { NOTHING_BACK, type Order } from '../order/order.ts';
import { minute, payment } from '../test/builders.ts';
import { coverage, type FontLibrary, openFonts } from './fonts.ts';
import { renderReceipt } from './page.ts';
import { receiptOf } from './receipt.ts';
import { wrap } from './typesetter.ts';
import { unpackWoff } from './woff.ts';

const ORGANISATION = {
  legalName: 'Fundación Arboleda',
  taxId: 'NIT 900.123.456-7',
  address: 'Calle 6 # 7-14, Salento',
  contactEmail: 'hola@arboleda.test',
};

describe('page', () => {
  let library: FontLibrary;

  beforeAll(async () => {
    library = await openFonts();
  });

  const ORDER = decidePayment(undefined, payment({ orderId: '65f0c0ffee0123456789abcd' }).data)!.record;

  const render = (name = 'María José Peña', growth = 0) =>
    renderReceipt(
      receiptOf(
        {
          ...ORDER,
          customer: { ...ORDER.customer, name },
          growth: Array.from({ length: growth }, (_, n) => ({
            purchaseId: `p-${n}`,
            photoPackageType: 'lifetime' as const,
            amountMinor: 3500,
            currency: 'USD' as const,
            purchasedAt: minute(n),
            day: '2026-11-21',
            visits: [],
            revision: 0,
            ...NOTHING_BACK,
          })),
        },
        'es',
        ORGANISATION,
      ),
      library,
    );

  /** The decompressed streams of a PDF. */
  function streamsOf(pdf: Buffer): string[] {
    const text = pdf.toString('latin1');
    return [...text.matchAll(/stream\n([\s\S]*?)\nendstream/g)].flatMap(([, bytes]) => {
      try {
        return [inflateSync(Buffer.from(bytes!, 'latin1')).toString('latin1')];
      } catch {
        return [];
      }
    });
  }

  /** All characters that can be selected, over all fonts. */
  function selectable(pdf: Buffer): Set<string> {
    const maps = streamsOf(pdf).filter((stream) => stream.includes('beginbfrange'));
    // A ligature has the letters that it stands for.
    const units = maps.flatMap((map) =>
      [...map.matchAll(/<([0-9a-f ]+)>/g)].flatMap(([, hex]) => hex!.match(/[0-9a-f]{4}/g) ?? []),
    );
    return new Set(units.map((hex) => String.fromCharCode(Number.parseInt(hex, 16))));
  }

  describe('a receipt as PDF', () => {
    test('is one A4 page in its language, with a title', async () => {
      const text = (await render()).toString('latin1');
      expect(text.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
      expect(text.includes('/MediaBox [0 0 595.28 841.89]')).toBe(true);
      expect(text.includes('/Lang (es)')).toBe(true);
      const title = Buffer.from('Recibo 2026-000123', 'utf16le').swap16().toString('latin1');
      expect([title, 'Recibo 2026-000123'].some((one) => text.includes(one))).toBe(true);
    });

    test('is deterministic', async () => {
      expect((await render()).equals(await render())).toBe(true);
    });

    test('embeds its fonts, and its text can be selected, with accents', async () => {
      const pdf = await render('Íñigo Peñarañda Güell');
      expect(pdf.toString('latin1').includes('/FontFile2')).toBe(true);
      const letters = selectable(pdf);
      for (const letter of 'ÍñigoPerdaGüÁúó') expect(letters).toContain(letter);
    });

    test('continues on another page when the list is long', async () => {
      const text = (await render('María', 30)).toString('latin1');
      expect(text.match(/\/Type \/Page\b(?!s)/g)!.length).toBeGreaterThan(1);
    });

    test('stays small', async () => {
      expect((await render()).length).toBeLessThan(60_000);
    });
  });

  describe('a name', () => {
    const shown = async (text: string) => (await library.fontsFor(text)).showable(text, 'regular');
    const fontsOf = async (text: string) => {
      const fonts = await library.fontsFor(text);
      return fonts.piecesOf(text, 'regular').map(({ font, text: piece }) => [font, piece]);
    };
    /** The pieces from left to right, without the names of their fonts. */
    const leftToRight = async (text: string) => (await fontsOf(text)).map(([, piece]) => piece);

    test('uses the font that has its characters', async () => {
      expect(await fontsOf('Łukasz')).toEqual([
        ['regular latin-ext', 'Ł'],
        ['regular latin', 'ukasz'],
      ]);
      expect(await fontsOf('Дмитрий')).toEqual([['regular cyrillic', 'Дмитрий']]);
    });

    test('with combining accents is normalized', async () => {
      expect(await fontsOf('Pen\u0303a')).toEqual([['regular latin', 'Peña']]);
    });

    test.each([
      ['Chinese', '张伟林'],
      ['traditional Chinese', '陳鄭龍'],
      ['Japanese', '渡邉さくら々ヨーコ'],
      ['Korean', '김서연'],
      ['Arabic', 'محمد'],
      ['Hebrew', 'שרה'],
      ['Thai', 'สมชาย'],
      ['Devanagari', 'प्रिया'],
    ])('in %s is shown in its own letters, which can be selected', async (_language, name) => {
      expect(await shown(name)).toBe(name);
      const letters = selectable(await render(name));
      for (const letter of name.normalize('NFC')) expect(letters).toContain(letter);
    });

    test('of right-to-left letters is laid out from the right', async () => {
      expect(await leftToRight('محمد علي')).toEqual(['علي', ' ', 'محمد']);
      expect(await leftToRight('שרה כהן')).toEqual(['כהן', ' ', 'שרה']);
    });

    test('of two directions keeps the order of each', async () => {
      expect(await leftToRight('John محمد علي')).toEqual(['John ', 'علي', ' ', 'محمد']);
      expect(await leftToRight('محمد John 12')).toEqual(['John 12', ' ', 'محمد']);
      expect(await leftToRight('שרה (Sara)')).toEqual(['(', 'Sara', ')', ' ', 'שרה']);
    });

    test('keeps marks and joiners with their letter', async () => {
      const name = 'می\u200cنا';
      expect(await fontsOf(name)).toEqual([['regular arabic', name]]);
    });

    test('mixes scripts', async () => {
      expect((await fontsOf('林 Lin')).map(([, piece]) => piece)).toEqual(['林', ' Lin']);
    });

    test('in a script without a font is shown in Latin letters', async () => {
      expect(await shown('გიორგი')).toBe('giorgi');
      expect(await shown('𠮷田')).toMatch(/^[A-Z][a-z]+田$/);
    });

    test('loses its pictures, unless there is nothing else', async () => {
      expect(await shown('Ana 🌳👩‍🌾')).toBe('Ana ');
      expect(await shown('🌳')).toBe('deciduous tree');
      expect(await shown('\u{e000}')).toBe('–');
      for (const name of ['林😀', '😀', '\u{e000}'])
        expect((await render(name)).subarray(0, 5).toString()).toBe('%PDF-');
    });
  });

  test('ranges are parsed as in CSS', () => {
    const covers = coverage('U+0000-00FF,U+0131');
    expect([0x41, 0xff, 0x131].map(covers)).toEqual([true, true, true]);
    expect([0x100, 0x130, 0x1f600].map(covers)).toEqual([false, false, false]);
  });

  test('an invalid font is refused', () => {
    expect(() => unpackWoff(Buffer.from('wOF2 and more that matters not'))).toThrow('no WOFF font');
  });
});

const NBSP = '\u00a0';

/** Twenty trees for 288,050 pesos by card. */
const bought = (changes: Partial<Order> = {}): Order => ({
  ...decidePayment(
    undefined,
    payment({ orderId: '65f0c0ffee0123456789abcd', trees: 20, packageType: 'patch', amountMinor: 28_805_000 })
      .data,
  )!.record,
  ...changes,
});

const purchase = (amountMinor: number, currency: 'COP' | 'USD') => ({
  purchaseId: 'purchase-1',
  photoPackageType: 'three_year' as const,
  amountMinor,
  currency,
  purchasedAt: minute(24 * 60),
  day: '2026-11-22',
  visits: [],
  revision: 0,
  ...NOTHING_BACK,
});

describe('a receipt', () => {
  test('names recipient, payer, time and method, in the reader’s language', () => {
    expect(receiptOf(bought(), 'es', ORGANISATION)).toMatchObject({
      title: 'Recibo',
      organisation: ORGANISATION,
      head: [
        ['Número de recibo', '2026-000123'],
        ['Fecha', '21 de noviembre de 2026'],
        ['Pedido', '89ABCD'],
      ],
      payment: [
        ['Recibido de', 'María José Pérez'],
        ['', 'Maria@mail.test'],
        ['Medio de pago', 'Tarjeta Visa •••• 4242'],
        ['Transacción', 'pi_1'],
      ],
      items: [{ text: 'Árboles nativos – Pedazo de bosque', quantity: '20', amount: `COP${NBSP}288.050` }],
      totals: [['Total', `COP${NBSP}288.050`]],
      refunds: undefined,
    });
    const english = receiptOf(bought(), 'en', ORGANISATION);
    expect(english.head[1]).toEqual(['Date', '21 November 2026']);
    expect(english.items[0]).toMatchObject({
      text: 'Native trees – Forest patch',
      unit: `~ COP${NBSP}14,403`,
      amount: `COP${NBSP}288,050`,
    });
  });

  test('has the date in Colombia', () => {
    const late = bought({ createdAt: '2026-12-01T04:59:00.000Z' });
    expect(receiptOf(late, 'en', ORGANISATION).head[1]).toEqual(['Date', '30 November 2026']);
  });

  test('of a transfer has the date its money was found, and its reference', () => {
    const { payment: facts, issuedAt } = receiptOf(
      bought({
        method: { kind: 'transfer', bank: 'bancolombia' },
        card: undefined,
        manualPayment: {
          verificationStatus: 'approved',
          referenceNumber: 'ARB-7F3A',
          evidenceFiles: [],
          decidedAt: minute(24 * 60),
        },
      }),
      'en',
      ORGANISATION,
    );
    expect(issuedAt.toISOString()).toBe(minute(24 * 60));
    expect(facts).toContainEqual(['Payment method', 'Bancolombia bank transfer']);
    expect(facts).toContainEqual(['Reference', 'ARB-7F3A']);
  });

  test('marks a rounded unit price as approximate', () => {
    const { items } = receiptOf(bought({ trees: 3, amountMinor: 1000 }), 'en', ORGANISATION);
    expect(items[0]!.unit).toBe(`~ COP${NBSP}3`);
  });

  test('adds growth updates, with totals by currency', () => {
    const same = receiptOf(bought({ growth: [purchase(10_287_500, 'COP')] }), 'en', ORGANISATION);
    expect(same.items[1]).toMatchObject({
      text: 'Growth updates – Three-year story (7)',
      note: 'Bought on 22 November 2026',
      quantity: '1',
    });
    expect(same.totals).toEqual([['Total', `COP${NBSP}390,925`]]);
    const mixed = receiptOf(bought({ growth: [purchase(2500, 'USD')] }), 'en', ORGANISATION);
    expect(mixed.totals.map(([, amount]) => amount)).toEqual([`COP${NBSP}288,050`, `USD${NBSP}25.00`]);
  });

  test('shows refunds, oldest first, and what is left', () => {
    const refund = (refundId: string, amountMinor: number, at: string) => ({
      refundId,
      amountMinor,
      currency: 'COP' as const,
      reason: 'Kindness',
      at,
    });
    const { refunds } = receiptOf(
      bought({
        refunds: [refund('b', 1_000_000, minute(48 * 60)), refund('a', 5_000_000, minute(24 * 60))],
        refundedMinor: 6_000_000,
        growth: [purchase(10_287_500, 'COP')],
      }),
      'en',
      ORGANISATION,
    );
    expect(refunds).toEqual({
      title: 'Refunds',
      rows: [
        ['22 November 2026', `−COP${NBSP}50,000`],
        ['23 November 2026', `−COP${NBSP}10,000`],
      ],
      left: [['Total after refunds', `COP${NBSP}330,925`]],
    });
  });

  test('shows refunds of photo packages, and lost disputes', () => {
    const back = { currency: 'USD' as const, reason: 'Kindness' };
    const dispute = { ...back, disputeId: 'd', status: 'lost', amountMinor: 500, lostMinor: 500 };
    const growth = {
      ...purchase(2500, 'USD'),
      refunds: [{ ...back, refundId: 'a', amountMinor: 1500, at: minute(24 * 60) }],
      disputes: [
        { ...dispute, at: minute(48 * 60) },
        { ...dispute, disputeId: 'e', status: 'won', lostMinor: 0, at: minute(49 * 60) },
      ],
      refundedMinor: 1500,
      lostMinor: 500,
    };
    const { refunds } = receiptOf(bought({ growth: [growth] }), 'en', ORGANISATION);
    expect(refunds).toMatchObject({
      rows: [
        ['22 November 2026 – Growth updates – Three-year story (7)', `−USD${NBSP}15.00`],
        [
          '23 November 2026 – Growth updates – Three-year story (7), taken back by the bank',
          `−USD${NBSP}5.00`,
        ],
      ],
      left: [
        ['Total after refunds', `COP${NBSP}288,050`],
        ['Total after refunds', `USD${NBSP}5.00`],
      ],
    });
  });
});

const upTo = (length: number) => (line: string) => line.length <= length;

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['one', 7, ['one']],
  ['', 7, ['']],
  ['one\ntwo', 20, ['one two']],
  ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  ['to abcdefghij end', 4, ['to', 'abcd', 'efgh', 'ij', 'end']],
  ['𝄞𝄞𝄞', 2, ['𝄞', '𝄞', '𝄞']],
])('"%s" in lines of %d is %j', (text, length, lines) => {
  expect(wrap(text, upTo(length))).toEqual(lines);
});

test('wrapping ends when not even one character fits', () => {
  expect(wrap('abc', () => false)).toEqual(['a', 'b', 'c']);
});
