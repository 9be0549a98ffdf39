import { beforeAll, describe, expect, test } from '@jest/globals';
import { inflateSync } from 'node:zlib';
import { decidePayment } from '../decisions/creation.ts';
import { minute, payment } from '../test/builders.ts';
import { coverage, type Fonts, openFonts } from './fonts.ts';
import { renderReceipt } from './page.ts';
import { receiptOf } from './receipt.ts';
import { unpackWoff } from './woff.ts';

let fonts: Fonts;
beforeAll(async () => {
  fonts = await openFonts();
});

const ORDER = decidePayment(undefined, payment({ orderId: '65f0c0ffee0123456789abcd' }).data)!.document;
const render = (name = 'María José Peña', growth = 0) =>
  renderReceipt(
    receiptOf(
      {
        ...ORDER,
        customer: { ...ORDER.customer, name },
        growth: Array.from({ length: growth }, (_, n) => ({
          ...{ purchaseId: `p-${n}`, photoPackageType: 'lifetime' as const, amountMinor: 3500 },
          ...{ currency: 'USD' as const, purchasedAt: minute(n), visits: [] },
        })),
      },
      'es',
      { name: 'Fundación Arboleda' },
    ),
    fonts,
  );

/** What the streams of a PDF hold, unpacked. */
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

/** The characters that a reader can select, of all fonts. */
function selectable(pdf: Buffer): Set<string> {
  const maps = streamsOf(pdf).filter((stream) => stream.includes('beginbfrange'));
  const units = maps.flatMap((map) => [...map.matchAll(/[<\s]([0-9a-f]{4})>/g)].map(([, hex]) => hex!));
  return new Set(units.map((hex) => String.fromCharCode(Number.parseInt(hex, 16))));
}

describe('a receipt as PDF', () => {
  test('is one page of A4, in its language, with a title', async () => {
    const text = (await render()).toString('latin1');
    expect(text.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
    expect(text.includes('/MediaBox [0 0 595.28 841.89]')).toBe(true);
    expect(text.includes('/Lang (es)')).toBe(true);
    const title = Buffer.from('Recibo 65F0C0FFEE0123456789ABCD', 'utf16le').swap16().toString('latin1');
    expect([title, 'Recibo 65F0C0FFEE0123456789ABCD'].some((one) => text.includes(one))).toBe(true);
  });

  test('is the same bytes whenever it is made', async () => {
    expect((await render()).equals(await render())).toBe(true);
  });

  test('carries its fonts, and its letters can be selected, accents too', async () => {
    const pdf = await render('Íñigo Peñarañda Güell');
    expect(pdf.toString('latin1').includes('/FontFile2')).toBe(true);
    const letters = selectable(pdf);
    for (const letter of 'ÍñigoPerdaGüÁúó') expect(letters).toContain(letter);
  });

  test('goes on another page when there is much to list', async () => {
    const text = (await render('María', 30)).toString('latin1');
    expect(text.match(/\/Type \/Page\b(?!s)/g)!.length).toBeGreaterThan(1);
  });

  test('stays small', async () => {
    expect((await render()).length).toBeLessThan(60_000);
  });
});

describe('a name', () => {
  const fontsOf = (text: string) =>
    fonts.piecesOf(text, 'regular').map(({ font, text: piece }) => [font, piece]);

  test('is set in the face that has its letters', () => {
    expect(fontsOf('Łukasz')).toEqual([
      ['regular latin-ext', 'Ł'],
      ['regular latin', 'ukasz'],
    ]);
    expect(fontsOf('Дмитрий')).toEqual([['regular cyrillic', 'Дмитрий']]);
  });

  test('whose accents stand by themselves is put together', () => {
    expect(fontsOf('Pen\u0303a')).toEqual([['regular latin', 'Peña']]);
  });

  test('that no face can write leaves marks, and nothing breaks', async () => {
    expect(fontsOf('林 Lin')).toEqual([['regular latin', '? Lin']]);
    expect((await render('林😀')).subarray(0, 5).toString()).toBe('%PDF-');
  });
});

test('ranges are read as CSS writes them', () => {
  const covers = coverage('U+0000-00FF,U+0131');
  expect([0x41, 0xff, 0x131].map(covers)).toEqual([true, true, true]);
  expect([0x100, 0x130, 0x1f600].map(covers)).toEqual([false, false, false]);
});

test('what is no font is not unpacked', () => {
  expect(() => unpackWoff(Buffer.from('wOF2 and more that matters not'))).toThrow('no WOFF font');
});
