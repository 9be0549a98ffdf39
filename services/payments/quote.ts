import { Problem } from '@arboleda/contracts/problems.ts';
import {
  QUOTE_ALGORITHM,
  QUOTE_AUDIENCE,
  QUOTE_ISSUER,
  type QuoteClaims,
  quoteClaims,
} from '@arboleda/contracts/quote.ts';
import { errors, jwtVerify } from 'jose';

/** What pricing promised. @throws Problem `quote-expired`, or `quote-invalid` when it is not a quote of ours. */
export async function readQuote(quote: string, secret: string, now: Date): Promise<QuoteClaims> {
  const { payload } = await jwtVerify(quote, new TextEncoder().encode(secret), {
    algorithms: [QUOTE_ALGORITHM],
    issuer: QUOTE_ISSUER,
    audience: QUOTE_AUDIENCE,
    requiredClaims: ['exp', 'jti'],
    currentDate: now,
  }).catch((cause: unknown) => {
    throw new Problem(cause instanceof errors.JWTExpired ? 'quote-expired' : 'quote-invalid', { cause });
  });
  const claims = quoteClaims.safeParse(payload);
  if (!claims.success) throw new Problem('quote-invalid', { cause: claims.error });
  return claims.data;
}
