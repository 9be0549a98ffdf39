import { expect, test } from '@jest/globals';
import { openRecentTraces } from './recent.ts';

test('a span belongs to the trace and, unless it names its own, to the service of its parent', () => {
  const recent = openRecentTraces();
  const above = recent.open({ name: 'GET', kind: 'server', service: 'orders' });
  recent.open({ name: 'send mail', kind: 'client', parent: above.traceparent }).end();
  above.end({ name: 'GET /api/stats' });
  const [trace, ...others] = recent.traces();
  expect(others).toEqual([]);
  expect(trace!.spans.map(({ service, name }) => [service, name])).toEqual([
    ['orders', 'send mail'],
    ['orders', 'GET /api/stats'],
  ]);
  expect(trace!.spans[0]!.parentId).toBe(trace!.spans[1]!.spanId);
});

test('an invalid traceparent begins a new trace', () => {
  const recent = openRecentTraces();
  recent.open({ name: 'GET', kind: 'server', parent: '00-nonsense' }).end();
  expect(recent.traces()[0]).toMatchObject({
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    spans: [{ parentId: undefined }],
  });
});

test('a span keeps the traces that it is linked to, each once', () => {
  const recent = openRecentTraces();
  const began = recent.open({ name: 'POST', kind: 'server' });
  const later = recent.open({ name: 'POST', kind: 'server' });
  for (let times = 0; times < 2; times++) recent.link(later.traceparent, began.traceparent);
  recent.link(later.traceparent, 'nonsense');
  later.end();
  expect(recent.traces()[0]!.spans[0]!.links).toEqual([began.traceparent.split('-')[1]]);
});

test('only the last 500 traces are kept, and 300 spans of each', () => {
  const recent = openRecentTraces();
  for (let number = 0; number < 600; number++) recent.open({ name: `${number}`, kind: 'internal' }).end();
  const names = recent.traces().map(({ spans }) => spans[0]!.name);
  expect([names.length, names[0], names.at(-1)]).toEqual([500, '599', '100']);
  const long = recent.open({ name: 'long', kind: 'internal' });
  for (let number = 0; number < 400; number++)
    recent.open({ name: 'step', kind: 'internal', parent: long.traceparent }).end();
  expect(recent.traces()[0]!.spans).toHaveLength(300);
});
