import { shortId } from '@arboleda/contracts/order.ts';
import type { CompletedFacts, Compose } from './content.ts';
import { donorNote } from './notes.ts';
import { day, trees } from './words.ts';

/** To the donor: the work is done. */
export const completed: Compose<CompletedFacts> = (facts, { language, links }) => {
  const order = shortId(facts.orderId);
  const counted = trees(facts.trees, language);
  const one = facts.trees === 1;
  const url = links.order(facts.orderToken);
  return {
    en: {
      subject: `Order ${order} is complete`,
      preview: `Place, dates and photos of your ${one ? 'tree' : counted} stay at your private link.`,
      title: 'Your order is complete.',
      paragraphs: [
        `The work on your ${one ? 'tree' : counted} is done. Place, dates and photos stay at your private link; keep this mail to come back to ${
          one ? 'it' : 'them'
        }.`,
      ],
      rows: [
        ['Order', order],
        ['Trees', counted],
        ['Completed', day(facts.completedAt, language)],
      ],
      action: { label: one ? 'See your tree' : 'See your trees', url },
      note: donorNote('en'),
    },
    es: {
      subject: `El pedido ${order} está completo`,
      preview: `El lugar, las fechas y las fotos de ${one ? 'tu árbol' : `tus ${counted}`} siguen en tu enlace privado.`,
      title: 'Tu pedido está completo.',
      paragraphs: [
        `Terminó el trabajo con ${one ? 'tu árbol' : `tus ${counted}`}. El lugar, las fechas y las fotos siguen en tu enlace privado; guarda este correo para volver a ${one ? 'verlo' : 'verlos'}.`,
      ],
      rows: [
        ['Pedido', order],
        ['Árboles', counted],
        ['Completado', day(facts.completedAt, language)],
      ],
      action: { label: one ? 'Ver tu árbol' : 'Ver tus árboles', url },
      note: donorNote('es'),
    },
  };
};
