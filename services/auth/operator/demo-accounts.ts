import { ConfigError } from '@arboleda/chassis/config.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';

/** A reserved domain receives no email, so only the demo can have verified such an address. */
const DEMO_ACCOUNTS = `select email from accounts where email_verified and email ~* '[@.]arboleda[.]test$' order by email`;

/** @throws ConfigError that names them */
export async function refuseDemoAccounts(sql: Sql): Promise<void> {
  const { rows } = await sql.query<{ email: string }>(DEMO_ACCOUNTS);
  if (rows.length === 0) return;
  throw new ConfigError([
    `DATABASE_URL: holds accounts of the demonstration (${rows.map(({ email }) => email).join(', ')}): production needs a database of its own`,
  ]);
}
