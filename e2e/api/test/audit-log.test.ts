import type { AuditAction } from '@arboleda/contracts/audit.ts';
import type { Api } from '@arboleda/contracts/api.ts';
import type { AuditRow } from '@arboleda/contracts/audit-entry.ts';
import type { CallParts } from '@arboleda/contracts/client.ts';
import { type Endpoint, methodOf } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS, type Endpoints } from '@arboleda/contracts/endpoints/index.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openDriver } from '@arboleda/cli/demo/driver.ts';
import { totp } from '../../driver/totp.ts';
import { PASSWORD, putAccount } from '../../harness/accounts.ts';
import { openInbox } from '../../harness/inbox.ts';
import { eventually } from '../filling.ts';
import { type FilledProduct, openFilledProduct } from '../filled-product.ts';
import { emailOf } from '../people.ts';

type AuditedChange = {
  [Key in keyof Endpoints]: Key extends `GET ${string}`
    ? never
    : Endpoints[Key] extends { audit: AuditAction }
      ? Key
      : never;
}[keyof Endpoints];

const MAIN = fileURLToPath(new URL('../../../infra/chassis/audit/main.ts', import.meta.url));
const OPERATOR = fileURLToPath(new URL('../../../services/auth/operator/main.ts', import.meta.url));
const SELF = { email: 'self@audit.test', password: PASSWORD };
const RENAMED = 'renamed@audit.test';
/** Words that no row may say: names, addresses, free text and secrets. */
const SECRETS = new Set([
  SELF.password,
  'Lucía Secreta',
  'lucia@audit.test',
  'a note that is nobody’s business',
]);

let filled: FilledProduct;
let admin: string;
beforeAll(async () => {
  filled = await openFilledProduct();
  admin = await filled.token('admin');
  await turnOnSecondFactor(await filled.token('admin', 'other'));
  for (const role of ['customer', 'worker'] as const) SECRETS.add(emailOf(role, 'owner'));
  const { orderToken, giftToken, newsToken, evidenceFilename } = filled.objects;
  for (const secret of [orderToken, giftToken, newsToken, evidenceFilename]) SECRETS.add(secret);
}, 120_000);
afterAll(() => filled?.close());

/** The last owner with a second factor may not turn it off, so another one has it. */
async function turnOnSecondFactor(token: string): Promise<void> {
  const body = { currentPassword: SELF.password };
  const { secret } = await filled.call('POST /api/auth/admin/second-factor', { token, body });
  const code = totp(secret, Date.now());
  await filled.call('POST /api/auth/admin/second-factor/confirm', { token, body: { code } });
}

async function allRows(query: Record<string, string> = {}): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await filled.call('GET /api/admin/audit-log', {
      token: admin,
      query: { ...query, limit: 100, ...(cursor !== undefined && { cursor }) } as never,
    });
    expect(page.unavailable).toEqual([]);
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return rows;
}

const idOf = ({ service, seq }: AuditRow) => `${service}:${seq}`;
const isRead = ({ action }: AuditRow) => /listed$|exported$/.test(action);

type Answers = { [Key in AuditedChange]: Api[Key]['response'] };
/** The parts of a call, or how to make them; the calling admin's token is added. */
type Changes = {
  [Key in AuditedChange]: CallParts<Key> | (() => CallParts<Key> | Promise<CallParts<Key>>) | 'elsewhere';
};

/**
 * One call of each endpoint that changes something for admins; a new one is a type error until it is here.
 * @param answers of the calls before
 */
function changes(answers: Answers): Changes {
  const { call, objects } = filled;
  const driver = openDriver(filled.product, { withinMs: 90_000 });
  const reason = 'a note that is nobody’s business';
  const order = { params: { id: objects.orderId } };
  const photo = { params: { id: objects.photoId }, body: { reason } };
  const someMoney = { amount: 1, reason };
  const statement = () => ({ id: answers['POST /api/admin/statements'].statement.statementId });
  const worker = () => ({ id: answers['POST /api/admin/workers'].worker.id });
  let rows: { rowId: string; text: string }[] = [];
  let sure = { orderId: '', reference: '' };
  const rowOf = (text: string) => rows.find((row) => row.text.includes(text))!.rowId;
  const debitOf = async (list: 'returns' | 'others', q: string) =>
    (await call('GET /api/admin/statement-debits', { token: admin, query: { list, q } })).debits[0]!.debitId;
  // An admin who changes the own account, and then the accounts of others.
  let token = '';
  const logIn = async (email = SELF.email) =>
    (token = (await call('POST /api/auth/admin/login', { body: { email, password: SELF.password } })).token);
  const confirmed = () => answers['POST /api/auth/admin/second-factor/confirm'];
  const codes = () => answers['POST /api/auth/admin/second-factor/recovery-codes'].recoveryCodes;
  const steppedUp = () => ({ token: answers['POST /api/auth/admin/step-up'].token });
  const invited = () => ({ ...steppedUp(), params: { id: answers['POST /api/admin/admins'].admin.id } });
  return {
    'PUT /api/admin/orders/{id}/status': { ...order, body: { status: 'assigned', reason } },
    'PUT /api/admin/orders/{id}': {
      ...order,
      body: { trees: 6, customerName: 'Lucía Secreta', customerEmail: 'lucia@audit.test', notes: reason },
    },
    'POST /api/admin/orders/{id}/notes': { ...order, body: { text: reason } },
    'POST /api/admin/certificates/{code}/revoke': {
      params: { code: objects.certificateCode },
      body: { reason },
    },
    'PUT /api/admin/orders/{id}/assignment': async () => {
      const { orderId } = await driver.buy('assigned@audit.test');
      const current = await driver.worker(admin, orderId);
      const { workers } = await call('GET /api/admin/workers', { token: admin, query: { limit: 100 } });
      const other = workers.find(({ id, active }) => active && id !== current.workerId)!;
      return { params: { id: orderId }, body: { workerId: other.id, reason } };
    },
    'POST /api/admin/photos/{id}/hide': photo,
    'POST /api/admin/photos/{id}/restore': photo,
    'POST /api/admin/mails/{id}/resend': { params: { id: objects.mailId } },
    'POST /api/admin/payments/{id}/refunds': { params: { id: objects.paymentId }, body: someMoney },
    'POST /api/admin/photo-packages/{id}/refunds': { params: { id: objects.purchaseId }, body: someMoney },
    // Needs a withdrawal by the donor: services/orders/test.
    'POST /api/admin/orders/{id}/withdrawal/retract': 'elsewhere',
    // Needs a refund by hand that is claimed: services/payments/test/refunds-by-hand.test.ts.
    'POST /api/admin/refunds/{id}/settlement': 'elsewhere',
    // Needs a refund that Stripe returned: services/payments/test/refunds.test.ts.
    'POST /api/admin/refunds/{id}/dismissal': 'elsewhere',
    'POST /api/admin/manual-payments/verify/{id}': {
      params: { id: objects.transferOrderId },
      body: { note: reason },
    },
    'POST /api/admin/manual-payments/reject/{id}': async () => {
      const { orderId } = await driver.announce('rejected@audit.test', { reference: 'REJECTED-1' });
      return { params: { id: orderId }, body: { reason } };
    },
    'POST /api/admin/statements': async () => {
      const { referenceNumber: reference } = await call('GET /api/manual-payments/reference');
      const { orderId } = await driver.announce('sure@audit.test', { trees: 1, reference });
      sure = { orderId, reference };
      const texts = [reference, 'linked', 'split', 'ignored', 'kept'];
      const credits = texts.map((text) => `15/03/2026;${text};20.575,00\n`);
      const lines = [
        ...credits,
        ...['gone;1.234,00', 'REVERSO gone;-1.234,00', 'other;-5.678,00'].map((row) => `15/03/2026;${row}\n`),
      ];
      const body = new FormData();
      body.append('statement', new Blob(['Fecha;Concepto;Valor\n', ...lines]), 'extracto.csv');
      return { body };
    },
    'PUT /api/admin/statements/{id}/layout': () => ({ params: statement(), body: { dayOrder: 'dmy' } }),
    'POST /api/admin/statements/{id}/confirm': () => ({ params: statement() }),
    'POST /api/admin/statement-rows/approve': async () => {
      for (const list of ['sure', 'perhaps', 'unknown'] as const) {
        const page = await call('GET /api/admin/statement-rows', { token: admin, query: { list } });
        rows = [...rows, ...page.rows];
      }
      return { body: { rows: [{ rowId: rowOf(sure.reference), orderId: sure.orderId }] } };
    },
    'POST /api/admin/statement-rows/link': async () => {
      const { orderId } = await driver.announce('linked@audit.test', { trees: 1, reference: 'LINKED-1' });
      return { body: { rowIds: [rowOf('linked')], orderId } };
    },
    'POST /api/admin/statement-rows/split': () => ({
      body: { rowId: rowOf('split'), amounts: [1_000_000, 1_057_500] },
    }),
    'POST /api/admin/statement-rows/ignore': () => ({ body: { rowIds: [rowOf('ignored')], reason } }),
    'POST /api/admin/statement-rows/keep': () => ({ body: { rowIds: [rowOf('kept')] } }),
    'POST /api/admin/statement-rows/undo': () => ({ body: { rowIds: [rowOf('kept')] } }),
    'POST /api/admin/statement-debits/return': async () => ({
      body: { debitId: await debitOf('returns', 'gone'), rowId: rowOf('gone') },
    }),
    'POST /api/admin/statement-debits/dismiss': async () => ({
      body: { debitId: await debitOf('others', 'other') },
    }),
    // Needs a refund by hand: services/payments/statements/test/returns.test.ts.
    'POST /api/admin/statement-debits/refund': 'elsewhere',
    'POST /api/admin/workers': {
      body: { name: 'Lucía Secreta', email: 'lucia@audit.test', region: 'Meta', capacityTrees: 1 },
    },
    'PUT /api/admin/workers/{id}': () => ({ params: worker(), body: { capacityTrees: 2 } }),
    'POST /api/admin/workers/{id}/invitation': () => ({ params: worker() }),
    'DELETE /api/admin/workers/{id}': () => ({ params: worker() }),
    'PUT /api/auth/me': async () => {
      await putAccount(filled.product, { role: 'admin', name: 'Eva Mora', emailVerified: true, ...SELF });
      return { token: await logIn(), body: { name: 'Eva Mora Ruiz' } };
    },
    'PUT /api/auth/me/password': () => ({
      token,
      body: { currentPassword: SELF.password, newPassword: SELF.password },
    }),
    'POST /api/auth/me/log-out-everywhere': async () => ({ token: await logIn() }),
    'PUT /api/auth/me/email': async () => ({
      token: await logIn(),
      body: { email: RENAMED, currentPassword: SELF.password },
    }),
    'POST /api/auth/me/email/confirm': async () => {
      const link = /#(?:[\w=]+&)*token=([\w-]{43})/;
      const mailed = link.exec((await openInbox(filled.product.inboxUrl).mail(RENAMED, link)).text)![1]!;
      SECRETS.add(mailed);
      return { token, body: { token: mailed } };
    },
    'POST /api/auth/admin/second-factor': async () => ({
      token: await logIn(RENAMED),
      body: { currentPassword: SELF.password },
    }),
    'POST /api/auth/admin/second-factor/confirm': () => {
      const { secret } = answers['POST /api/auth/admin/second-factor'];
      SECRETS.add(secret);
      return { token, body: { code: totp(secret, Date.now()) } };
    },
    'POST /api/auth/admin/second-factor/recovery-codes': () => {
      for (const code of confirmed().recoveryCodes) SECRETS.add(code);
      return { token: confirmed().token, body: { code: confirmed().recoveryCodes[0]! } };
    },
    'POST /api/auth/admin/step-up': () => ({ token: confirmed().token, body: { code: codes()[1]! } }),
    'POST /api/admin/admins': () => ({
      ...steppedUp(),
      body: { name: 'Iris Mora', email: 'iris@audit.test', role: 'support' },
    }),
    'PUT /api/admin/admins/{id}': () => ({ ...invited(), body: { role: 'finance' } }),
    'POST /api/admin/admins/{id}/invitation': invited,
    'DELETE /api/admin/admins/{id}': invited,
    'POST /api/auth/admin/second-factor/disable': () => ({
      ...steppedUp(),
      body: { currentPassword: SELF.password, code: codes()[0]! },
    }),
  };
}

describe('the audit log', () => {
  test('has exactly one row for each change of an admin, with its author and without secrets', async () => {
    const seen = new Set((await allRows()).map(idOf));
    const answers = {} as Answers;
    for (const [key, change] of Object.entries(changes(answers)) as [
      AuditedChange,
      Changes[AuditedChange],
    ][]) {
      if (change === 'elsewhere') continue;
      const { audit: action } = ENDPOINTS[key];
      const parts = typeof change === 'function' ? await change() : change;
      answers[key] = (await filled.call(key, { token: admin, ...parts } as never)) as never;
      const fresh = await eventually(`a row of ${key}`, async () => {
        const rows = (await allRows()).filter((row) => !seen.has(idOf(row)) && !isRead(row));
        return rows.length > 0 && rows;
      });
      expect([key, fresh.map((row) => row.action)]).toEqual([key, [action]]);
      const [{ by, correlationId, object }] = fresh as [AuditRow];
      expect([by.kind, by.role, typeof by.email, typeof object?.id]).toEqual([
        'admin',
        'owner',
        'string',
        'string',
      ]);
      expect(correlationId).toMatch(/^[\w-]{8,}$/);
      seen.add(idOf(fresh[0]!));
    }
    const text = JSON.stringify(await allRows());
    expect([...SECRETS].filter((secret) => text.includes(secret))).toEqual([]);
  }, 300_000);

  test('says which fields changed, from what to what, and only the names of personal ones', async () => {
    const [edit] = await allRows({ area: 'order', object: filled.objects.orderId.slice(-6) }).then((rows) =>
      rows.filter(({ action }) => action === 'order.edited'),
    );
    expect(edit).toMatchObject({
      service: 'orders',
      object: { type: 'order', id: filled.objects.orderId },
      after: { trees: 6 },
      withheld: ['customerName', 'customerEmail', 'notes'],
    });
    expect(Object.keys(edit!.before!)).toEqual(['trees']);
  });

  test('has no row of a call that was refused', async () => {
    const before = (await allRows()).filter((row) => !isRead(row)).map(idOf);
    const { call, objects } = filled;
    const params = { id: objects.orderId };
    const nothing = { id: 'f'.repeat(24) };
    const customer = await filled.token('customer');
    const refused = [
      () => call('PUT /api/admin/orders/{id}', { token: admin, params, body: { trees: 0 } }),
      () => call('PUT /api/admin/orders/{id}', { token: admin, params, body: { trees: 9 }, ifMatch: '0' }),
      () => call('PUT /api/admin/orders/{id}', { token: admin, params: nothing, body: { trees: 9 } }),
      () => call('PUT /api/admin/orders/{id}', { token: customer, params, body: { trees: 9 } }),
      () => call('POST /api/admin/manual-payments/verify/{id}', { token: admin, params: nothing, body: {} }),
    ];
    for (const ask of refused) await expect(ask()).rejects.toThrow();
    // Nothing changes, so nothing is told.
    await call('PUT /api/admin/orders/{id}', { token: admin, params, body: { trees: 6 } });
    expect((await allRows()).filter((row) => !isRead(row)).map(idOf)).toEqual(before);
  });

  test('has one row for each list of personal data, and one for every export', async () => {
    const { call } = filled;
    const count = async (action: AuditAction) =>
      (await allRows()).filter((row) => row.action === action && row.after?.status === 'planted').length;
    const query = { status: 'planted', q: 'Lucía Secreta' } as const;
    for (let time = 0; time < 3; time++) {
      await call('GET /api/admin/orders/manage', { token: admin, query: { ...query, limit: 10 + time } });
      await call('GET /api/admin/orders/export', { token: admin, query });
    }
    expect([await count('order.listed'), await count('order.exported')]).toEqual([1, 3]);
  });

  test('is saved as a file that no spreadsheet takes for formulas', async () => {
    await putAccount(filled.product, {
      role: 'admin',
      name: '=HYPERLINK("x")',
      email: 'formula@audit.test',
      password: SELF.password,
      emailVerified: true,
    });
    const { token } = await filled.call('POST /api/auth/admin/login', {
      body: { email: 'formula@audit.test', password: SELF.password },
    });
    await filled.call('PUT /api/auth/me', { token, body: { language: 'es' } });
    const file = await filled.call('GET /api/admin/audit-log/export', {
      token: admin,
      query: { area: 'admin' },
    });
    const lines = (await file.text()).trim().split('\r\n');
    expect(lines[0]).toMatch(/^Time \(.*\),Who,Email,Role,Action,/);
    expect(lines[1]).toContain(`"'=HYPERLINK(""x"")",formula@audit.test,owner,admin.changed`);
    expect(lines.length).toBeGreaterThan(9);
  });

  test('is whole after a donor was erased, which is a row of the operator', async () => {
    const run = (file: string, args: readonly string[]) =>
      promisify(execFile)(process.execPath, [file, ...args], {
        env: { ...process.env, DATABASE_URL: filled.product.databaseUrl },
      });
    await run(OPERATOR, ['erase', '--email', emailOf('customer', 'owner')]);
    const [erased] = await allRows({ area: 'customer' });
    expect(erased).toMatchObject({ by: { kind: 'operator' }, action: 'customer.erased', service: 'auth' });
    const { stdout } = await run(MAIN, ['verify']);
    expect(stdout.match(/ whole /g)).toHaveLength(5);
  });

  test('is named by every call that changes something for admins', () => {
    const nameless = (Object.entries(ENDPOINTS) as [string, Endpoint][]).filter(
      ([key, { access, audit }]) =>
        Array.isArray(access) && access.includes('admin') && methodOf(key) !== 'GET' && audit === undefined,
    );
    expect(nameless.map(([key]) => key)).toEqual([]);
  });
});
