import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { addressed, cardName } from '../words.ts';
import type { MailFacts, Planter } from '../facts.ts';
import { givenTo } from './gift.ts';
import { PACKAGES } from './growth.ts';
import { NOTES, noteOf, trees, words, yourTrees } from './words.ts';

/** En un recibo que nombra a quien siembra. */
const willPlant = ({ name, region }: Planter, count: number): string =>
  `${name} trabaja en ${region} y va a sembrar ${yourTrees(count)}. Apenas ${count === 1 ? 'esté sembrado' : 'estén sembrados'}, te enviamos el lugar.`;

/** Al donante: qué pasó con su dinero. */
export const payment: Texts<
  | 'receipt'
  | 'transfer-received'
  | 'transfer-approved'
  | 'transfer-rejected'
  | 'refunded'
  | 'refund-failed'
  | 'dispute-lost'
> = {
  receipt(facts, name) {
    const paid = words.money(facts);
    const one = facts.trees === 1;
    return {
      subject: `Recibo de ${trees(facts.trees)} · pedido ${shortId(facts.orderId)}`,
      preview: facts.planter
        ? `Recibimos ${paid}. ${facts.planter.name} va a sembrar ${yourTrees(facts.trees)}.`
        : `Recibimos ${paid}. Ahora buscamos quién ${one ? 'lo siembra' : 'los siembra'}.`,
      title: `${addressed('Gracias', name)}. ${one ? 'Recibimos el pago de tu árbol' : `Recibimos el pago de tus ${trees(facts.trees)}`}.`,
      paragraphs: [
        facts.planter
          ? willPlant(facts.planter, facts.trees)
          : `Ahora elegimos a la persona que va a sembrar. Te escribimos con su nombre, y otra vez cuando ${
              one ? 'tu árbol esté sembrado' : 'tus árboles estén sembrados'
            }.`,
        ...givenTo(facts.gift),
      ],
      rows: [
        ['Número de recibo', facts.receiptNumber],
        ['Pedido', shortId(facts.orderId)],
        ['Árboles', trees(facts.trees)],
        ['Pagado', paid],
        ['Tarjeta', facts.card && cardName(facts.card)],
        ['Fecha', words.day(facts.paidAt)],
        ['Sembrador', facts.planter?.name],
        ['Región', facts.planter?.region],
        ['Transacción', facts.transactionId],
      ],
      action: 'Seguir tu pedido',
      note: NOTES.donor,
    };
  },

  'transfer-received': (facts, name) => ({
    subject: `Recibimos tu transferencia · pedido ${shortId(facts.orderId)}`,
    preview: 'Verificamos tu pedido en 24 a 48 horas.',
    title: `${addressed('Gracias', name)}. Estamos verificando tu transferencia.`,
    paragraphs: [
      'Verificamos tu pedido en 24 a 48 horas: uno de nosotros busca tu pago en la cuenta. No tienes que hacer nada más. Te escribimos apenas lo encontremos.',
      ...givenTo(facts.gift),
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', trees(facts.trees)],
      ['Valor', words.money(facts)],
      ['Referencia', facts.referenceNumber],
      ['Enviada', words.day(facts.submittedAt)],
    ],
    action: 'Seguir tu pedido',
    note: NOTES.donor,
  }),

  'transfer-approved'(facts, name) {
    return {
      subject: `Transferencia aprobada: ${trees(facts.trees)} · pedido ${shortId(facts.orderId)}`,
      preview: `Llegaron ${words.money(facts)}. Este es tu recibo.`,
      title: `${addressed('Gracias', name)}. Tu transferencia llegó.`,
      paragraphs: [
        `Recibimos el pago de ${yourTrees(facts.trees)}.${facts.planter ? '' : ' Ahora elegimos a la persona que va a sembrar; te escribimos con su nombre.'}`,
        ...(facts.planter ? [willPlant(facts.planter, facts.trees)] : []),
        ...givenTo(facts.gift),
      ],
      rows: [
        ['Número de recibo', facts.receiptNumber],
        ['Pedido', shortId(facts.orderId)],
        ['Árboles', trees(facts.trees)],
        ['Pagado', words.money(facts)],
        ['Medio', 'Transferencia bancaria'],
        ['Aprobada', words.day(facts.approvedAt)],
        ['Sembrador', facts.planter?.name],
        ['Región', facts.planter?.region],
        ['Transacción', facts.transactionId],
      ],
      action: 'Seguir tu pedido',
      note: NOTES.donor,
    };
  },

  'transfer-rejected': (facts) => ({
    subject: `No pudimos verificar tu transferencia · pedido ${shortId(facts.orderId)}`,
    preview: 'Te contamos por qué, y cómo intentarlo de nuevo.',
    title: 'No pudimos verificar tu transferencia.',
    paragraphs: [
      'Esto escribió la persona que la buscó:',
      'Para intentarlo de nuevo, haz el pedido otra vez y agrega una imagen clara del comprobante de tu banco, con el valor, la fecha y la referencia. Si el dinero ya salió de tu cuenta, usa el comprobante que tienes: no hay que pagar dos veces.',
    ],
    quote: facts.reason,
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', trees(facts.trees)],
    ],
    action: 'Intentarlo de nuevo',
    note: NOTES.donor,
  }),

  refunded: (facts) => ({
    subject: `Devolución de ${words.money(facts)} · pedido ${shortId(facts.orderId)}`,
    preview: 'El dinero va de regreso a ti.',
    title: `Te devolvimos ${words.money(facts)}.`,
    paragraphs: [
      facts.byHand
        ? 'Te lo enviamos directamente, por ejemplo por transferencia bancaria.'
        : 'Vuelve al mismo medio con el que pagaste. La mayoría de los bancos lo muestra en 5 a 10 días hábiles.',
      ...whatFollows(facts),
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Paquete', facts.photoPackage && PACKAGES[facts.photoPackage.photoPackageType]],
      ['Devolución', words.money(facts)],
      [
        'Devuelto en total',
        facts.refundedMinor === facts.amountMinor
          ? undefined
          : words.money({ amountMinor: facts.refundedMinor, currency: facts.currency }),
      ],
      ['Fecha', words.day(facts.refundedAt)],
    ],
    action: 'Ver tu pedido',
    note: noteOf(facts),
  }),

  'dispute-lost': (facts) => ({
    subject: `Tu banco retiró ${words.money(facts)} · pedido ${shortId(facts.orderId)}`,
    preview: 'Qué significa para tu pedido.',
    title: `Tu banco retiró ${words.money(facts)}.`,
    paragraphs: [
      'Tú, o alguien con tu tarjeta, reclamó este pago, y tu banco decidió devolverte el dinero.',
      ...whatFollows(facts),
      'Si es un error, escríbenos al correo que está abajo.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Paquete', facts.photoPackage && PACKAGES[facts.photoPackage.photoPackageType]],
      ['Valor', words.money(facts)],
      ['Fecha', words.day(facts.lostAt)],
    ],
    action: 'Ver tu pedido',
    note: noteOf(facts),
  }),

  'refund-failed': (facts) => ({
    subject: `Tu devolución de ${words.money(facts)} no llegó · pedido ${shortId(facts.orderId)}`,
    preview: 'Tu banco nos regresó el dinero. Buscamos otra forma de enviártelo.',
    title: `Tu banco nos regresó ${words.money(facts)}.`,
    paragraphs: [
      'Te habíamos enviado esta devolución, pero tu banco no la aceptó. Pasa cuando una tarjeta está vencida o una cuenta está cerrada.',
      'Tenemos tu dinero, y nuestro equipo busca otra forma de devolvértelo. Para que sea más rápido, escríbenos al correo que está abajo y dinos a dónde enviarlo.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Paquete', facts.photoPackage && PACKAGES[facts.photoPackage.photoPackageType]],
      ['Devolución', words.money(facts)],
      ['Fecha', words.day(facts.failedAt)],
    ],
    action: 'Ver tu pedido',
    note: noteOf(facts),
  }),
};

type WentBack = Pick<
  MailFacts['refunded'],
  'isFull' | 'isPlanted' | 'trees' | 'photoPackage' | 'isWithdrawal'
>;

function whatFollows({ isFull, isPlanted, trees: count, photoPackage, isWithdrawal }: WentBack): string[] {
  if (photoPackage?.isSurplus) return ['No pudimos agregar el paquete a tu pedido.'];
  if (!isFull) return [];
  if (photoPackage) return ['Las visitas que faltaban quedan canceladas. Las fotos que ya tienes se quedan.'];
  if (isWithdrawal && !isPlanted)
    return [
      `Te retractaste de esta compra, así que ${yourTrees(count)} no se ${count === 1 ? 'sembrará' : 'sembrarán'}.`,
    ];
  return isPlanted
    ? ['Lo sembrado se queda en tierra, y tu enlace privado sigue funcionando.']
    : [
        `Como todo el dinero volvió a ti, ${yourTrees(count)} no se ${count === 1 ? 'sembrará' : 'sembrarán'}.`,
      ];
}
