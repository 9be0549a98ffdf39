import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { ChosenPlanter, Money, OfGift, OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order, paid } from '../samples.ts';
import { addressed, cardName } from '../words.ts';

type Facts = OrderFacts &
  Money &
  ChosenPlanter &
  OfGift & {
    card?: { brand: string; last4: string } | undefined;
    receiptNumber: string;
    paidAt: string;
    transactionId: string;
  };

export const receipt: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: {
    ...order,
    ...paid,
    card: { brand: 'visa', last4: '4242' },
    receiptNumber: '2026-000123',
    paidAt: '2026-11-21T20:00:00Z',
    transactionId: 'pi_3QK7e2LkdIwHu7ix0hYt4K2s',
  },

  en(facts, name) {
    const paid = en.words.money(facts);
    const one = facts.trees === 1;
    return {
      subject: `Receipt for ${en.trees(facts.trees)} · order ${shortId(facts.orderId)}`,
      preview: facts.planter
        ? `${paid} received. ${facts.planter.name} will plant ${en.yourTrees(facts.trees)}.`
        : `${paid} received. Next we find who plants your ${one ? 'tree' : 'trees'}.`,
      title: `${addressed('Thank you', name)}. We have your payment for ${en.yourTrees(facts.trees)}.`,
      paragraphs: [
        facts.planter
          ? en.willPlant(facts.planter, facts.trees)
          : `Next, we choose a field worker and email you their name, and again when your ${
              one ? 'tree is' : 'trees are'
            } in the ground.`,
        ...en.givenTo(facts.gift),
      ],
      rows: [
        ['Receipt number', facts.receiptNumber],
        ['Order', shortId(facts.orderId)],
        ['Trees', en.trees(facts.trees)],
        ['Paid', paid],
        ['Card', facts.card && cardName(facts.card)],
        ['Date', en.words.day(facts.paidAt)],
        ['Planter', facts.planter?.name],
        ['Region', facts.planter?.region],
        ['Transaction', facts.transactionId],
      ],
      action: 'Follow your order',
      note: en.NOTES.donor,
    };
  },

  es(facts, name) {
    const paid = es.words.money(facts);
    const one = facts.trees === 1;
    return {
      subject: `Recibo de ${es.trees(facts.trees)} · pedido ${shortId(facts.orderId)}`,
      preview: facts.planter
        ? `Recibimos ${paid}. ${facts.planter.name} va a sembrar ${es.yourTrees(facts.trees)}.`
        : `Recibimos ${paid}. Ahora buscamos quién ${one ? 'lo siembra' : 'los siembra'}.`,
      title: `${addressed('Gracias', name)}. ${one ? 'Recibimos el pago de tu árbol' : `Recibimos el pago de tus ${es.trees(facts.trees)}`}.`,
      paragraphs: [
        facts.planter
          ? es.willPlant(facts.planter, facts.trees)
          : `Ahora elegimos a la persona que va a sembrar. Te escribimos con su nombre, y otra vez cuando ${
              one ? 'tu árbol esté sembrado' : 'tus árboles estén sembrados'
            }.`,
        ...es.givenTo(facts.gift),
      ],
      rows: [
        ['Número de recibo', facts.receiptNumber],
        ['Pedido', shortId(facts.orderId)],
        ['Árboles', es.trees(facts.trees)],
        ['Pagado', paid],
        ['Tarjeta', facts.card && cardName(facts.card)],
        ['Fecha', es.words.day(facts.paidAt)],
        ['Sembrador', facts.planter?.name],
        ['Región', facts.planter?.region],
        ['Transacción', facts.transactionId],
      ],
      action: 'Seguir tu pedido',
      note: es.NOTES.donor,
    };
  },
};
