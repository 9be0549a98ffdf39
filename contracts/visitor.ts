import { z } from 'zod';

/** In which the gateway tells services the country that a trusted CDN gave for the caller. */
export const VISITOR_COUNTRY_HEADER = 'x-visitor-country';

/** What tells a visitor's country. */
export const visitor = z.object({
  /** As the gateway tells it. */
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
