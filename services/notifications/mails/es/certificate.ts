import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { NOTES, trees, words, yourTrees } from './words.ts';

/** Al donante: el certificado que pidió, o su revocación. */
export const certificate: Texts<'certificate' | 'certificate-revoked'> = {
  certificate({ orderId, trees: count, code, version }) {
    return {
      subject: version === 1 ? 'Tu certificado de siembra' : 'La nueva versión de tu certificado',
      preview: `Código ${code}. Cualquier persona puede verificarlo.`,
      title: version === 1 ? 'Tu certificado está listo.' : 'La nueva versión de tu certificado está lista.',
      paragraphs: [
        `Certifica ${yourTrees(count)}. Descárgalo en PDF para imprimirlo o enmarcarlo, o comparte su página. Cualquier persona puede verificarlo con su código.`,
        ...(version === 1 ? [] : ['Las versiones anteriores dicen que hay una más reciente.']),
      ],
      rows: [
        ['Código', code],
        ['Pedido', shortId(orderId)],
        ['Árboles', trees(count)],
      ],
      action: 'Ver el certificado',
      note: NOTES.donor,
    };
  },

  'certificate-revoked'({ orderId, code, cause, reason, revokedAt }) {
    return {
      subject: 'Tu certificado fue revocado',
      preview: `Código ${code}, pedido ${shortId(orderId)}.`,
      title: 'Tu certificado fue revocado.',
      paragraphs: [
        {
          admin: 'Lo revocamos de forma definitiva. Quien verifique el código lee la razón:',
          withdrawn: 'El pago se devolvió antes de la siembra. Quien verifique el código lo lee así.',
          not_planted:
            'Resulta que los árboles todavía no están sembrados. Cuando lo estén, emitimos tu certificado de nuevo y te escribimos.',
        }[cause],
      ],
      quote: reason,
      rows: [
        ['Código', code],
        ['Pedido', shortId(orderId)],
        ['Revocado', words.day(revokedAt)],
      ],
      action: 'Ver el certificado',
      note: NOTES.donor,
    };
  },
};
