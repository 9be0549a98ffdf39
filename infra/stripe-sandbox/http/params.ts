import type { Metadata } from '../objects.ts';
import { invalidRequest, parameterMissing } from './errors.ts';

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

/** Reads one parameter; `undefined` means absent. An empty string means "unset" in Stripe's forms. */
export type Reader<T> = (value: FormValue | undefined, name: string) => T;
type Shape = Record<string, Reader<unknown>>;
type Parsed<S extends Shape> = { [K in keyof S]: ReturnType<S[K]> };

/** Handled for all endpoints alike. */
const COMMON = new Set(['expand', 'key']);

/** Reads all parameters of a request. @throws StripeProblem 400 for an invalid, missing or unknown one */
export function readParams<S extends Shape>(params: FormHash, shape: S): Parsed<S> {
  for (const name of Object.keys(params)) {
    if (!Object.hasOwn(shape, name) && !COMMON.has(name)) {
      throw invalidRequest(`Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name });
    }
  }
  return Object.fromEntries(
    Object.entries(shape).map(([name, read]) => [name, read(params[name], name)]),
  ) as Parsed<S>;
}

const shown = (value: FormValue): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 60);

export const text: Reader<string | undefined> = (value, name) => {
  if (value === undefined || typeof value === 'string') return value;
  throw invalidRequest('Invalid string', { param: name, code: 'parameter_invalid_string' });
};

export const integer: Reader<number | undefined> = (value, name) => {
  if (value === undefined) return undefined;
  if (value === '') {
    throw invalidRequest(`You passed an empty string for '${name}'.`, {
      param: name,
      code: 'parameter_invalid_empty',
    });
  }
  if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value);
  throw invalidRequest(`Invalid integer: ${shown(value)}`, {
    param: name,
    code: 'parameter_invalid_integer',
  });
};

export const flag: Reader<boolean | undefined> = (value, name) => {
  if (value === undefined) return undefined;
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalidRequest(`Invalid boolean: ${shown(value)}`, { param: name });
};

export const oneOf =
  <const T extends string>(...allowed: T[]): Reader<T | undefined> =>
  (value, name) => {
    if (value === undefined) return undefined;
    if (allowed.includes(value as T)) return value as T;
    throw invalidRequest(`Invalid ${name}: must be one of ${allowed.join(', ')}`, { param: name });
  };

export const hash: Reader<FormHash | undefined> = (value, name) => {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return value;
  throw invalidRequest('Invalid object', { param: name });
};

export const list: Reader<FormValue[] | undefined> = (value, name) => {
  if (value === undefined || Array.isArray(value)) return value;
  throw invalidRequest('Invalid array', { param: name });
};

export const texts: Reader<string[] | undefined> = (value, name) =>
  list(value, name)?.map((item) => text(item, name) ?? '');

/** Known to Stripe, without effect here. */
export const ignored: Reader<unknown> = (value) => value;

export const required =
  <T>(read: Reader<T | undefined>): Reader<T> =>
  (value, name) => {
    const given = read(value, name);
    if (given === undefined) throw parameterMissing(name);
    return given;
  };

export const email: Reader<string | undefined> = (value, name) => {
  const given = text(value, name);
  if (!given || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(given)) return given;
  throw invalidRequest(`Invalid email address: ${given.slice(0, 200)}`, {
    param: name,
    code: 'email_invalid',
  });
};

/** An empty value is no value. Stripe's limits: 50 keys of 40 characters, values of 500. */
export function readMetadata(given: FormHash | undefined): Metadata {
  const metadata: Metadata = {};
  for (const [key, value] of Object.entries(given ?? {})) {
    const param = `metadata[${key}]`;
    if (typeof value !== 'string') throw invalidRequest('Metadata values must be strings', { param });
    if (key.length > 40)
      throw invalidRequest(`Metadata keys can have at most 40 characters: ${key}`, { param });
    if (value.length > 500) {
      throw invalidRequest(
        `Metadata values can have up to 500 characters, but you passed in a value that is ${value.length} characters.`,
        { param },
      );
    }
    if (value !== '') metadata[key] = value;
  }
  if (Object.keys(metadata).length > 50) {
    throw invalidRequest('Metadata can have at most 50 keys.', { param: 'metadata' });
  }
  return metadata;
}
