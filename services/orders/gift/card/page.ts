import type { Language } from '@arboleda/contracts/roles.ts';
import { LOCALES } from '@arboleda/contracts/regional-formats.ts';
import type { FontLibrary } from '../../documents/fonts.ts';
import { drawQr, openPdf } from '../../documents/pdf.ts';
import { openTypesetter, type Style, type Typesetter } from '../../documents/typesetter.ts';
import type { OrderGift } from '../order-gift.ts';
import { giftPath } from '../views.ts';
import { drawScene } from './drawings.ts';

/** Points; A5, landscape. */
const PAGE = { width: 595.28, height: 419.53 };
const COLOUR = { ink: '#16261D', quiet: '#505C53', paper: '#FBF9F2', forest: '#123D2B' };
const DRAWING = { x: 0, y: 0, width: PAGE.height / 2, height: PAGE.height };
const LEFT = DRAWING.width + 32;
const TEXT = { x: LEFT, width: PAGE.width - LEFT - 32 };
const TOP = 40;
const FOOT = { y: 306, qr: 78 };
/** Height that the message may take. */
const MESSAGE_HEIGHT = 176;
const quiet: Style = { weight: 'regular', size: 10, colour: COLOUR.quiet };

interface CardWords {
  title(name: string): string;
  from(name: string): string;
  trees(count: number): string;
  see: string;
  qr: string;
}

const counted = (language: Language, count: number) => new Intl.NumberFormat(LOCALES[language]).format(count);

const WORDS: Record<Language, CardWords> = {
  en: {
    title: (name) => `A gift for ${name}`,
    from: (name) => `From ${name}`,
    trees: (count) =>
      count === 1 ? 'One native tree in Colombia' : `${counted('en', count)} native trees in Colombia`,
    see: 'See where they grow, from planting to photos:',
    qr: 'QR code of the page of this gift',
  },
  es: {
    title: (name) => `Un regalo para ${name}`,
    from: (name) => `De ${name}`,
    trees: (count) =>
      count === 1 ? 'Un árbol nativo en Colombia' : `${counted('es', count)} árboles nativos en Colombia`,
    see: 'Mira dónde crecen, desde la siembra hasta las fotos:',
    qr: 'Código QR de la página de este regalo',
  },
};

export interface CardPage {
  gift: Pick<OrderGift, 'recipientName' | 'message' | 'card' | 'language' | 'token' | 'deliverAt'>;
  /** The buyer's name; absent when it was erased. */
  from?: string | undefined;
  trees: number;
  siteUrl: string;
  /** Legal name. */
  issuer: string;
}

/** Renders the card to hand over as tagged PDF: one page, whose content is read in its order. */
export async function renderCard(page: CardPage, library: FontLibrary): Promise<Buffer> {
  const { gift, from, trees } = page;
  const words = WORDS[gift.language];
  const fonts = await library.fontsFor(JSON.stringify([gift.recipientName, gift.message, from]));
  const title = words.title(gift.recipientName);
  const { document, bytes } = openPdf(
    {
      title,
      author: page.issuer,
      at: new Date(gift.deliverAt),
      language: gift.language,
      size: 'A5',
      layout: 'landscape',
      tagged: true,
    },
    fonts,
  );
  const type = openTypesetter(document, fonts);
  const root = document.struct('Document');
  document.addStructure(root);
  const add = (kind: string, draw: () => void, options: { alt?: string } = {}) =>
    root.add(document.struct(kind, options, draw));
  let y = TOP;
  const write = (kind: string, text: string, style: Style, at: { x: number; width: number } = TEXT) => {
    const top = y;
    add(kind, () => void type.write(text, { ...at, y: top }, style));
    y += type.heightOf(text, at.width, style);
  };

  document.markContent('Artifact', { type: 'Layout' });
  document.rect(0, 0, PAGE.width, PAGE.height).fill(COLOUR.paper);
  drawScene(document, gift.card, DRAWING);
  document.endMarkedContent();

  write('H1', title, fitting([title], type, 62, [22, 19, 16, 14, 12], 'strong'));
  y += 10;
  const written = gift.message.split(/\s*\n\s*/).filter(Boolean);
  const sizes = [12.5, 11, 10, 9, 8, 7, 6];
  // Too many lines become one paragraph, which always fits.
  const paragraphs = fits(written, type, MESSAGE_HEIGHT, sizes) ? written : [written.join(' ')];
  const style = fitting(paragraphs, type, MESSAGE_HEIGHT, sizes, 'regular');
  for (const paragraph of paragraphs) write('P', paragraph, style);
  if (from !== undefined) {
    y += 8;
    write('P', words.from(from), { weight: 'strong', size: 11.5, colour: COLOUR.ink });
  }

  const url = new URL(giftPath(gift.token), page.siteUrl).href;
  add('Figure', () => drawQr(document, url, { x: LEFT, y: FOOT.y, size: FOOT.qr }, COLOUR.ink), {
    alt: words.qr,
  });
  y = FOOT.y + 4;
  const beside = { x: LEFT + FOOT.qr + 14, width: TEXT.width - FOOT.qr - 14 };
  write('P', words.trees(trees), { weight: 'strong', size: 11.5, colour: COLOUR.forest }, beside);
  y += 2;
  write('P', words.see, quiet, beside);
  write('P', url.replace(/^https?:\/\//, ''), { ...quiet, weight: 'strong', size: 9 }, beside);

  root.end();
  document.end();
  return bytes;
}

const heightOf = (paragraphs: readonly string[], type: Typesetter, style: Style): number =>
  paragraphs.reduce((sum, text) => sum + type.heightOf(text, TEXT.width, style), 0);

/** The largest size at which all paragraphs fit, or the smallest. */
function fitting(
  paragraphs: readonly string[],
  type: Typesetter,
  height: number,
  sizes: readonly number[],
  weight: Style['weight'],
): Style {
  const styles = sizes.map((size): Style => ({ weight, size, colour: COLOUR.ink }));
  return styles.find((style) => heightOf(paragraphs, type, style) <= height) ?? styles.at(-1)!;
}

const fits = (
  paragraphs: readonly string[],
  type: Typesetter,
  height: number,
  sizes: readonly number[],
): boolean => heightOf(paragraphs, type, fitting(paragraphs, type, height, sizes, 'regular')) <= height;
