import { GIFT_CARDS } from '@arboleda/contracts/gift.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { inflateSync } from 'node:zlib';
import { type FontLibrary, openFonts } from '../../documents/fonts.ts';
import { type CardPage, renderCard } from './page.ts';

let library: FontLibrary;
beforeAll(async () => {
  library = await openFonts();
});

const render = ({
  gift,
  ...changes
}: Partial<Omit<CardPage, 'gift'>> & { gift?: Partial<CardPage['gift']> } = {}) =>
  renderCard(
    {
      gift: {
        recipientName: 'Olga Ruiz',
        message: 'Feliz cumpleaños.\n\nTe quiero.',
        card: 'valley',
        language: 'es',
        token: 'AbCdEfGhIjKlMnOpQrStUv',
        deliverAt: '2026-12-24T14:00:00.000Z',
        ...gift,
      },
      from: 'Alba Díaz',
      trees: 5,
      siteUrl: 'https://arboleda.test',
      issuer: 'Arboleda S.A.S. BIC',
      ...changes,
    },
    library,
  );

const streamsOf = (pdf: Buffer): string[] =>
  [...pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)].flatMap(([, bytes]) => {
    try {
      return [inflateSync(Buffer.from(bytes!, 'latin1')).toString('latin1')];
    } catch {
      return [];
    }
  });
const pages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g);

describe('the card of a gift', () => {
  test('is one tagged page in the recipient’s language, read in the order of its tags', async () => {
    const pdf = await render();
    const text = pdf.toString('latin1');
    expect(pages(pdf)).toHaveLength(1);
    expect(text).toContain('/Lang (es)');
    expect(text).toContain('/Marked true');
    expect(text.match(/\/S \/H1/g)).toHaveLength(1);
    expect(text.match(/\/S \/Figure/g)).toHaveLength(1);
    expect(text).toContain('/Alt');
    const page = streamsOf(pdf).find((stream) => stream.includes('BDC'))!;
    const read = [...page.matchAll(/\/(?:H1|P|Figure) <<\s*\/MCID (\d+)/g)].map(([, id]) => Number(id));
    expect(read).toEqual(read.map((_id, at) => at));
    expect(page.replace(/BDC[\s\S]*?EMC/g, '')).not.toMatch(/\bTj\b|\bTJ\b|\bre\b|\bDo\b/);
  });

  test.each(GIFT_CARDS)('has the drawing %s', async (card) => {
    expect(pages(await render({ gift: { card } }))).toHaveLength(1);
  });

  test.each<[string, Parameters<typeof render>[0]]>([
    ['no message and no name of the buyer', { gift: { message: '' }, from: undefined }],
    ['500 characters', { gift: { message: 'Para ti. '.repeat(55) } }],
    ['500 lines', { gift: { message: 'a\n'.repeat(250) } }],
    [
      'a long name',
      { gift: { recipientName: 'Wolfeschlegelsteinhausenbergerdorff '.repeat(3) }, from: 'x'.repeat(120) },
    ],
    ['other scripts', { gift: { recipientName: '张伟林', message: 'محمد 🌳', language: 'en' }, trees: 1 }],
  ])('holds %s on one page', async (_what, changes) => {
    expect(pages(await render(changes))).toHaveLength(1);
  });

  test('is the same each time', async () => {
    expect((await render()).equals(await render())).toBe(true);
  });
});
