import type { Metadata } from '../objects.ts';
import { invalidRequest, parameterMissing } from './errors.ts';
import type { FormHash, FormValue } from './form.ts';

/** Reads one parameter; `undefined` means absent. An empty string means "unset" in Stripe's forms. */
export type Reader<T> = (value: FormValue | undefined, name: string) => T;
type Shape = Record<string, Reader<unknown>>;
type Parsed<S extends Shape> = { [K in keyof S]: ReturnType<S[K]> };

/** Handled for all endpoints alike. */
const COMMON = new Set([
  'expand',
  'key',
  '_stripe_version',
  '_stripe_account',
  'client_attribution_metadata',
]);

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

export const limitedText =
  (mostChars: number): Reader<string | undefined> =>
  (value, name) => {
    const given = text(value, name);
    if (given === undefined || given.length <= mostChars) return given;
    throw invalidRequest(
      `Invalid string: must be at most ${mostChars} characters long; received ${given.length}.`,
      { param: name, code: 'parameter_invalid_string_length' },
    );
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
  if (value === undefined || value === '') return undefined;
  if (Array.isArray(value)) return value;
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

/**
 * New values override old ones; an empty value removes its key. Stripe's limits: 50 keys of 40 characters, values of
 * 500.
 */
export function mergeMetadata(old: Metadata, given: FormHash | undefined): Metadata {
  const merged = { ...old };
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
    if (value === '') delete merged[key];
    else merged[key] = value;
  }
  if (Object.keys(merged).length > 50) {
    throw invalidRequest('Metadata can have at most 50 keys.', { param: 'metadata' });
  }
  return merged;
}
