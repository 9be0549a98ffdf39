import { shortId } from '@arboleda/contracts/order.ts';
import { PHOTO_PACKAGES } from '@arboleda/contracts/packages.ts';
import type { Texts } from '../content.ts';
import { addressed, updateDates } from '../words.ts';
import { noteOf, photos, trees, words, yourTrees } from './words.ts';

export const PACKAGES = {
  first_year: 'Primer año',
  three_year: 'Historia de tres años',
  lifetime: 'Toda la vida',
};

/** Al donante: cómo crecen sus árboles. */
export const growth: Texts<'photo-package' | 'growth-update'> = {
  'photo-package'(facts, name) {
    const { photoPackageType, startsAt } = facts;
    const updates: readonly number[] = PHOTO_PACKAGES[photoPackageType].months;
    return {
      subject: `${PACKAGES[photoPackageType]}: ${updates.length} visitas · pedido ${shortId(facts.orderId)}`,
      preview: `Recibimos ${words.money(facts)}. Estas son tus fechas.`,
      title: `${addressed('Gracias', name)}. Vas a ver crecer ${yourTrees(facts.trees)}.`,
      paragraphs: startsAt
        ? [
            `Un sembrador visita ${yourTrees(facts.trees)} ${updates.length} veces, en los meses de abajo, y toma fotos. Te escribimos después de cada visita.`,
          ]
        : [
            `Cuando ${yourTrees(facts.trees)} ${facts.trees === 1 ? 'esté sembrado' : 'estén sembrados'}, un sembrador hace ${updates.length} visitas y toma fotos: ${when(updates)}. Te escribimos después de cada visita.`,
          ],
      rows: [
        ['Paquete', PACKAGES[photoPackageType]],
        ...(startsAt ? words.monthsByYear(updateDates(photoPackageType, startsAt)) : []),
        ['Pagado', words.money(facts)],
        ['Fecha', words.day(facts.purchasedAt)],
        ['Pedido', shortId(facts.orderId)],
        ['Transacción', facts.transactionId],
      ],
      action: facts.giftToken === undefined ? 'Ver tu pedido' : `Ver ${yourTrees(facts.trees)}`,
      note: noteOf(facts),
    };
  },

  'growth-update': (facts) => ({
    subject: `Así ${facts.trees === 1 ? 'crece' : 'crecen'} ${yourTrees(facts.trees)}: visita ${facts.number} de ${facts.of}`,
    preview: `${photos(facts.photos)} de ${facts.planter.name}.`,
    title: `Visita ${facts.number} de ${facts.of}: así ${
      facts.trees === 1 ? 'crece tu árbol' : 'crecen tus árboles'
    }.`,
    paragraphs: [
      `${facts.planter.name} fue a ver ${yourTrees(facts.trees)} y tomó ${photos(facts.photos)}.${
        facts.number === facts.of
          ? ` Fue la última visita ${facts.giftToken === undefined ? 'de tu' : 'del'} paquete.`
          : ''
      }`,
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', trees(facts.trees)],
      ['Visita de', facts.planter.name],
      ['Fecha', words.day(facts.visitedAt)],
    ],
    action: facts.photos === 1 ? 'Ver la foto' : 'Ver las fotos',
    note: noteOf(facts),
  }),
};

/** "3, 6 y 12 meses después de la siembra", "enseguida, y 6, 12 … meses después de la siembra" */
function when(months: readonly number[]): string {
  const later = `${words.list(months.filter((month) => month > 0))} meses después de la siembra`;
  return months.includes(0) ? `enseguida, y ${later}` : later;
}
