import { generateSecret, generateURI, verify } from 'otplib/functional';

/** Defaults of authenticator apps (RFC 6238): SHA-1, six digits, thirty seconds. */
const STEP_SECONDS = 30;

/** 160 random bits, base32. */
export const newSecret = (): string => generateSecret();

export const otpauthUrl = (secret: string, email: string): string =>
  generateURI({ issuer: 'Arboleda', label: email, secret });

/** Six digits without spaces; undefined for anything else. */
export function digitsOf(code: string): string | undefined {
  const digits = code.replace(/[\s-]/g, '');
  return /^[0-9]{6}$/.test(digits) ? digits : undefined;
}

/** The step of a code: the current, previous or next one; undefined when none matches. */
export async function stepOf(secret: string, digits: string, now: Date): Promise<number | undefined> {
  const epoch = Math.floor(now.getTime() / 1000);
  const verdict = await verify({ secret, token: digits, epoch, epochTolerance: STEP_SECONDS });
  return verdict.valid ? Math.floor(epoch / STEP_SECONDS) + verdict.delta : undefined;
}
