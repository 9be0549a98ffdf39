import { ConfigError } from '@arboleda/chassis/config.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';

/** Nobody gets mail there: an account with such a verified address was made by the demonstration. */
const DEMO_ACCOUNTS = `select email from accounts where email_verified and email ~* '[@.]arboleda[.]test$' order by email`;

/** @throws ConfigError that names them */
export async function refuseDemoAccounts(sql: Sql): Promise<void> {
  const { rows } = await sql.query<{ email: string }>(DEMO_ACCOUNTS);
  if (rows.length === 0) return;
  throw new ConfigError([
    `DATABASE_URL: holds accounts of the demonstration (${rows.map(({ email }) => email).join(', ')}): production needs a database of its own`,
  ]);
}
