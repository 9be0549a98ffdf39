/** Verifies the audit logs that this environment can reach. "npm run audit" runs it, also inside a container. */
import { AUDITED_SERVICES, type AuditedService } from '@arboleda/contracts/audit.ts';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { openPool } from '../adapters/postgres/sql/pool.ts';
import { ConfigError, readEnvironment } from '../environment.ts';
import { openLogger } from '../log.ts';
import { platformConfig, platformShape } from '../platform-config.ts';
import { readArguments, reportOf } from './command.ts';
import { readLogged, type Verdict, verifyLog } from './verify.ts';

/** In an image: the service whose database is reachable. */
const own = basename(process.env.SERVICE ?? '') as AuditedService;

try {
  const { logged, fromInput } = readArguments(process.argv.slice(2));
  const lines = fromInput ? (await text(process.stdin)).split('\n') : [];
  const expected = [...logged, ...lines.flatMap((line) => readLogged(line) ?? [])];
  const { databaseUrl } = platformConfig(readEnvironment(process.env, platformShape));
  if (databaseUrl === undefined) throw new ConfigError(['DATABASE_URL: must be set']);
  const pool = openPool(databaseUrl, openLogger('audit', 'error'), {
    max: 1,
    name: 'audit',
    statementTimeoutMs: 600_000,
  });
  const verdicts: Verdict[] = [];
  try {
    await pool.query('begin isolation level repeatable read read only');
    for (const service of AUDITED_SERVICES.includes(own) ? [own] : AUDITED_SERVICES)
      verdicts.push(await verifyLog((query, values) => pool.query(query, values), service, expected));
  } finally {
    await pool.end();
  }
  process.stdout.write(`${reportOf(verdicts)}\n`);
  if (verdicts.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message.trimEnd()}\n`);
  process.exitCode = 1;
}
