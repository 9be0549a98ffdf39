export type FormValue = string | FormHash | FormValue[];
export interface FormHash {
  [key: string]: FormValue;
}

const MOST_PAIRS = 1000;
const MOST_DEPTH = 8;

/**
 * Decodes a form body or query like Stripe: `a[b][0]=c` → { a: { b: ['c'] } }.
 * @throws RangeError when it is larger than any request to Stripe's API
 */
export function decodeForm(text: string): FormHash {
  const root: FormHash = Object.create(null);
  let pairs = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++pairs > MOST_PAIRS) throw new RangeError('Too many parameters.');
    place(root, keysOf(name), value);
  }
  return withArrays(root) as FormHash;
}

function keysOf(name: string): string[] {
  const bracket = name.indexOf('[');
  if (bracket <= 0) return [name];
  const keys = [
    name.slice(0, bracket),
    ...[...name.slice(bracket).matchAll(/\[([^\]]*)\]/g)].map((m) => m[1] ?? ''),
  ];
  if (keys.length > MOST_DEPTH) throw new RangeError(`Parameter nested too deep: ${name.slice(0, 60)}`);
  return keys;
}

function place(root: FormHash, keys: string[], value: string): void {
  let hash = root;
  for (const [index, raw] of keys.entries()) {
    // `expand[]=a&expand[]=b`: each takes the next index.
    const key = raw === '' && index > 0 ? String(Object.keys(hash).length) : raw;
    if (index === keys.length - 1) {
      hash[key] = value;
      return;
    }
    const inner = hash[key];
    hash = hash[key] = typeof inner === 'object' ? (inner as FormHash) : Object.create(null);
  }
}

function withArrays(value: FormValue): FormValue {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value);
  if (entries.length > 0 && entries.every(([key], index) => key === String(index))) {
    return entries.map(([, inner]) => withArrays(inner));
  }
  const hash: FormHash = Object.create(null);
  for (const [key, inner] of entries) hash[key] = withArrays(inner);
  return hash;
}
