import { expect, test } from '@jest/globals';
import { Writable } from 'node:stream';
import { withContext } from './context.ts';
import { openLogger } from './log.ts';

function openTestLog() {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => (lines.push(JSON.parse(chunk.toString())), done()),
  });
  return { logger: openLogger('orders', 'info', stream), lines };
}

test('a line names its service, its level in words, and what it belongs to', () => {
  const { logger, lines } = openTestLog();
  withContext({ correlationId: 'visit-1' }, () => logger.warn({ orderId: 'o1' }, 'late'));
  logger.info('outside of any request');
  expect(lines).toMatchObject([
    { level: 'warn', service: 'orders', correlationId: 'visit-1', orderId: 'o1', msg: 'late' },
    { level: 'info', msg: 'outside of any request' },
  ]);
  expect(lines[1]).not.toHaveProperty('correlationId');
});

test('lines of a traced call name the trace', () => {
  const { logger, lines } = openTestLog();
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  withContext({ correlationId: 'visit-1', traceparent }, () => logger.info('hello'));
  expect(lines[0]).toMatchObject({ correlationId: 'visit-1', traceId: '0af7651916cd43dd8448eb211c80319c' });
});

test('what people would not want to be read is not written', () => {
  const { logger, lines } = openTestLog();
  logger.info({ email: 'ana@example.com', token: 'abc123', customer: { email: 'ana@example.com' } }, 'hello');
  expect(JSON.stringify(lines)).not.toMatch(/ana@|abc123/);
});

test('an error is told with its causes, without the row that a driver quotes', () => {
  const { logger, lines } = openTestLog();
  const driver = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(ana@example.com)',
  });
  logger.error({ err: new Error('could not register', { cause: driver }) }, 'failed');
  expect(lines[0]).toMatchObject({
    err: { message: 'could not register', cause: { message: 'duplicate key', code: '23505' } },
  });
  expect(JSON.stringify(lines)).not.toContain('ana@');
});
