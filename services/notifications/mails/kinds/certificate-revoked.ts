import { type CertificateRevocation, shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order } from '../samples.ts';

/** `reason` is an admin's text. */
type Facts = OrderFacts & {
  code: string;
  cause: CertificateRevocation;
  reason?: string | undefined;
  revokedAt: string;
};

export const certificateRevoked: Mail<Facts, 'donor'> = {
  audience: 'donor',
  nextStep: ({ code }, to) => to.certificate(code),
  sample: {
    ...order,
    code: 'K7QF-M2XD-9WBN',
    cause: 'admin',
    reason: 'El nombre no era de quien compró los árboles.',
    revokedAt: '2027-01-15T15:00:00Z',
  },

  en({ orderId, code, cause, reason, revokedAt }) {
    return {
      subject: 'Your certificate was revoked',
      preview: `Code ${code}, order ${shortId(orderId)}.`,
      title: 'Your certificate was revoked.',
      paragraphs: [
        {
          admin: 'One of us revoked it, for good. Anyone who checks the code reads the reason:',
          withdrawn: 'The payment was returned before planting. Anyone who checks the code reads so.',
          not_planted:
            'The trees are not planted yet after all. Once they are, your certificate is issued again and we email you.',
        }[cause],
      ],
      quote: reason,
      rows: [
        ['Code', code],
        ['Order', shortId(orderId)],
        ['Revoked', en.words.day(revokedAt)],
      ],
      action: 'See the certificate',
      note: en.NOTES.donor,
    };
  },

  es({ orderId, code, cause, reason, revokedAt }) {
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
        ['Revocado', es.words.day(revokedAt)],
      ],
      action: 'Ver el certificado',
      note: es.NOTES.donor,
    };
  },
};
