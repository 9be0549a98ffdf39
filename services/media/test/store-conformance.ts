import { withContext } from '@arboleda/chassis/context.ts';
import { UniqueViolation } from '@arboleda/chassis/records.ts';
import { SPANS } from '@arboleda/chassis/telemetry/names.ts';
import { openRecentTraces } from '@arboleda/chassis/telemetry/recent.ts';
import { setTracing } from '@arboleda/chassis/telemetry/trace.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  becomeModern,
  becomeReady,
  decideVisibility,
  giveUp,
  moveLease,
  newWork,
  type Photo,
  PICTURE_STEPS,
} from '../photos/photo.ts';
import type { PhotoStore } from '../photos/store.ts';

const MINUTE_MS = 60_000;
const VARIANTS = [{ nominalWidth: 320, width: 320, height: 240 }];

/**
 * Tests for every PhotoStore. `open` returns an empty store, the published photo events, and a function that
 * closes it.
 */
export function photoStoreConformance(
  open: () => Promise<{
    store: PhotoStore;
    published: () => readonly ArboledaEvent[];
    close(): Promise<void>;
  }>,
): void {
  describe('a photo store', () => {
    let store: PhotoStore;
    let published: () => readonly ArboledaEvent[];
    let close: () => Promise<void>;
    beforeAll(async () => ({ store, published, close } = await open()));
    afterAll(() => close());

    const now = new Date('2026-03-02T00:00:00.000Z');
    const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);
    const context = { correlationId: 'upload-1' };

    let made = 0;
    const aPhoto = (changed: Partial<Photo> = {}): Photo => ({
      _id: randomUUID(),
      filename: `${randomUUID()}.jpg`,
      contentHash: randomUUID(),
      assignmentId: 'assignment-1',
      orderId: 'order-1',
      workerId: 'worker-1',
      originalName: 'árbol 🌳.jpg',
      contentType: 'image/jpeg',
      sizeBytes: 1_000,
      uploadedAt: new Date(now.getTime() + made++).toISOString(),
      state: 'accepted',
      variants: [],
      flags: [],
      ...changed,
    });
    const keep = async (photo: Photo) =>
      (await store.change(photo._id, (current) => (current ? undefined : { record: photo }), {
        isNew: true,
      }))!;
    const patch = (id: string, changed: Partial<Photo>) =>
      store.change(id, (current) => current && { record: { ...current, ...changed } });
    const idsOf = (photos: readonly Photo[]) => photos.map(({ _id }) => _id);

    describe('stores a photo', () => {
      test('with all its fields', async () => {
        const decision = {
          isHidden: true,
          reason: 'a face',
          by: { role: 'admin', id: 'a', name: 'Ana' },
          at: now.toISOString(),
        } as const;
        const photo = aPhoto({
          clientKey: randomUUID(),
          growthVisitId: 'visit-1',
          workerName: 'Luz',
          takenAt: now.toISOString(),
          takenAtFrom: 'exif',
          coordinates: { latitude: 4.5, longitude: -74 },
          coordinatesFrom: 'phone',
          accuracyMetres: 8.5,
          distanceMetres: 120,
          state: 'ready',
          variants: VARIANTS,
          hasModern: true,
          work: {
            step: 'modern',
            tries: 3,
            context: { correlationId: 'c', traceparent: 't' },
            givenUp: { error: 'no memory', at: now.toISOString() },
          },
          flags: ['far-from-place', 'used-elsewhere'],
          hidden: decision,
          decisions: [decision],
        });
        await keep(photo);
        expect(await store.get(photo._id)).toEqual(photo);
        expect(await store.byFilenames([photo.filename])).toEqual([photo]);
        await patch(photo._id, { sizeBytes: 2_000 });
        expect(await store.get(photo._id)).toEqual({ ...photo, sizeBytes: 2_000 });
      });

      test('and removes fields that a change omits', async () => {
        const { _id } = await keep(aPhoto({ work: newWork('modern', context, now) }));
        const changed = await store.change(_id, (current) => current && becomeModern(current));
        expect(await store.get(_id)).toEqual(changed);
        expect(changed).not.toHaveProperty('work');
      });

      test('but does not change an unknown one', async () => {
        expect(await store.get('nothing')).toBeUndefined();
        const seen: unknown[] = [];
        const changed = await store.change('nothing', (current) => void seen.push(current));
        expect([changed, seen]).toEqual([undefined, [undefined]]);
      });

      test('unchanged when the decision throws', async () => {
        const photo = await keep(aPhoto());
        await expect(
          store.change(photo._id, () => {
            throw new Error('not like this');
          }),
        ).rejects.toThrow('not like this');
        expect(await store.get(photo._id)).toEqual(photo);
      });

      test('once, when it is added several times concurrently', async () => {
        const photo = aPhoto();
        const kept = await Promise.all(
          ['one.jpg', 'two.jpg', 'three.jpg'].map((originalName) => keep({ ...photo, originalName })),
        );
        expect(new Set(kept.map(({ originalName }) => originalName)).size).toBe(1);
      });

      test('with all concurrent changes', async () => {
        const { _id } = await keep(aPhoto({ sizeBytes: 0 }));
        const more = () =>
          store.change(
            _id,
            (current) => current && { record: { ...current, sizeBytes: current.sizeBytes + 1 } },
          );
        await Promise.all(Array.from({ length: 10 }, more));
        expect((await store.get(_id))!.sizeBytes).toBe(10);
      });

      test('of one client key only once', async () => {
        const photo = await keep(aPhoto({ clientKey: randomUUID() }));
        await expect(keep(aPhoto({ clientKey: photo.clientKey! }))).rejects.toThrow(UniqueViolation);
        expect(await store.byClientKey(photo.clientKey!)).toEqual(photo);
        expect(await store.byClientKey('nobody’s')).toBeUndefined();
      });
    });

    describe('finds photos', () => {
      test('by name and by content', async () => {
        const [one, other] = [await keep(aPhoto()), await keep(aPhoto())];
        const same = await keep(aPhoto({ contentHash: one.contentHash }));
        const named = await store.byFilenames([other.filename, one.filename, 'nobody’s.jpg']);
        expect(idsOf(named).sort()).toEqual([one._id, other._id].sort());
        expect(await store.byFilenames([])).toEqual([]);
        expect(idsOf(await store.ofFiles([one.contentHash])).sort()).toEqual([one._id, same._id].sort());
      });

      test('of an order page by page, in upload order, even at the same instant', async () => {
        const orderId = randomUUID();
        const [at, after] = [now.toISOString(), inMinutes(1).toISOString()];
        const photos: Photo[] = [];
        for (const uploadedAt of [after, at, at]) photos.push(await keep(aPhoto({ orderId, uploadedAt })));
        const [last, ...first] = idsOf(photos);
        const expected = [...first.sort(), last];
        const page = await store.ofOrder(orderId, { limit: 2 });
        expect(idsOf(page)).toEqual(expected.slice(0, 2));
        const behind = await store.ofOrder(orderId, { after: [page[1]!.uploadedAt, page[1]!._id], limit: 2 });
        expect(idsOf(behind)).toEqual(expected.slice(2));
        expect(idsOf(await store.ofOrder(orderId, { after: [at, first[0]!], limit: 9 }))).toEqual(
          expected.slice(1),
        );
      });

      test('that are flagged, newest first, by flag and visibility', async () => {
        const by = { role: 'admin', id: 'a', name: 'Ana' } as const;
        const before = idsOf(await store.flagged({}, { limit: 100 }));
        const far = await keep(aPhoto({ flags: ['far-from-place'] }));
        const both = await keep(aPhoto({ flags: ['far-from-place', 'used-elsewhere'] }));
        await keep(aPhoto());
        await store.change(
          far._id,
          (current) =>
            current &&
            decideVisibility(current, { isHidden: true, reason: 'a face', by, at: now.toISOString() }),
        );
        const list = async (filter: Parameters<PhotoStore['flagged']>[0]) =>
          idsOf(await store.flagged(filter, { limit: 100 })).filter((id) => !before.includes(id));
        expect(await list({})).toEqual([both._id, far._id]);
        expect(await list({ flag: 'far-from-place' })).toEqual([both._id, far._id]);
        expect(await list({ flag: 'used-elsewhere' })).toEqual([both._id]);
        expect(await list({ isHidden: true })).toEqual([far._id]);
        expect(await list({ flag: 'far-from-place', isHidden: false })).toEqual([both._id]);
        expect(await list({ orderId: both.orderId })).toContain(both._id);
        expect(await list({ orderId: randomUUID() })).toEqual([]);
        const own = await keep(
          aPhoto({ flags: ['cannot-be-shown'], workerId: 'worker-7', orderId: 'order-7' }),
        );
        await keep(aPhoto({ flags: ['cannot-be-shown'], workerId: 'worker-8', orderId: 'order-7' }));
        expect(await list({ flag: 'cannot-be-shown', workerId: 'worker-7' })).toEqual([own._id]);
        expect(await list({ orderId: 'order-7', workerId: 'worker-7' })).toEqual([own._id]);
        await store.change(own._id, (current) => current && { record: { ...current, flags: [] } });
        const behind = await store.flagged({}, { after: [both.uploadedAt, both._id], limit: 1 });
        expect(idsOf(behind)).toEqual([far._id]);
      });
    });

    describe('leases photos', () => {
      /** Makes everything else not due. */
      beforeEach(async () => {
        for (;;) {
          const left = await store.lease(PICTURE_STEPS, inMinutes(1_000), inMinutes(1_000));
          if (!left) return;
          await store.change(left._id, (current) => current && becomeModern(current));
        }
      });
      const wait = (step: 'jpeg' | 'modern', dueAt = now) =>
        keep(aPhoto({ work: newWork(step, context, dueAt) }));
      const lease = (steps: readonly ('jpeg' | 'modern')[] = PICTURE_STEPS, at = now) =>
        store.lease(steps, at, new Date(at.getTime() + MINUTE_MS));

      test('longest overdue first, JPEGs before newer formats', async () => {
        const modern = await wait('modern', inMinutes(-9));
        const second = await wait('jpeg', inMinutes(-1));
        const first = await wait('jpeg', inMinutes(-2));
        await wait('jpeg', inMinutes(1));
        expect((await lease(['modern']))?._id).toBe(modern._id);
        expect((await lease())?._id).toBe(first._id);
        expect((await lease())?._id).toBe(second._id);
        expect(await lease()).toBeUndefined();
      });

      test('to one process at a time, until the lease ends', async () => {
        const { _id, work } = await wait('jpeg');
        const leased = await Promise.all([lease(), lease(), lease()]);
        expect(idsOf(leased.flatMap((photo) => photo ?? []))).toEqual([_id]);
        const until = inMinutes(1).toISOString();
        expect((await store.get(_id))!.work).toEqual({ ...work, tries: 1, dueAt: until });
        expect(await lease(PICTURE_STEPS, new Date(inMinutes(1).getTime() - 1))).toBeUndefined();
        expect((await lease(PICTURE_STEPS, inMinutes(1)))!.work!.tries).toBe(2);
      });

      test('different ones to concurrent callers', async () => {
        const waiting = [];
        for (let count = 0; count < 5; count++) waiting.push((await wait('jpeg'))._id);
        const leased = [];
        // Two that compete for one photo may leave another for the next round.
        for (let round = 0; round < 5; round++) leased.push(...(await Promise.all([lease(), lease()])));
        expect(leased.flatMap((photo) => photo?._id ?? []).sort()).toEqual(waiting.sort());
      });

      test('without losing concurrent changes', async () => {
        const { _id } = await wait('jpeg');
        const changes = Array.from({ length: 5 }, () =>
          store.change(
            _id,
            (current) => current && { record: { ...current, sizeBytes: current.sizeBytes + 1 } },
          ),
        );
        const [leased] = await Promise.all([lease(), ...changes]);
        expect(leased!._id).toBe(_id);
        expect(await store.get(_id)).toMatchObject({
          sizeBytes: 1_005,
          work: { tries: 1, dueAt: inMinutes(1).toISOString() },
        });
      });

      test('later, when the lease was moved', async () => {
        const { _id } = await wait('jpeg');
        const leased = (await lease())!;
        await store.change(_id, (current) => current && moveLease(current, leased, inMinutes(2)));
        expect(await lease(PICTURE_STEPS, inMinutes(1))).toBeUndefined();
        expect((await lease(PICTURE_STEPS, inMinutes(2)))?._id).toBe(_id);
      });

      test('and counts waiting ones and dead letters, which it lists', async () => {
        const counts = async () => ({
          jpeg: await store.count('jpeg'),
          modern: await store.count('modern'),
          givenUp: await store.count('givenUp'),
        });
        const before = await counts();
        await wait('modern', inMinutes(1));
        const { _id } = await wait('jpeg');
        expect(await counts()).toEqual({ ...before, jpeg: before.jpeg + 1, modern: before.modern + 1 });
        const leased = (await lease())!;
        await store.change(_id, (current) => current && giveUp(current, leased, 'no image', now));
        expect(await counts()).toEqual({ ...before, modern: before.modern + 1, givenUp: before.givenUp + 1 });
        expect((await store.givenUp()).at(-1)).toMatchObject({
          _id,
          work: { givenUp: { error: 'no image' } },
        });
        expect(await lease(PICTURE_STEPS, inMinutes(1_000_000))).not.toMatchObject({ _id });
      });
    });

    test('publishes the events of a change once, in order, with increasing sequences', async () => {
      const orderId = 'a'.repeat(24);
      const { _id } = await keep(aPhoto({ orderId, work: newWork('jpeg', context, now) }));
      const by = { role: 'admin', id: 'a', name: 'Ana' } as const;
      await store.change(_id, (current) => current && becomeReady(current, VARIANTS, now));
      await store.change(_id, (current) => current && becomeReady(current, VARIANTS, now));
      for (const isHidden of [true, false])
        await store.change(
          _id,
          (current) =>
            current && decideVisibility(current, { isHidden, reason: 'x', by, at: now.toISOString() }),
        );
      const ofPhoto = () => published().filter(({ data }) => (data as { photoId: string }).photoId === _id);
      await waitFor(() => ofPhoto().length >= 3);
      const events = ofPhoto().toSorted((a, b) => a.sequence - b.sequence);
      expect(events.map(({ type, key }) => [type, key])).toEqual([
        ['photo.uploaded', orderId],
        ['photo.hidden', orderId],
        ['photo.restored', orderId],
      ]);
      expect(new Set(events.map(({ sequence }) => sequence)).size).toBe(3);
    });

    test('links what is done about a photo later to the trace of its upload', async () => {
      const recent = openRecentTraces();
      const within = async <T>(run: () => Promise<T>) => {
        const span = recent.open({ name: SPANS.makePictures('jpeg'), kind: 'server', service: 'media' });
        const { traceparent } = span;
        const result = await withContext({ correlationId: 'c', traceparent }, run);
        span.end();
        return { result, traceId: traceparent.split('-')[1]! };
      };
      setTracing(recent);
      try {
        const upload = await within(() => keep(aPhoto()));
        const read = await within(() => store.get(upload.result._id));
        const change = await within(() => patch(upload.result._id, { sizeBytes: 2_000 }));
        const linksOf = (traceId: string) =>
          recent
            .traces()
            .find((trace) => trace.traceId === traceId)!
            .spans.flatMap(({ links }) => links);
        expect(linksOf(read.traceId)).toEqual([upload.traceId]);
        expect(linksOf(change.traceId)).toEqual([upload.traceId]);
        expect(linksOf(upload.traceId)).toEqual([]);
      } finally {
        setTracing(undefined);
      }
    });

    test('reports that it is healthy', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });
  });
}
