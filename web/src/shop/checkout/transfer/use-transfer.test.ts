import { describe, expect, test } from '@jest/globals';
import type { CreatedTransfer } from '../../../api/create-transfer.ts';
import { ApiProblem } from '../../../api/problem.ts';
import type { PendingSubmission, Submission } from '../../../order/purchase/draft.ts';
import { sendTransfer, type TransferTools } from './use-transfer.ts';

const submission = (changes: Record<string, string> = {}, pictures = ['p1']): Submission => ({
  fields: { trees: '5', customerEmail: 'sofia@correo.co', quote: 'quote-1', locale: 'es', ...changes },
  pictures,
  amountMinor: 8_230_000,
});

const problem = (status: number, type: string) => new ApiProblem({ status, type, title: type });

const noAnswer = problem(0, 'network');

type Reply = Error | 'created';

/** Scripted server answers with the draft of one buyer. */
function setUp(replies: Reply[], gone = new Set<string>()) {
  const sent: { key: string; fields: Record<string, string> }[] = [];
  let kept: PendingSubmission | undefined;
  const tools = (): TransferTools => ({
    sending: kept,
    keep: (sending) => (kept = sending),
    newKey: () => 'key-1',
    filesOf: (pictures) =>
      pictures.some((id) => gone.has(id)) ? undefined : pictures.map((id) => new File([id], id)),
    create: (fields, _files, key) => {
      sent.push({ key, fields: { ...fields } });
      const reply = replies.shift();
      return reply === 'created'
        ? Promise.resolve({ orderToken: `order-of-${sent.length}` } as CreatedTransfer)
        : Promise.reject(reply!);
    },
  });
  return { sent, send: (one: Submission) => sendTransfer(one, tools()), kept: () => kept };
}

describe('submitting a transfer', () => {
  test('submits once and returns the order', async () => {
    const { send, sent } = setUp(['created']);
    expect(await send(submission())).toEqual({ kind: 'sent', orderToken: 'order-of-1' });
    expect(sent).toHaveLength(1);
  });

  test('repeats a request with a lost answer under the same key and with the first quote', async () => {
    const { send, sent, kept } = setUp([noAnswer, 'created']);
    expect(await send(submission())).toMatchObject({ kind: 'refused', problem: { status: 0 } });
    expect(kept()?.tries).toHaveLength(1);
    await send(submission({ quote: 'quote-2' }));
    expect(sent[1]).toEqual(sent[0]);
  });

  test('sends a change after a lost answer under the same key, so that only one becomes an order', async () => {
    const { send, sent } = setUp([noAnswer, 'created']);
    await send(submission());
    await send(submission({ customerEmail: 'sofia@mail.test' }));
    expect(sent.map(({ key }) => key)).toEqual(['key-1', 'key-1']);
    expect(sent[1]!.fields.customerEmail).toBe('sofia@mail.test');
  });

  test('returns the order of a first attempt that did arrive', async () => {
    const { send, sent } = setUp([noAnswer, problem(409, 'idempotency-conflict'), 'created']);
    await send(submission());
    const outcome = await send(submission({ customerEmail: 'sofia@mail.test' }));
    expect(outcome).toEqual({ kind: 'sent', orderToken: 'order-of-3' });
    expect(sent[2]).toEqual(sent[0]);
  });

  test('reports an arrived attempt whose pictures are gone, and creates no second order', async () => {
    const gone = new Set<string>();
    const { send, sent } = setUp([noAnswer, problem(409, 'idempotency-conflict')], gone);
    await send(submission({}, ['before-the-reload']));
    gone.add('before-the-reload');
    expect(await send(submission({}, ['p1']))).toEqual({ kind: 'arrived-before' });
    expect(sent).toHaveLength(2);
  });

  test('reports a refusal with its fields, and forgets the refused attempt', async () => {
    const refusal = new ApiProblem({
      status: 422,
      type: 'evidence-damaged',
      title: 'x',
      errors: [{ path: 'evidenceFiles.0', type: 'evidence-damaged', message: 'x' }],
    });
    const { send, kept } = setUp([refusal]);
    expect(await send(submission())).toMatchObject({
      kind: 'refused',
      fields: [{ path: 'evidenceFiles.0' }],
    });
    expect(kept()?.tries).toEqual([]);
  });

  test.each([500, 503, 504])(
    'keeps an attempt with unknown result after a %d, to be repeated',
    async (status) => {
      const { send, kept } = setUp([problem(status, 'unavailable')]);
      await send(submission());
      expect(kept()?.tries).toHaveLength(1);
    },
  );

  test('asks to confirm out-of-date prices before sending again', async () => {
    const { send, kept } = setUp([problem(409, 'quote-expired')]);
    expect(await send(submission())).toEqual({ kind: 'quote-expired' });
    expect(kept()?.tries).toEqual([]);
  });

  test('a stopped attempt may have arrived', async () => {
    const { send, kept } = setUp([new DOMException('off', 'AbortError')]);
    expect(await send(submission())).toEqual({ kind: 'stopped' });
    expect(kept()?.tries).toHaveLength(1);
  });
});
