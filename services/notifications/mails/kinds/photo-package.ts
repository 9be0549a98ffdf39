import { shortId } from '@arboleda/contracts/order.ts';
import { PHOTO_PACKAGES, type PhotoPackageType } from '@arboleda/contracts/packages.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { Money, OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order } from '../samples.ts';
import { addressed, updateDates } from '../words.ts';

/** `startsAt`: start of the schedule; absent before the planting. */
type Facts = OrderFacts &
  Money & {
    photoPackageType: PhotoPackageType;
    transactionId: string;
    purchasedAt: string;
    startsAt?: string | undefined;
  };

export const photoPackage: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: {
    ...order,
    amountMinor: 10_075_000,
    currency: 'COP',
    photoPackageType: 'three_year',
    transactionId: 'pi_3QK7e2LkdIwHu7ix0hYt4K9z',
    purchasedAt: '2026-12-03T20:00:00Z',
    startsAt: '2026-12-03T20:00:00Z',
  },

  en(facts, name) {
    const { photoPackageType, startsAt } = facts;
    const updates: readonly number[] = PHOTO_PACKAGES[photoPackageType].months;
    return {
      subject: `${en.PACKAGES[photoPackageType]}: ${updates.length} growth updates · order ${shortId(facts.orderId)}`,
      preview: `${en.words.money(facts)} received. These are your dates.`,
      title: `${addressed('Thank you', name)}. You will see ${en.yourTrees(facts.trees)} grow.`,
      paragraphs: startsAt
        ? [
            `A planter visits ${en.yourTrees(facts.trees)} ${updates.length} times, in the months below, and takes photos. We’ll write to you after each visit.`,
          ]
        : [
            `Once ${en.yourTrees(facts.trees)} ${facts.trees === 1 ? 'is' : 'are'} in the ground, a planter visits ${updates.length} times and takes photos: ${en.when(updates)}. We’ll write to you after each visit.`,
          ],
      rows: [
        ['Package', en.PACKAGES[photoPackageType]],
        ...(startsAt ? en.words.monthsByYear(updateDates(photoPackageType, startsAt)) : []),
        ['Paid', en.words.money(facts)],
        ['Date', en.words.day(facts.purchasedAt)],
        ['Order', shortId(facts.orderId)],
        ['Transaction', facts.transactionId],
      ],
      action: facts.giftToken === undefined ? 'See your order' : `See ${en.yourTrees(facts.trees)}`,
      note: en.noteOf(facts),
    };
  },

  es(facts, name) {
    const { photoPackageType, startsAt } = facts;
    const updates: readonly number[] = PHOTO_PACKAGES[photoPackageType].months;
    return {
      subject: `${es.PACKAGES[photoPackageType]}: ${updates.length} visitas · pedido ${shortId(facts.orderId)}`,
      preview: `Recibimos ${es.words.money(facts)}. Estas son tus fechas.`,
      title: `${addressed('Gracias', name)}. Vas a ver crecer ${es.yourTrees(facts.trees)}.`,
      paragraphs: startsAt
        ? [
            `Un sembrador visita ${es.yourTrees(facts.trees)} ${updates.length} veces, en los meses de abajo, y toma fotos. Te escribimos después de cada visita.`,
          ]
        : [
            `Cuando ${es.yourTrees(facts.trees)} ${facts.trees === 1 ? 'esté sembrado' : 'estén sembrados'}, un sembrador hace ${updates.length} visitas y toma fotos: ${es.when(updates)}. Te escribimos después de cada visita.`,
          ],
      rows: [
        ['Paquete', es.PACKAGES[photoPackageType]],
        ...(startsAt ? es.words.monthsByYear(updateDates(photoPackageType, startsAt)) : []),
        ['Pagado', es.words.money(facts)],
        ['Fecha', es.words.day(facts.purchasedAt)],
        ['Pedido', shortId(facts.orderId)],
        ['Transacción', facts.transactionId],
      ],
      action: facts.giftToken === undefined ? 'Ver tu pedido' : `Ver ${es.yourTrees(facts.trees)}`,
      note: es.noteOf(facts),
    };
  },
};
