import { afterEach, describe, expect, test } from '@jest/globals';
import { currentContext, withContext } from '../context.ts';
import { openSpan, type SpanEnd, type SpanStart, traceBy, traced, traceHeaders } from './trace.ts';

interface Noted extends SpanStart {
  ended?: SpanEnd;
}

/** Names each span after its number. */
function note(): Noted[] {
  const noted: Noted[] = [];
  traceBy({
    open(start) {
      const span: Noted = { ...start };
      const number = noted.push(span);
      return { traceparent: `span-${number}`, end: (how = {}) => void (span.ended = how) };
    },
    stop: () => Promise.resolve(),
  });
  return noted;
}
afterEach(() => traceBy(undefined));

describe('while nobody traces', () => {
  test('work is done as it is', async () => {
    expect(openSpan({ name: 'a', kind: 'server' })).toBeUndefined();
    const context = { correlationId: 'c-1' };
    const seen = await withContext(context, () =>
      traced({ name: 'work', kind: 'internal' }, async () => currentContext()),
    );
    expect(seen).toBe(context);
  });

  test('nothing is told to others, not even of a trace that came from elsewhere', () => {
    withContext({ correlationId: 'c-1', traceparent: 'span-0' }, () => expect(traceHeaders()).toEqual({}));
  });
});

describe('traced work', () => {
  test('comes under the running span, and what it causes under its own', async () => {
    const noted = note();
    const inner = await withContext({ correlationId: 'c-1', causationId: 'e-1', traceparent: 'span-0' }, () =>
      traced({ name: 'outer', kind: 'consumer' }, () =>
        traced({ name: 'inner', kind: 'client' }, async () => ({ ...currentContext(), ...traceHeaders() })),
      ),
    );
    expect(noted.map(({ name, parent }) => [name, parent])).toEqual([
      ['outer', 'span-0'],
      ['inner', 'span-1'],
    ]);
    expect(inner).toEqual({ correlationId: 'c-1', causationId: 'e-1', traceparent: 'span-2' });
  });

  test('comes under what is named as its cause before all else', async () => {
    const noted = note();
    await withContext({ correlationId: 'c-1', traceparent: 'span-0' }, () =>
      traced({ name: 'handle', kind: 'consumer', parent: 'span-9' }, async () => undefined),
    );
    expect(noted[0]!.parent).toBe('span-9');
  });

  test('that fails says what kind of fault, not what the fault says', async () => {
    const noted = note();
    const failing = traced({ name: 'work', kind: 'internal' }, () =>
      Promise.reject(new TypeError('ana@example.org is no number')),
    );
    await expect(failing).rejects.toThrow(TypeError);
    expect(noted[0]!.ended).toEqual({ fault: 'TypeError' });
  });
});
