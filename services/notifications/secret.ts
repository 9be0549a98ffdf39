import { Problem } from '@arboleda/contracts/problems.ts';
import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time. @throws Problem unauthenticated */
export function requireSecret(authorization: string | undefined, secret: string): void {
  if (!timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${secret}`))) {
    throw new Problem('unauthenticated');
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();
