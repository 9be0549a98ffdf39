import { admitted, openAdmission } from '@arboleda/chassis/http/admission.ts';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';

export interface PasswordCost {
  memoryKib: number;
  passes: number;
}

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane (Password Storage Cheat Sheet, 2025). */
export const PASSWORD_COST: PasswordCost = { memoryKib: 19_456, passes: 2 };

/**
 * Limit of pending hashes: half a second's work of two processors. Hashing shares libuv's threads with file
 * access, and cannot be cancelled when the caller disconnects.
 */
const MAX_AT_ONCE = 32;

/** Both methods throw `overloaded` beyond the limit of pending hashes. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the same time without a stored hash, so that timing does not reveal which accounts exist. */
  matches(storedHash: string | undefined, password: string): Promise<boolean>;
  /** Whether it was hashed at another cost than today's. */
  isOutdated(storedHash: string): boolean;
}

/** argon2id, the library's default algorithm. */
export async function openPasswords(cost: PasswordCost, maxAtOnce = MAX_AT_ONCE): Promise<Passwords> {
  const options = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: 1 };
  const admission = openAdmission(maxAtOnce);
  const nobodys = await hash(randomBytes(32), options);
  return {
    hash: (password) => admitted(admission, () => hash(password.normalize('NFKC'), options)),
    async matches(storedHash, password) {
      const same = await admitted(admission, () => verify(storedHash ?? nobodys, password.normalize('NFKC')));
      return same && storedHash !== undefined;
    },
    isOutdated(storedHash) {
      const { memoryCost, timeCost } = parseOptions(storedHash);
      return memoryCost !== cost.memoryKib || timeCost !== cost.passes;
    },
  };
}
