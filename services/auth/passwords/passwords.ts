import { hash, parseOptions, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';

export interface PasswordCost {
  memoryKib: number;
  passes: number;
}

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane (Password Storage Cheat Sheet, 2025). */
export const PASSWORD_COST: PasswordCost = { memoryKib: 19_456, passes: 2 };

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a stored hash as with one: nobody learns from the time which accounts there are. */
  matches(storedHash: string | undefined, password: string): Promise<boolean>;
  /** Whether it was made at another cost than today's. */
  isOutdated(storedHash: string): boolean;
}

/** argon2id, the library's default algorithm. */
export async function openPasswords(cost: PasswordCost): Promise<Passwords> {
  const options = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: 1 };
  const nobodys = await hash(randomBytes(32), options);
  return {
    hash: (password) => hash(password.normalize('NFKC'), options),
    async matches(storedHash, password) {
      const same = await verify(storedHash ?? nobodys, password.normalize('NFKC'));
      return same && storedHash !== undefined;
    },
    isOutdated(storedHash) {
      const { memoryCost, timeCost } = parseOptions(storedHash);
      return memoryCost !== cost.memoryKib || timeCost !== cost.passes;
    },
  };
}
