import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { jpeg } from '../testing/pictures.ts';
import { startTestTransfers, type TestTransfers } from '../testing/transfers.ts';

jest.setTimeout(60_000);

let transfers: TestTransfers;
beforeEach(async () => {
  transfers = await startTestTransfers();
});
afterEach(() => transfers.close());

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** An order with one file, and the file's name. */
async function withEvidence() {
  const { body } = await transfers.send({}, { files: [{ bytes: await jpeg() }] });
  const [file] = (await transfers.order(body.orderId)).manualPayment.evidenceFiles;
  return { id: body.orderId as string, filename: file.filename as string };
}

const objectKeys = async () =>
  (
    await transfers.rows<{ id: string; position: number }>(
      'select transfer_id as id, position from transfer_evidence',
    )
  ).flatMap(({ id, position }) => [
    `evidence/${id}/${position}/original`,
    `evidence/${id}/${position}/view.jpg`,
  ]);

const isEmpty = async (keys: readonly string[]) =>
  (await Promise.all(keys.map((key) => transfers.objects.info(key)))).every((info) => info === undefined);
const isWhole = async (keys: readonly string[]) =>
  (await Promise.all(keys.map((key) => transfers.objects.info(key)))).every((info) => info !== undefined);

describe('files that belong to nothing', () => {
  /** Sends a transfer that breaks off after its files were kept. */
  async function breakOff(): Promise<string[]> {
    const keys: string[] = [];
    transfers.faults.put = async (key) => void keys.push(key);
    await transfers.rows(`alter table transfer_evidence add constraint broken check (position < 0)`);
    expect((await transfers.send()).status).toBe(500);
    await transfers.rows('alter table transfer_evidence drop constraint broken');
    delete transfers.faults.put;
    return keys;
  }

  test('are left by a crash between file and row, and go by themselves', async () => {
    const keys = await breakOff();
    expect(keys).toHaveLength(2);
    expect(await isWhole(keys)).toBe(true);
    expect(await transfers.kept()).toEqual({ transfers: 0, files: 0, removals: 2 });
    transfers.advance(16 * MINUTE_MS);
    await waitFor(async () => (await transfers.kept()).removals === 0);
    expect(await isEmpty(keys)).toBe(true);
  });

  test('are left by the loser of a double click, and only those go', async () => {
    const files = [{ bytes: await jpeg() }];
    const all = new Set<string>();
    transfers.faults.put = async (key) => void all.add(key);
    const answers = await Promise.all([1, 2, 3].map(() => transfers.send({}, { files })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const kept = await objectKeys();
    expect(kept).toHaveLength(2);
    transfers.advance(16 * MINUTE_MS);
    await waitFor(async () => (await transfers.kept()).removals === 0);
    expect(await isWhole(kept)).toBe(true);
    expect(await isEmpty([...all].filter((key) => !kept.includes(key)))).toBe(true);
  });

  test('are not claimed once the sweep may be at them', async () => {
    transfers.faults.put = async (key) => {
      if (key.endsWith('view.jpg')) transfers.advance(15 * MINUTE_MS);
    };
    expect(await transfers.send()).toMatchObject({ status: 503, body: { type: 'unavailable' } });
    expect((await transfers.kept()).transfers).toBe(0);
  });
});

describe('evidence of decided transfers', () => {
  test('is kept unless told otherwise', async () => {
    const { id, filename } = await withEvidence();
    await transfers.verify(id);
    transfers.advance(4_000 * DAY_MS);
    const other = await withEvidence();
    await transfers.send();
    expect((await transfers.evidence(filename)).status).toBe(200);
    expect((await transfers.evidence(other.filename)).status).toBe(200);
  });

  test('goes when its time is over, and what waits stays', async () => {
    const decided = await withEvidence();
    const keys = await objectKeys();
    const waiting = await withEvidence();
    await transfers.verify(decided.id);
    await transfers.start({ evidenceRetentionDays: 30 });
    transfers.advance(29 * DAY_MS);
    expect((await transfers.evidence(decided.filename)).status).toBe(200);
    transfers.advance(2 * DAY_MS);
    await waitFor(() => isEmpty(keys));
    expect((await transfers.evidence(decided.filename)).status).toBe(404);
    expect((await transfers.evidence(waiting.filename)).status).toBe(200);
    expect((await transfers.order(decided.id)).manualPayment).toMatchObject({
      evidenceFiles: [],
      evidenceRemoved: true,
    });
  });
});
