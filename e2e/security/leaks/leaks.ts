import { EVENTS } from '@arboleda/contracts/events/index.ts';
import { type Role, ROLES } from '@arboleda/contracts/roles.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { waitFor } from '../../harness/wait.ts';
import type { Target } from '../frame/target.ts';
import type { Report, Topic } from '../frame/topic.ts';
import { leaveMarkers } from './markers.ts';

/** Patterns of personal data and secrets. */
const SHAPES: Record<string, RegExp> = {
  'an address': /[\w.+-]+@[\w-]+\.[a-z]{2,}/gi,
  'a token': /eyJ[\w-]{10,}\.eyJ[\w-]{10,}/g,
  'a bearer': /bearer +[\w.-]{8,}/gi,
  'a key of Stripe': /\b(?:[sr]k|whsec)_(?:test|live)?_?[\w]{16,}/g,
  'a secret of a payment': /\bpi_\w+_secret_\w+/g,
  'a card': /(?<![\w.-])[3-6]\d{3}(?:[ -]?\d{4}){3}(?![\w.-])/g,
  'an address with a password': /\w+:\/\/[^\s/:@]+:[^\s/@]+@/g,
  'a hash of a password': /\$argon2id?\$/g,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY|"d":"[\w-]{20,}"/g,
};

/** Logs at debug level, metrics and dead letters hold no personal data and no secrets. */
export const leaks: Topic = {
  name: 'leaks',
  async run(target, report) {
    const markers = await leaveMarkers(target);
    const { product } = target.filled;
    const logFile = join(product.dataDir, 'logs', 'arboleda.log');
    const log = await waitFor('the log to tell of the last mail', async () => {
      const text = await readFile(logFile, 'utf8');
      return text.includes('forgot-password') && text;
    });
    report.note(`${log.split('\n').length} lines of log, ${(log.length / 1e6).toFixed(1)} MB`);
    scan(report, 'the log', log, markers);
    for (const [name, url] of Object.entries(product.serviceUrls)) {
      const figures = await (await fetch(`${url}/metrics`)).text();
      scan(report, `the figures of ${name}`, figures, markers);
    }
    const traces = await waitFor('traces to arrive', async () => target.traces() || undefined);
    report.note(`${(traces.length / 1e3).toFixed(0)} kB of traces`);
    scan(report, 'what traces say', traces, markers);
    const dead = await deadLetters(product.databaseUrl);
    report.note(`${dead.length} jobs that failed once or more`);
    scan(report, 'what failed jobs say', dead.join('\n'), markers);
    sessionsSaySo(target, report);
    eventsSaySo(report);
  },
};

function scan({ check }: Report, where: string, text: string, markers: Record<string, string>): void {
  check(`${where} is there`, text.length > 0 || where.startsWith('what'));
  for (const [name, value] of Object.entries(markers)) {
    const at = value === '' ? -1 : text.indexOf(value);
    check(`${where} does not tell ${name}`, at === -1, text.slice(Math.max(0, at - 160), at + 40));
  }
  for (const [name, shape] of Object.entries(SHAPES)) {
    const found = [...text.matchAll(shape)].map((match) =>
      text.slice(Math.max(0, match.index - 60), match.index + 60),
    );
    check(`${where} holds nothing like ${name}`, found.length === 0, found.slice(0, 3));
  }
}

/** The errors of jobs that failed, as an operator reads them; their payloads are what has to be done again. */
async function deadLetters(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.columns where column_name = 'last_error'`,
    );
    const errors: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ last_error: string }>(
        `select last_error from ${name} where last_error is not null`,
      );
      errors.push(...rows.map((row) => row.last_error));
    }
    return errors;
  } finally {
    await client.end();
  }
}

/** A session says who somebody is to themselves, and no more than services need. */
function sessionsSaySo({ tokens }: Target, { check }: Report): void {
  const allowed = new Set([
    'name',
    'email',
    'email_verified',
    'tv',
    'iss',
    'aud',
    'sub',
    'iat',
    'exp',
    'jti',
    'admin_role',
    'otp_at',
  ]);
  for (const role of ROLES satisfies readonly Role[]) {
    const claims = JSON.parse(Buffer.from(tokens[role].split('.')[1]!, 'base64url').toString()) as object;
    const others = Object.keys(claims).filter((name) => !allowed.has(name));
    check(`the session of a ${role} says no more than it has to`, others.length === 0, others);
  }
}

/** Events with an email address (the last ones a worker's, that of audit an admin's), and with the sealed token of a mailed link. */
const WITH_ADDRESS =
  /^(?:customer\.(?:registered|erased)|email\.\w+|password\.\w+|second_factor\.changed|admin\.\w+|audit\.recorded|worker\.\w+|payment\.(?:submitted|succeeded)|photo_package\.purchased|order\.(?:created|updated|assigned|planted|completed)|gift\.(?:scheduled|claimed|thanked)|growth_visit\.(?:due|completed))$/;
const WITH_LINK =
  /^(?:email\.(?:verification|change)_requested|password\.reset_requested|(?:admin|worker)\.invited)$/;

function eventsSaySo({ check }: Report): void {
  for (const [type, { data }] of Object.entries(EVENTS)) {
    const schema = JSON.stringify(z.toJSONSchema(data, { unrepresentable: 'any', io: 'input' }));
    check(
      `${type} names no address without need`,
      !/"(?:email|from|to)":\{"type":"string"\}|"email":/.test(schema) || WITH_ADDRESS.test(type),
      type,
    );
    check(
      `${type} carries no secret of a link without need`,
      !/"token":/.test(schema) || WITH_LINK.test(type),
      type,
    );
    check(
      `${type} carries no password and no card number`,
      !/"(?:password\w*|passwordHash|cardNumber|cvc)":/.test(schema),
      type,
    );
  }
}
