import { adminRole, email, password, personName } from '@arboleda/contracts/fields.ts';
import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import { problemTitle } from '@arboleda/contracts/problem-kinds.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Account } from '../accounts/account.ts';
import type { Registration } from '../accounts/registration.ts';

export const USAGE = `npm run admin -- create --email ana@example.org --name "Ana Gómez"   makes an admin, with a password that is shown once
                        --role finance                               who is not an owner: finance, coordinator, support, auditor
npm run admin -- password --email ana@example.org                   gives an admin another password, shown once
npm run admin -- reset-second-factor --email ana@example.org        turns two-factor login off for an admin who lost it
npm run admin -- erase --email ana@example.org                      forgets a donor: account, and the person in all orders of the address

--password-stdin takes the password from standard input instead of making one.
`;

const COMMANDS = ['create', 'password', 'reset-second-factor', 'erase'] as const;
const WITHOUT_PASSWORD: readonly string[] = ['reset-second-factor', 'erase'];

export interface Asked {
  command: (typeof COMMANDS)[number];
  email: string;
  /** Undefined for an existing admin. */
  name: string | undefined;
  /** Role of a new admin. */
  role?: AdminRole | undefined;
  passwordFromStdin: boolean;
}

/** @throws an Error with the usage or the mistake */
export function readArguments(args: readonly string[]): Asked {
  const { values, positionals } = parsed(args);
  const [named, ...more] = positionals;
  const command = COMMANDS.find((one) => one === named);
  if (!command || more.length > 0) throw new Error(USAGE);
  if (WITHOUT_PASSWORD.includes(command) && values['password-stdin']) throw new Error(USAGE);
  const isCreate = command === 'create';
  if (!isCreate && values.role !== undefined) throw new Error(USAGE);
  if (values.email === undefined || isCreate !== (values.name !== undefined)) throw new Error(USAGE);
  return {
    command,
    email: checked('--email', email.safeParse(values.email)),
    name: isCreate ? checked('--name', personName.safeParse(values.name)) : undefined,
    ...(values.role !== undefined && { role: checked('--role', adminRole.safeParse(values.role)) }),
    passwordFromStdin: values['password-stdin'] ?? false,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        email: { type: 'string' },
        name: { type: 'string' },
        role: { type: 'string' },
        'password-stdin': { type: 'boolean' },
      },
    });
  } catch {
    throw new Error(USAGE);
  }
}

function checked<T extends string>(name: string, result: { success: boolean; data?: T | undefined }): T {
  if (!result.success) throw new Error(`${name}: ${problemTitle('invalid', 'en')}\n`);
  return result.data!;
}

export interface OperatorParts {
  putAccount: Registration['put'];
  adminNamed(email: string): Promise<Pick<Account, 'id' | 'name' | 'language'> | undefined>;
  /** @returns false when there was none */
  removeSecondFactor(accountId: string): Promise<boolean>;
  /** @returns whether there was an account; a guest's orders are erased without one */
  eraseCustomer(email: string): Promise<boolean>;
}

/**
 * Creates an admin, changes a password, resets two-factor authentication, or erases a donor.
 * @param given the password from standard input; generated when absent
 * @returns the output
 * @throws an Error with a message when nothing was changed
 */
export async function perform(
  asked: Asked,
  given: string | undefined,
  { putAccount, adminNamed, removeSecondFactor, eraseCustomer }: OperatorParts,
): Promise<string> {
  if (asked.command === 'erase') {
    const had = await eraseCustomer(asked.email);
    return `${had ? 'The account is gone' : 'There was no account'}; who ordered under ${asked.email} is being forgotten everywhere.`;
  }
  const existing = await adminNamed(asked.email);
  if (asked.command === 'create' && existing) {
    throw new Error(
      `There is an admin ${asked.email} already: npm run admin -- password gives another password.\n`,
    );
  }
  if (asked.command !== 'create' && !existing) throw new Error(`There is no admin ${asked.email}.\n`);
  if (asked.command === 'reset-second-factor') {
    const wasOn = await removeSecondFactor(existing!.id);
    return `${asked.email} ${wasOn ? 'logs in' : 'had no two-factor login and logs in'} by password alone.`;
  }
  if (given !== undefined && !password.safeParse(given).success) {
    throw new Error('The password must have 10 to 200 characters.\n');
  }
  const chosen = given ?? randomBytes(18).toString('base64url');
  await putAccount({
    role: 'admin',
    adminRole: asked.role,
    email: asked.email,
    name: asked.name ?? existing!.name,
    language: existing?.language ?? 'en',
    emailVerified: true,
    password: chosen,
  }).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    const [field] = error.fields;
    throw new Error(`${field ? problemTitle(field.type, 'en') : error.message}\n`, { cause: error });
  });
  const done = asked.command === 'create' ? 'can log in at /admin-dashboard' : 'has another password';
  return given === undefined
    ? `${asked.email} ${done}. Password, shown only now: ${chosen}`
    : `${asked.email} ${done}.`;
}
