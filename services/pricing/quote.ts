import {
  QUOTE_ALGORITHM,
  QUOTE_AUDIENCE,
  QUOTE_ISSUER,
  QUOTE_SECONDS,
  type QuoteClaims,
} from '@arboleda/contracts/quote.ts';
import { SignJWT } from 'jose';

export interface SignedQuote {
  quote: string;
  expiresAt: string;
}

/** Signs a quote that is valid for QUOTE_SECONDS from `now`. */
export async function signQuote(
  { jti, ...promise }: QuoteClaims,
  secret: string,
  now: Date,
): Promise<SignedQuote> {
  const issuedAtS = Math.floor(now.getTime() / 1000);
  const expiresAtS = issuedAtS + QUOTE_SECONDS;
  const quote = await new SignJWT(promise)
    .setProtectedHeader({ alg: QUOTE_ALGORITHM })
    .setJti(jti)
    .setIssuer(QUOTE_ISSUER)
    .setAudience(QUOTE_AUDIENCE)
    .setIssuedAt(issuedAtS)
    .setExpirationTime(expiresAtS)
    .sign(new TextEncoder().encode(secret));
  return { quote, expiresAt: new Date(expiresAtS * 1000).toISOString() };
}
