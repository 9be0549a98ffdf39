import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { NOTES, trees, words, yourTrees } from './words.ts';

/** To the donor: a certificate that was asked for, or revoked. */
export const certificate: Texts<'certificate' | 'certificate-revoked'> = {
  certificate({ orderId, trees: count, code, version }) {
    return {
      subject: version === 1 ? 'Your certificate of planting' : 'The new version of your certificate',
      preview: `Code ${code}. Anyone can check it.`,
      title: version === 1 ? 'Your certificate is ready.' : 'A new version of your certificate is ready.',
      paragraphs: [
        `It certifies ${yourTrees(count)}. Download it as a PDF to print or frame, or share its page. Anyone can check it by its code.`,
        ...(version === 1 ? [] : ['Earlier versions say that there is a newer one.']),
      ],
      rows: [
        ['Code', code],
        ['Order', shortId(orderId)],
        ['Trees', trees(count)],
      ],
      action: 'See the certificate',
      note: NOTES.donor,
    };
  },

  'certificate-revoked'({ orderId, code, cause, reason, revokedAt }) {
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
        ['Revoked', words.day(revokedAt)],
      ],
      action: 'See the certificate',
      note: NOTES.donor,
    };
  },
};
