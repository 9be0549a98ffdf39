import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order } from '../samples.ts';

type Facts = OrderFacts & { code: string; version: number };

export const certificate: Mail<Facts, 'donor'> = {
  audience: 'donor',
  nextStep: ({ code }, to) => to.certificate(code),
  sample: { ...order, code: 'K7QF-M2XD-9WBN', version: 1 },

  en({ orderId, trees: count, code, version }) {
    return {
      subject: version === 1 ? 'Your certificate of planting' : 'The new version of your certificate',
      preview: `Code ${code}. Anyone can check it.`,
      title: version === 1 ? 'Your certificate is ready.' : 'A new version of your certificate is ready.',
      paragraphs: [
        `It certifies ${en.yourTrees(count)}. Download it as a PDF to print or frame, or share its page. Anyone can check it by its code.`,
        ...(version === 1 ? [] : ['Earlier versions say that there is a newer one.']),
      ],
      rows: [
        ['Code', code],
        ['Order', shortId(orderId)],
        ['Trees', en.trees(count)],
      ],
      action: 'See the certificate',
      note: en.NOTES.donor,
    };
  },

  es({ orderId, trees: count, code, version }) {
    return {
      subject: version === 1 ? 'Tu certificado de siembra' : 'La nueva versión de tu certificado',
      preview: `Código ${code}. Cualquier persona puede verificarlo.`,
      title: version === 1 ? 'Tu certificado está listo.' : 'La nueva versión de tu certificado está lista.',
      paragraphs: [
        `Certifica ${es.yourTrees(count)}. Descárgalo en PDF para imprimirlo o enmarcarlo, o comparte su página. Cualquier persona puede verificarlo con su código.`,
        ...(version === 1 ? [] : ['Las versiones anteriores dicen que hay una más reciente.']),
      ],
      rows: [
        ['Código', code],
        ['Pedido', shortId(orderId)],
        ['Árboles', es.trees(count)],
      ],
      action: 'Ver el certificado',
      note: es.NOTES.donor,
    };
  },
};
