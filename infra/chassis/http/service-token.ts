import { type JWTPayload, SignJWT } from 'jose';

const SERVICE_TOKEN_SECONDS = 60;
/** Signing and verifying cost more than a whole short call otherwise does: a token is used again while half of its life is left. */
const SIGNED_ANEW_AFTER_MS = 30_000;
const MOST_KNOWN = 100;

/** A token of one minute by which one service knows another. */
export const signServiceToken = (secret: string, from: string, to: string): Promise<string> =>
  new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(from)
    .setAudience(`service:${to}`)
    .setIssuedAt()
    .setExpirationTime(`${SERVICE_TOKEN_SECONDS}s`)
    .sign(new TextEncoder().encode(secret));

/** Tokens of one service for others, each signed twice a minute at most. */
export function openServiceTokens(secret: string, from: string): (to: string) => Promise<string> {
  const signed = new Map<string, { token: Promise<string>; at: number }>();
  return (to) => {
    const known = signed.get(to);
    if (known && Date.now() - known.at < SIGNED_ANEW_AFTER_MS) return known.token;
    const token = signServiceToken(secret, from, to);
    signed.set(to, { token, at: Date.now() });
    token.catch(() => signed.delete(to));
    return token;
  };
}

/**
 * Remembers tokens that were verified, to the letter, until they expire.
 * @param verify must refuse what has expired or does not say when it will
 */
export function verifiedOnce(
  verify: (token: string) => Promise<JWTPayload>,
): (token: string) => Promise<void> {
  const until = new Map<string, number>();
  return async (token) => {
    if (Date.now() < (until.get(token) ?? 0)) return;
    const { exp } = await verify(token);
    // Each service has a few at a time: whoever has more is not worth remembering.
    if (until.size >= MOST_KNOWN) until.clear();
    until.set(token, exp! * 1000);
  };
}
