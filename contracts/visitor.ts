import { z } from 'zod';

/** Header in which the gateway passes on the caller's country from a trusted CDN. */
export const VISITOR_COUNTRY_HEADER = 'x-visitor-country';

/** Inputs that determine a visitor's country. */
export const visitor = z.object({
  /** Set by the gateway. */
  country: z.string().max(20).optional(),
  acceptLanguage: z.string().max(1000).optional(),
});
export type Visitor = z.infer<typeof visitor>;

export function visitorOf(headers: Record<string, string | string[] | undefined>): Visitor {
  const text = (name: string, limit: number) => {
    const value = headers[name];
    return typeof value === 'string' && value.length <= limit ? value : undefined;
  };
  return { country: text(VISITOR_COUNTRY_HEADER, 20), acceptLanguage: text('accept-language', 1000) };
}
