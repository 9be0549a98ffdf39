import { OBJECT_SERVICES } from '@arboleda/contracts/services.ts';

/**
 * Facts that services have to agree on, by kind: see services/<name>/operator/facts.sql. `waiting`: ids of orders about which
 * events wait.
 */
export interface Facts {
  of(fact: string): readonly string[];
  waiting: ReadonlySet<string>;
}

/** Values of `these` have to be among `those`. Where `mayWait`, not while an event about that order waits. */
interface Rule {
  these: string;
  those: string;
  mayWait?: true;
  says(n: number, example: string): string;
}

const RULES: Rule[] = [
  {
    these: 'paid',
    those: 'order',
    mayWait: true,
    says: (n, id) => `${n} payments have no order, for instance of order ${id}`,
  },
  { these: 'order', those: 'bought', says: (n, id) => `${n} orders have no payment, for instance ${id}` },
  {
    these: 'order of assignment',
    those: 'order',
    says: (n, id) => `${n} assignments have no order, for instance of ${id}`,
  },
  {
    these: 'paid',
    those: 'order of assignment',
    mayWait: true,
    says: (n, id) => `${n} paid orders are unknown to assignments, for instance ${id}`,
  },
  {
    these: 'order of receipt',
    those: 'order',
    says: (n, id) => `${n} receipts were sent of orders that are not there, for instance ${id}`,
  },
  {
    these: 'order of certificate',
    those: 'order',
    says: (n, id) => `${n} certificates have no order, for instance of ${id}`,
  },
  {
    these: 'order of photo',
    those: 'order',
    says: (n, id) => `${n} photos are of orders that are not there, for instance ${id}`,
  },
  {
    these: 'photo of order',
    those: 'photo',
    says: (n, name) => `${n} photos of orders are unknown to media, for instance ${name}`,
  },
  ...OBJECT_SERVICES.map((service): Rule => ({
    these: `object of ${service}`,
    those: `stored by ${service}`,
    says: (n, key) => `${n} files of ${service} are missing, for instance ${key}`,
  })),
];

/** Values of one service that another one should know. */
export interface Contradiction {
  rule: string;
  values: ReadonlySet<string>;
  says(n: number, example: string): string;
}

/** Where services contradict each other. */
export function contradictions(facts: Facts): Contradiction[] {
  const broken = RULES.map(({ these, those, mayWait, says }): Contradiction => {
    const known = new Set(facts.of(those));
    const missing = facts
      .of(these)
      .filter((value) => !known.has(value) && !(mayWait && facts.waiting.has(value)));
    return { rule: `${these} without ${those}`, values: new Set(missing), says };
  });
  return [...broken, givenTwice(facts.of('receipt'))].filter(({ values }) => values.size > 0);
}

function givenTwice(receipts: readonly string[]): Contradiction {
  const [once, values] = [new Set<string>(), new Set<string>()];
  for (const number of receipts) (once.has(number) ? values : once).add(number);
  return {
    rule: 'receipts given twice',
    values,
    says: (n, number) => `${n} receipt numbers were given to two orders, for instance ${number}`,
  };
}

/** Contradictions that were there at both times. Running services are read one after another, and events are on their way. */
export const lasting = (before: readonly Contradiction[], after: readonly Contradiction[]): Contradiction[] =>
  after.flatMap((one) => {
    const former = before.find(({ rule }) => rule === one.rule)?.values ?? new Set();
    const values = new Set([...one.values].filter((value) => former.has(value)));
    return values.size === 0 ? [] : [{ ...one, values }];
  });

export const sentenceOf = ({ values, says }: Contradiction): string =>
  `${says(values.size, [...values][0]!)}.`;
