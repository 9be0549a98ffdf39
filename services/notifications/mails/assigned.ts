import { shortId } from '@arboleda/contracts/order.ts';
import type { AssignedFacts, Compose } from './content.ts';
import { donorNote } from './notes.ts';
import { firstName, trees } from './words.ts';

/** To the donor: somebody is going to plant. */
export const assigned: Compose<AssignedFacts> = (facts, { language, links }) => {
  const { planter } = facts;
  const order = shortId(facts.orderId);
  const counted = trees(facts.trees, language);
  const one = facts.trees === 1;
  const url = links.order(facts.orderToken);
  return {
    en: {
      subject: `${planter.name} will plant your ${one ? 'tree' : counted}`,
      preview: `${firstName(planter.name)} works in ${planter.region}. The planting is next.`,
      title: `${planter.name} will plant your ${one ? 'tree' : counted}.`,
      paragraphs: [
        `${firstName(planter.name)} works in ${planter.region} and has your order now. As soon as your ${
          one ? 'tree is' : 'trees are'
        } in the ground, we send you the place.`,
      ],
      rows: [
        ['Planter', planter.name],
        ['Region', planter.region],
        ['Order', order],
      ],
      action: { label: 'See your order', url },
      note: donorNote('en'),
    },
    es: {
      subject: `${planter.name} va a sembrar ${one ? 'tu árbol' : `tus ${counted}`}`,
      preview: `${firstName(planter.name)} trabaja en ${planter.region}. Lo que sigue es la siembra.`,
      title: `${planter.name} va a sembrar ${one ? 'tu árbol' : `tus ${counted}`}.`,
      paragraphs: [
        `${firstName(planter.name)} trabaja en ${planter.region} y ya tiene tu pedido. Apenas ${
          one ? 'tu árbol esté' : 'tus árboles estén'
        } en tierra, te enviamos el lugar.`,
      ],
      rows: [
        ['Siembra', planter.name],
        ['Región', planter.region],
        ['Pedido', order],
      ],
      action: { label: 'Ver tu pedido', url },
      note: donorNote('es'),
    },
  };
};
