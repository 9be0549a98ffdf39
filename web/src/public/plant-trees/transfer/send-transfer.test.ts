import { describe, expect, test } from '@jest/globals';
import type { CreatedTransfer } from '../../../api/create-transfer.ts';
import { ApiProblem } from '../../../api/problem.ts';
import { sendTransfer, type Announcement, type Sending, type TransferTools } from './send-transfer.ts';

const announcement = (changes: Record<string, string> = {}, pictures = ['p1']): Announcement => ({
  fields: { trees: '5', customerEmail: 'sofia@correo.co', quote: 'quote-1', locale: 'es', ...changes },
  pictures,
  amountMinor: 8_230_000,
});

const problem = (status: number, type: string) => new ApiProblem({ status, type, title: type });
const noAnswer = problem(0, 'network');

type Reply = Error | 'created';

/** A server that answers as told, and the draft of one buyer. */
function desk(replies: Reply[], gone = new Set<string>()) {
  const sent: { key: string; fields: Record<string, string> }[] = [];
  let kept: Sending | undefined;
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
  return { sent, send: (one: Announcement) => sendTransfer(one, tools()), kept: () => kept };
}

describe('announcing a transfer', () => {
  test('sends it once and knows its order', async () => {
    const { send, sent } = desk(['created']);
    expect(await send(announcement())).toEqual({ kind: 'sent', orderToken: 'order-of-1' });
    expect(sent).toHaveLength(1);
  });

  test('after a lost answer the very same is sent again under the same key, with the quote of the first try', async () => {
    const { send, sent, kept } = desk([noAnswer, 'created']);
    expect(await send(announcement())).toMatchObject({ kind: 'refused', problem: { status: 0 } });
    expect(kept()?.tries).toHaveLength(1);
    await send(announcement({ quote: 'quote-2' }));
    expect(sent[1]).toEqual(sent[0]);
  });

  test('a change after a lost answer goes under the same key: only one of the two can become an order', async () => {
    const { send, sent } = desk([noAnswer, 'created']);
    await send(announcement());
    await send(announcement({ customerEmail: 'sofia@mail.test' }));
    expect(sent.map(({ key }) => key)).toEqual(['key-1', 'key-1']);
    expect(sent[1]!.fields.customerEmail).toBe('sofia@mail.test');
  });

  test('when the first try did arrive, repeating it leads to its order', async () => {
    const { send, sent } = desk([noAnswer, problem(409, 'idempotency-conflict'), 'created']);
    await send(announcement());
    const outcome = await send(announcement({ customerEmail: 'sofia@mail.test' }));
    expect(outcome).toEqual({ kind: 'sent', orderToken: 'order-of-3' });
    expect(sent[2]).toEqual(sent[0]);
  });

  test('when the first try arrived and its pictures are gone, it says so and makes no other order', async () => {
    const gone = new Set<string>();
    const { send, sent } = desk([noAnswer, problem(409, 'idempotency-conflict')], gone);
    await send(announcement({}, ['before-the-reload']));
    gone.add('before-the-reload');
    expect(await send(announcement({}, ['p1']))).toEqual({ kind: 'arrived-before' });
    expect(sent).toHaveLength(2);
  });

  test('a refusal is told with its fields, and what was refused is not waited for', async () => {
    const refusal = new ApiProblem({
      status: 422, type: 'evidence-damaged', title: 'x',
      errors: [{ path: 'evidenceFiles.0', type: 'evidence-damaged', message: 'x' }],
    }); // prettier-ignore
    const { send, kept } = desk([refusal]);
    expect(await send(announcement())).toMatchObject({
      kind: 'refused',
      fields: [{ path: 'evidenceFiles.0' }],
    });
    expect(kept()?.tries).toEqual([]);
  });

  test.each([500, 503, 504])('after a %d nobody knows: it stays to be sent again', async (status) => {
    const { send, kept } = desk([problem(status, 'unavailable')]);
    await send(announcement());
    expect(kept()?.tries).toHaveLength(1);
  });

  test('out-of-date prices are asked about before anything is sent again', async () => {
    const { send, kept } = desk([problem(409, 'quote-expired')]);
    expect(await send(announcement())).toEqual({ kind: 'quote-expired' });
    expect(kept()?.tries).toEqual([]);
  });

  test('called off, it may have arrived all the same', async () => {
    const { send, kept } = desk([new DOMException('off', 'AbortError')]);
    expect(await send(announcement())).toEqual({ kind: 'stopped' });
    expect(kept()?.tries).toHaveLength(1);
  });
});
