import type { CrashPoint } from '@arboleda/chassis/crash-point.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { csv } from './files.ts';
import { ACCOUNT, startTestStatements, type TestStatements } from './statements.ts';

jest.setTimeout(60_000);

const ROWS = 50;
const SERVICE = fileURLToPath(new URL('./killed.ts', import.meta.url));

let statements: TestStatements;
beforeAll(async () => {
  statements = await startTestStatements();
});
afterAll(() => statements.close());

async function startAnother(): Promise<{ url: string; child: ChildProcess }> {
  const { platform, identity } = statements;
  const config = { databaseUrl: platform.databaseUrl, jwksUrl: identity.jwksUrl, accountNumber: ACCOUNT };
  const child = fork(SERVICE, [JSON.stringify(config)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [url] = await once(child, 'message');
  return { url: String(url), child };
}

test.each([
  ['before-commit', 0],
  ['after-commit', ROWS],
] as const)('an import that is killed at %s ends in the same rows', async (point: CrashPoint, kept) => {
  const { url, child } = await startAnother();
  child.send(point);
  await once(child, 'message');
  const lines = Array.from({ length: ROWS }, (_, at) => ({
    day: '2026-03-15',
    amountMinor: 10_000 + at,
    text: `${point} ${at}`,
  }));
  const { statementId: id } = (await statements.upload(csv(lines))).body.statement;
  const rows = () => statements.query('select id from statement_rows where statement_id = $1', [id]);

  const exit = once(child, 'exit');
  const token = await statements.identity.token({ role: 'admin', id: 'clara', name: 'Clara' });
  const confirmed = request(url, 'POST /api/admin/statements/{id}/confirm', { token, params: { id } });
  await expect(confirmed).rejects.toThrow();
  expect(await exit).toEqual([null, 'SIGKILL']);
  expect(await rows()).toHaveLength(kept);

  expect((await statements.confirm(id)).body.statement).toMatchObject({ added: ROWS });
  expect(await rows()).toHaveLength(ROWS);
  const event = await statements.events.next('statement.imported', ({ data }) => data.statementId === id);
  expect(event.data).toMatchObject({ credits: ROWS, added: ROWS });
});
