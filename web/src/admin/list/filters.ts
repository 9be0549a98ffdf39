import type { Api } from '@arboleda/contracts/api.ts';
import { ADMIN_LISTS, type ListFilter } from '@arboleda/contracts/lists.ts';
import { endOfDay, startOfDay } from '@arboleda/contracts/time-zone.ts';

/** A call that may answer a list. */
export type ListKey = keyof Api & `GET /api/admin/${string}`;
export type ListQuery<Key extends ListKey> = [Api[Key]['query']] extends [undefined]
  ? Record<never, never>
  : Partial<NonNullable<Api[Key]['query']>>;

/** Words of a parameter that has choices. */
interface Choosing<Choice> {
  label: string;
  /** The choice of all, for a parameter without a default. */
  any?: string;
  of: (choice: Choice) => string;
  /** Not all of the contract's. */
  only?: readonly Choice[];
  /** Name in the address; the parameter's by default. */
  at?: string;
}

/** Words of a parameter that is typed, and what is sent of it. */
interface Typing {
  label: string;
  sent: (typed: string) => string;
  /** Where only the contract's pattern bounds it. */
  maxLength?: number;
}

/** Words of the parameters that a list shows, in the order in which they stand. */
export type FilterTexts<Key extends ListKey> = {
  [Name in Exclude<keyof ListQuery<Key>, 'cursor' | 'limit'>]?: string extends NonNullable<
    ListQuery<Key>[Name]
  >
    ? string | Typing
    : Choosing<NonNullable<ListQuery<Key>[Name]>>;
};

/** A parameter of a list, with the words that people read and the value that the address has. */
export interface Filter {
  name: string;
  /** Its name in the address. */
  at: string;
  accepts: ListFilter;
  label: string;
  /** Empty for what is typed. `value` is empty for all. */
  choices: readonly { value: string; text: string }[];
  /** The value in the address: empty when it has none that the list accepts. */
  value: string;
  /** For the query; empty when nothing is asked. */
  sent: string;
}

/** The filters of a list as the address has them. @param inAddress value of a parameter, or null */
export function filtersOf<Key extends ListKey>(
  key: Key,
  texts: FilterTexts<Key>,
  inAddress: (name: string) => string | null,
): Filter[] {
  const shown = Object.entries(texts as Record<string, string | Partial<Choosing<string> & Typing>>);
  return shown.map(([name, given]) => {
    const text = typeof given === 'string' ? { label: given } : given;
    const { label = '', any, of = String, at = name } = text;
    const declared = ADMIN_LISTS[key]!.filters[name]!;
    const accepts = text.maxLength === undefined ? declared : { ...declared, maxLength: text.maxLength };
    const offered = text.only ?? ('choices' in accepts ? accepts.choices : []);
    const value = valueOf(accepts, (inAddress(at) ?? '').trim(), offered);
    return {
      name,
      at,
      accepts,
      label,
      choices: [
        ...(any === undefined ? [] : [{ value: '', text: any }]),
        ...offered.map((choice) => ({ value: choice, text: of(choice) })),
      ],
      value,
      sent: text.sent ? text.sent(value) : sentOf(name, accepts, value),
    };
  });
}

/** The value of a parameter in the address, as its control shows it. */
function valueOf(accepts: ListFilter, said: string, offered: readonly string[]): string {
  if (accepts.kind === 'words') return said.slice(0, accepts.maxLength);
  if (accepts.kind === 'day' || accepts.kind === 'instant') return startOfDay(said) ? said : '';
  if (offered.includes(said)) return said;
  return accepts.kind === 'choice' ? (accepts.byDefault ?? '') : '';
}

/** Days are of the organization. A bound in time is the start of the first day, and the end of the last. */
function sentOf(name: string, accepts: ListFilter, value: string): string {
  if (accepts.kind === 'words')
    return accepts.pattern && !new RegExp(accepts.pattern).test(value) ? '' : value;
  if (accepts.kind !== 'instant') return value;
  return (name === 'to' ? endOfDay : startOfDay)(value)?.toISOString() ?? '';
}

/** The part of an address that a list accepts, without the words of its controls. @returns empty for nothing */
export function acceptedOf(accepts: ListFilter, said: string): string {
  const offered = 'choices' in accepts ? accepts.choices : [];
  return sentOf('', accepts, valueOf(accepts, said.trim(), offered));
}

/** The query parameters that filters ask for, in the contract's order. */
export const queryOf = (key: ListKey, filters: readonly Filter[]): Record<string, string> =>
  Object.fromEntries(
    Object.keys(ADMIN_LISTS[key]?.filters ?? {}).flatMap((name) => {
      const sent = filters.find((one) => one.name === name)?.sent;
      return sent ? [[name, sent]] : [];
    }),
  );

/** Whether a list is narrowed; a choice that always has a value does not narrow it. */
export const isNarrowed = (filters: readonly Filter[]): boolean =>
  filters.some(({ accepts, value }) => value !== '' && !('byDefault' in accepts));
