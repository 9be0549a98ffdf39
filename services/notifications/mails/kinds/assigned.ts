import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OrderFacts, Planter } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order, planter } from '../samples.ts';
import { firstName } from '../words.ts';

/** `previous`: the former worker; `isPlanted`: the trees are in the ground already. */
type Facts = OrderFacts & { planter: Planter; previous?: string | undefined; isPlanted?: boolean };

export const assigned: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: { ...order, planter },

  en(facts) {
    const { planter, previous } = facts;
    const does = facts.isPlanted ? 'now looks after' : 'will plant';
    const one = facts.trees === 1;
    return {
      subject: `${planter.name} ${does} ${en.yourTrees(facts.trees)}`,
      preview: `${firstName(planter.name) || planter.name} works in ${planter.region}.`,
      title: `${planter.name} ${does} ${en.yourTrees(facts.trees)}.`,
      paragraphs: [
        `${firstName(planter.name) || planter.name} works in ${planter.region} and ${
          previous === undefined ? 'has your order now' : `has taken over your order from ${previous}`
        }.${facts.isPlanted ? '' : ` As soon as your ${one ? 'tree is' : 'trees are'} in the ground, we’ll send you the place.`}`,
      ],
      rows: [
        ['Planter', planter.name],
        ['Region', planter.region],
        ['Order', shortId(facts.orderId)],
      ],
      action: 'See your order',
      note: en.NOTES.donor,
    };
  },

  es(facts) {
    const { planter, previous } = facts;
    const does = facts.isPlanted ? 'cuida ahora' : 'va a sembrar';
    const one = facts.trees === 1;
    return {
      subject: `${planter.name} ${does} ${es.yourTrees(facts.trees)}`,
      preview: `${firstName(planter.name) || planter.name} trabaja en ${planter.region}.`,
      title: `${planter.name} ${does} ${es.yourTrees(facts.trees)}.`,
      paragraphs: [
        `${firstName(planter.name) || planter.name} trabaja en ${planter.region} y ${
          previous === undefined ? 'ya tiene tu pedido' : `recibió tu pedido de ${previous}`
        }.${
          facts.isPlanted
            ? ''
            : ` Apenas ${one ? 'tu árbol esté sembrado' : 'tus árboles estén sembrados'}, te enviamos el lugar.`
        }`,
      ],
      rows: [
        ['Sembrador', planter.name],
        ['Región', planter.region],
        ['Pedido', shortId(facts.orderId)],
      ],
      action: 'Ver tu pedido',
      note: es.NOTES.donor,
    };
  },
};
