import { SignJWT } from 'jose';

const SERVICE_TOKEN_SECONDS = 60;

/** A token of one minute by which one service knows another. */
export const signServiceToken = (secret: string, from: string, to: string): Promise<string> =>
  new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(from)
    .setAudience(`service:${to}`)
    .setIssuedAt()
    .setExpirationTime(`${SERVICE_TOKEN_SECONDS}s`)
    .sign(new TextEncoder().encode(secret));
