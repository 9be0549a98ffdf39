/**
 * What services say of each other, by kind: see services/<name>/operator/facts.sql. `waiting`: ids of orders about which
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
  ...['media', 'payments'].map((service): Rule => ({
    these: `object of ${service}`,
    those: `stored by ${service}`,
    says: (n, key) => `${n} files of ${service} are missing, for instance ${key}`,
  })),
];

/** Where services contradict each other, in a sentence each. */
export function disagreements(facts: Facts): string[] {
  const broken = RULES.flatMap(({ these, those, mayWait, says }) => {
    const known = new Set(facts.of(those));
    const missing = new Set(
      facts.of(these).filter((value) => !known.has(value) && !(mayWait && facts.waiting.has(value))),
    );
    return missing.size === 0 ? [] : [`${says(missing.size, [...missing][0]!)}.`];
  });
  const receipts = facts.of('receipt');
  const twice = receipts.length - new Set(receipts).size;
  return twice === 0 ? broken : [...broken, `${twice} receipt numbers were given to two orders.`];
}
