import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { ChosenPlanter, Money, OfGift, OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order, paid } from '../samples.ts';
import { addressed } from '../words.ts';

type Facts = OrderFacts &
  Money &
  ChosenPlanter &
  OfGift & { transactionId: string; receiptNumber: string; approvedAt: string };

export const transferApproved: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: {
    ...order,
    ...paid,
    receiptNumber: '2026-000124',
    transactionId: 'ARB-9F3C1A',
    approvedAt: '2026-11-22T15:00:00Z',
  },

  en(facts, name) {
    return {
      subject: `Transfer approved: ${en.trees(facts.trees)} · order ${shortId(facts.orderId)}`,
      preview: `${en.words.money(facts)} arrived. This is your receipt.`,
      title: `${addressed('Thank you', name)}. Your transfer has arrived.`,
      paragraphs: [
        `We have your payment for ${en.yourTrees(facts.trees)}.${facts.planter ? '' : ' Next, we choose a field worker and email you their name.'}`,
        ...(facts.planter ? [en.willPlant(facts.planter, facts.trees)] : []),
        ...en.givenTo(facts.gift),
      ],
      rows: [
        ['Receipt number', facts.receiptNumber],
        ['Order', shortId(facts.orderId)],
        ['Trees', en.trees(facts.trees)],
        ['Paid', en.words.money(facts)],
        ['Method', 'Bank transfer'],
        ['Approved', en.words.day(facts.approvedAt)],
        ['Planter', facts.planter?.name],
        ['Region', facts.planter?.region],
        ['Transaction', facts.transactionId],
      ],
      action: 'Follow your order',
      note: en.NOTES.donor,
    };
  },

  es(facts, name) {
    return {
      subject: `Transferencia aprobada: ${es.trees(facts.trees)} · pedido ${shortId(facts.orderId)}`,
      preview: `Llegaron ${es.words.money(facts)}. Este es tu recibo.`,
      title: `${addressed('Gracias', name)}. Tu transferencia llegó.`,
      paragraphs: [
        `Recibimos el pago de ${es.yourTrees(facts.trees)}.${facts.planter ? '' : ' Ahora elegimos a la persona que va a sembrar; te escribimos con su nombre.'}`,
        ...(facts.planter ? [es.willPlant(facts.planter, facts.trees)] : []),
        ...es.givenTo(facts.gift),
      ],
      rows: [
        ['Número de recibo', facts.receiptNumber],
        ['Pedido', shortId(facts.orderId)],
        ['Árboles', es.trees(facts.trees)],
        ['Pagado', es.words.money(facts)],
        ['Medio', 'Transferencia bancaria'],
        ['Aprobada', es.words.day(facts.approvedAt)],
        ['Sembrador', facts.planter?.name],
        ['Región', facts.planter?.region],
        ['Transacción', facts.transactionId],
      ],
      action: 'Seguir tu pedido',
      note: es.NOTES.donor,
    };
  },
};
