import { z } from 'zod';
import { type Endpoint, rolesOf } from './endpoint.ts';
import { ENDPOINTS } from './endpoints/index.ts';

/**
 * Values that one query parameter of a list accepts. `choice`: one of these, and `byDefault` when it is not sent. `yesOrNo`:
 * "true" or "false". `words`: text in which `pattern` is found. `day`: "2026-11-22". `instant`: ISO 8601.
 */
export type ListFilter =
  | { kind: 'choice'; choices: readonly string[]; byDefault?: string }
  | { kind: 'yesOrNo'; choices: readonly string[] }
  | { kind: 'words'; maxLength?: number; pattern?: string }
  | { kind: 'day' }
  | { kind: 'instant' };

export interface AdminList {
  /** Rows of a page when `limit` is not sent. */
  pageRows: number;
  /** In the contract's order. */
  filters: Readonly<Record<string, ListFilter>>;
}

interface Parameter {
  type?: string;
  enum?: string[];
  default?: string | number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  anyOf?: Parameter[];
}

/** @throws Error for a parameter that no control of a list is made for */
function filterOf(parameter: Parameter): ListFilter {
  const { type, enum: choices, default: byDefault, maxLength, pattern, format, anyOf } = parameter;
  if (anyOf) return filterOf(anyOf[0]!);
  if (choices?.includes('true')) return { kind: 'yesOrNo', choices };
  if (choices)
    return { kind: 'choice', choices, ...(byDefault !== undefined && { byDefault: `${byDefault}` }) };
  if (format === 'date') return { kind: 'day' };
  if (format === 'date-time') return { kind: 'instant' };
  if (type !== 'string') throw new Error(`No control of a list is made for ${JSON.stringify(parameter)}.`);
  return { kind: 'words', ...(maxLength !== undefined && { maxLength }), ...(pattern && { pattern }) };
}

/**
 * The lists of admins that come in pages, by endpoint, as their query schemas say. The build of the web app keeps only
 * these values, so that no schema reaches the browser.
 */
export const ADMIN_LISTS: Readonly<Record<string, AdminList>> = Object.fromEntries(
  Object.entries<Endpoint>(ENDPOINTS).flatMap(([key, { access, query }]) => {
    if (!query || !rolesOf(access).includes('admin')) return [];
    const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
    const { cursor, limit, ...rest } = properties as Record<string, Parameter>;
    if (!cursor) return [];
    const filters = Object.entries(rest).map(([name, parameter]) => [name, filterOf(parameter)]);
    return [[key, { pageRows: Number(limit?.default), filters: Object.fromEntries(filters) }]];
  }),
);
