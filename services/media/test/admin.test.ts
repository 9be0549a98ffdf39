import { probeEvents } from '@arboleda/chassis/testing/probe.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ORDER_ID, OTHER_ORDER_ID, startTestMedia, type TestMedia, WORKER } from './media.ts';
import { FIELD_PLACE, FIELD_TIME, fieldPhoto, picture } from './pictures.ts';

jest.setTimeout(60_000);

let media: TestMedia;

beforeAll(async () => {
  media = await startTestMedia();
});

afterAll(() => media.close());

const jpeg = () => picture().jpeg().toBuffer();

/** Sends a photo and waits until it can be shown. */
async function send(bytes: Uint8Array, options: Parameters<TestMedia['upload']>[1] = {}) {
  const [photo] = (await media.upload([{ bytes }], options)).body.photos;
  await media.ready(photo.filename);
  return photo as { id: string; filename: string };
}

const hide = (id: string, reason = 'a face can be seen') =>
  media.admin('POST /api/admin/photos/{id}/hide', { params: { id }, body: { reason } });

const restore = (id: string, reason = 'nobody is on it') =>
  media.admin('POST /api/admin/photos/{id}/restore', { params: { id }, body: { reason } });

const publicStatus = async (filename: string) => (await media.photo(filename, 320)).status;

describe('an admin sees the photos of an order', () => {
  test('with place, time, flags and worker', async () => {
    const bytes = await fieldPhoto();
    const one = await send(bytes);
    const other = await send(bytes, { assignment: 'completed' });
    const { status, body } = await media.admin('GET /api/admin/orders/{id}/photos', {
      params: { id: ORDER_ID },
    });
    expect(status).toBe(200);
    const found = body.photos.find(({ _id }: { _id: string }) => _id === one.id);
    expect(found).toMatchObject({
      filename: one.filename,
      orderId: ORDER_ID,
      worker: { workerId: WORKER, name: 'Test worker' },
      isReady: true,
      width: 400,
      height: 300,
      takenAt: FIELD_TIME,
      takenAtFrom: 'exif',
      coordinates: FIELD_PLACE,
      coordinatesFrom: 'exif',
      distanceMetres: expect.any(Number),
      flags: ['used-elsewhere'],
      usedElsewhere: [{ _id: other.id, orderId: OTHER_ORDER_ID, assignmentId: 'completed' }],
      decisions: [],
    });
  });

  test('in pages, in upload order', async () => {
    const params = { id: ORDER_ID };
    const sent = [];
    for (let count = 0; count < 3; count++) sent.push((await send(await jpeg())).id);
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 2, ...(cursor && { cursor }) };
      const { body } = await media.admin('GET /api/admin/orders/{id}/photos', { params, query });
      expect(body.photos.length).toBeLessThanOrEqual(2);
      ids.push(...body.photos.map(({ _id }: { _id: string }) => _id));
      cursor = body.nextCursor;
    } while (cursor);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.slice(-3)).toEqual(sent);
  });

  test('and none of an order without', async () => {
    const params = { id: 'a'.repeat(24) };
    const { status, body } = await media.admin('GET /api/admin/orders/{id}/photos', { params });
    expect([status, body]).toEqual([200, { photos: [] }]);
  });
});

describe('an admin sees flagged photos', () => {
  test('of one kind or all, newest first, hidden ones separately', async () => {
    const far = await send(await fieldPhoto(), { assignment: 'far-away' });
    const early = await send(await fieldPhoto(), { assignment: 'ordered-later' });
    const list = async (query: Record<string, string | number>) =>
      (await media.admin('GET /api/admin/photos', { query })).body.photos.map(
        ({ _id }: { _id: string }) => _id,
      );
    expect((await list({})).slice(0, 2)).toEqual([early.id, far.id]);
    expect(await list({ flag: 'far-from-place' })).toEqual([far.id]);
    expect(await list({ flag: 'taken-before-order' })).toEqual([early.id]);
    await hide(far.id);
    expect(await list({ flag: 'far-from-place', hidden: 'false' })).toEqual([]);
    expect(await list({ hidden: 'true' })).toEqual([far.id]);
    const first = await media.admin('GET /api/admin/photos', { query: { limit: 1 } });
    expect(first.body.photos[0]._id).toBe(early.id);
    expect((await list({ limit: 1, cursor: first.body.nextCursor }))[0]).toBe(far.id);
  });

  test.each([
    ['flag', 'ugly', 'unknown-value'],
    ['hidden', 'maybe', 'unknown-value'],
    ['limit', '0', 'too-small'],
    ['cursor', 'nonsense', 'invalid'],
  ])('but not with a wrong %s', async (name, value, type) => {
    const { status, body } = await media.admin('GET /api/admin/photos', { query: { [name]: value } });
    expect([status, body.errors[0]]).toMatchObject([422, { path: name, type }]);
  });
});

describe('photos of a former worker', () => {
  const listed = async (flag: string) =>
    (await media.admin('GET /api/admin/photos', { query: { flag, hidden: 'true' } })).body.photos;

  test.each(['taken-away', 'nobodys-now'])(
    'are visible to admins only until one has decided: %s',
    async (assignment) => {
      const sent = await media.upload([{ bytes: await jpeg() }], { assignment });
      expect(sent.status).toBe(201);
      const [{ id, filename, flags }] = sent.body.photos;
      expect(flags).toEqual(['after-reassignment']);
      await waitFor(async () => (await media.kept(id)).state === 'ready');
      expect(await publicStatus(filename)).toBe(404);
      const [photo] = await listed('after-reassignment');
      expect(photo).toMatchObject({ _id: id, hidden: { by: { role: 'system' } } });

      await hide(id, 'planted elsewhere');
      expect((await listed('after-reassignment'))[0]).toMatchObject({
        hidden: { by: { role: 'admin' }, reason: 'planted elsewhere' },
        decisions: [{ by: { role: 'system' } }, { by: { role: 'admin' } }],
      });
      await restore(id, 'these are the trees');
      expect(await publicStatus(filename)).toBe(200);
    },
  );

  test('of a growth visit are shown, and marked', async () => {
    const sent = await media.upload([{ bytes: await jpeg() }], { visit: 'taken-away' });
    const [{ filename, flags }] = sent.body.photos;
    expect(flags).toEqual(['after-reassignment']);
    await media.ready(filename);
  });
});

describe('a hidden photo', () => {
  test('disappears at once for everybody but admins, who see why, and can be restored', async () => {
    const events = await probeEvents(media.platform, ['photo.hidden', 'photo.restored']);
    const { id, filename } = await send(await jpeg());
    const hidden = await hide(id);
    expect(hidden.status).toBe(200);
    expect(hidden.body.photo).toMatchObject({
      _id: id,
      hidden: { reason: 'a face can be seen', by: { role: 'admin', id: 'admin-1', name: 'Ana' } },
    });
    const gone = await media.photo(filename, 320);
    expect([gone.status, gone.body.type]).toEqual([404, 'not-found']);
    expect(gone.headers.get('cache-control') ?? '').not.toMatch(/public/);
    const seen = await media.admin('GET /api/admin/photos/{filename}', { params: { filename } });
    expect([seen.status, seen.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect((await events.next('photo.hidden')).data).toMatchObject({
      orderId: ORDER_ID,
      assignmentId: 'planted',
      photoId: id,
      filename,
      reason: 'a face can be seen',
      by: { role: 'admin', id: 'admin-1', name: 'Ana' },
    });

    const restored = await restore(id);
    expect(restored.body.photo.hidden).toBeUndefined();
    expect(restored.body.photo.decisions).toMatchObject([{ isHidden: true }, { isHidden: false }]);
    expect(await publicStatus(filename)).toBe(200);
    expect((await events.next('photo.restored')).data).toMatchObject({
      photoId: id,
      reason: 'nobody is on it',
    });
  });

  test('disappears at once at every replica, even when cached', async () => {
    const other = await media.replica();
    try {
      const { id, filename } = await send(await jpeg());
      const look = async (url: string, headers: Record<string, string> = {}) =>
        fetch(`${url}/api/photos/${filename}?w=320`, {
          headers: { 'Cache-Control': 'max-age=0', ...headers },
        });
      const known = { 'If-None-Match': (await look(media.url())).headers.get('etag')! };
      for (let round = 0; round < 3; round++) {
        for (const url of [media.url(), other.url]) expect((await look(url, known)).status).toBe(304);
        await hide(id);
        for (const url of [other.url, media.url()]) {
          expect([(await look(url, known)).status, (await look(url)).status]).toEqual([404, 404]);
        }
        await restore(id);
      }
    } finally {
      await other.close();
    }
  });

  test('is hidden once, by the first admin', async () => {
    const events = await probeEvents(media.platform, ['photo.hidden', 'photo.restored']);
    const { id } = await send(await jpeg());
    const answers = await Promise.all(['first', 'second', 'third'].map((reason) => hide(id, reason)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const reasons = new Set(answers.map(({ body }) => body.photo.hidden.reason));
    expect(reasons.size).toBe(1);
    await restore(id);
    await events.next('photo.restored', ({ data }) => data.photoId === id);
    expect(events.all('photo.hidden').filter(({ data }) => data.photoId === id)).toHaveLength(1);
    expect((await restore(id)).status).toBe(200);
    expect((await media.kept(id)).decisions).toHaveLength(2);
  });

  test('stays hidden when its worker sends it again', async () => {
    const bytes = await jpeg();
    const { id, filename } = await send(bytes);
    await hide(id);
    expect((await media.upload([{ bytes }])).body.photos[0]).toMatchObject({ id, duplicate: true });
    expect(await publicStatus(filename)).toBe(404);
  });

  test('is counted in metrics', async () => {
    const line = 'photos_decided_total{decision="hidden"';
    const before = await media.metric(line);
    const { id } = await send(await jpeg());
    await hide(id);
    await hide(id);
    expect(await media.metric(line)).toBe(before + 1);
  });
});

describe('a decision is refused', () => {
  test.each([
    ['without a reason', {}, 'required'],
    ['for an empty reason', { reason: '  ' }, 'required'],
    ['for a reason that cannot be stored', { reason: 'x\u0000y' }, 'invalid'],
    ['for a reason that is too long', { reason: 'x'.repeat(1001) }, 'too-long'],
  ])('%s', async (_name, body, type) => {
    const { id, filename } = await send(await jpeg());
    for (const key of ['POST /api/admin/photos/{id}/hide', 'POST /api/admin/photos/{id}/restore'] as const) {
      const answer = await media.admin(key, { params: { id }, body });
      expect([answer.status, answer.body.errors[0]]).toMatchObject([422, { path: 'reason', type }]);
    }
    expect(await publicStatus(filename)).toBe(200);
  });

  test('for an unknown photo', async () => {
    expect([(await hide('nothing')).status, (await restore('nothing')).status]).toEqual([404, 404]);
  });

  test('for anybody who is no admin', async () => {
    const { id, filename } = await send(await jpeg());
    const worker = await media.identity.token({ role: 'worker', id: WORKER });
    const calls = [
      ['GET /api/admin/orders/{id}/photos', { params: { id: ORDER_ID } }],
      ['GET /api/admin/photos', {}],
      ['GET /api/admin/photos/{filename}', { params: { filename } }],
      ['POST /api/admin/photos/{id}/hide', { params: { id }, body: { reason: 'x' } }],
      ['POST /api/admin/photos/{id}/restore', { params: { id }, body: { reason: 'x' } }],
    ] as const;
    for (const [key, parts] of calls) {
      expect((await media.admin(key, { ...parts, token: worker })).status).toBe(403);
      expect((await media.admin(key, { ...parts, token: '' })).status).toBe(401);
    }
    expect(await publicStatus(filename)).toBe(200);
  });
});

describe('a photo is flagged, and published with its flags,', () => {
  test.each([
    ['when it was taken far from the order’s place', 'far-away', ['far-from-place']],
    ['when it is older than the order', 'ordered-later', ['taken-before-order']],
    ['but not when place and time fit', 'planted', []],
  ])('%s', async (_name, assignment, flags) => {
    const events = await probeEvents(media.platform, ['photo.uploaded']);
    const [photo] = (await media.upload([{ bytes: await fieldPhoto() }], { assignment })).body.photos;
    expect(photo.flags).toEqual(flags);
    const { data } = await events.next('photo.uploaded', (one) => one.data.photoId === photo.id);
    expect(data.flags).toEqual(flags);
  });

  test('and metrics count the flags', async () => {
    const line = 'photos_flagged_total{flag="far-from-place"';
    const before = await media.metric(line);
    await media.upload([{ bytes: await fieldPhoto() }], { assignment: 'far-away' });
    expect(await media.metric(line)).toBe(before + 1);
  });
});

describe('one file sent for two purposes', () => {
  test.each([
    ['two orders', { assignment: 'planted' }, { assignment: 'completed' }],
    ['a planting and a growth visit', { assignment: 'planted' }, { visit: 'due' }],
  ])('is detected: %s', async (_name, one, other) => {
    const bytes = await jpeg();
    const events = await probeEvents(media.platform, ['photo.uploaded']);
    const [first] = (await media.upload([{ bytes }], one)).body.photos;
    expect(first.flags).toEqual([]);
    const [second] = (await media.upload([{ bytes }], other)).body.photos;
    expect(second).toMatchObject({ duplicate: false, flags: ['used-elsewhere'] });
    const { data } = await events.next('photo.uploaded', (event) => event.data.photoId === second.id);
    expect(data.flags).toEqual(['used-elsewhere']);
    expect((await media.kept(first.id)).flags).toEqual(['used-elsewhere']);
  });

  test('is detected when both arrive at once at two replicas', async () => {
    const replica = await media.replica();
    try {
      const bytes = await jpeg();
      const [one, other] = await Promise.all([
        media.upload([{ bytes }], { assignment: 'planted' }),
        media.upload([{ bytes }], { assignment: 'completed', at: replica.url }),
      ]);
      for (const { body } of [one, other]) {
        await waitFor(
          async () => (await media.kept(body.photos[0].id)).flags.includes('used-elsewhere'),
          20_000,
        );
      }
    } finally {
      await replica.close();
    }
  });

  test('is not the same file sent again for the same purpose', async () => {
    const bytes = await jpeg();
    await media.upload([{ bytes }]);
    expect((await media.upload([{ bytes }])).body.photos[0]).toMatchObject({ duplicate: true, flags: [] });
  });
});

describe('photos of a growth visit', () => {
  test('are published with the visit', async () => {
    const events = await probeEvents(media.platform, ['photo.uploaded']);
    const answer = await media.upload([{ bytes: await fieldPhoto() }], { visit: 'due' });
    expect(answer.status).toBe(201);
    const [{ id }] = answer.body.photos;
    const { data } = await events.next('photo.uploaded', (one) => one.data.photoId === id);
    expect(data).toMatchObject({ growthVisitId: 'due', assignmentId: 'planted', flags: expect.any(Array) });
  });

  test('may come after the visit is completed', async () => {
    expect((await media.upload([{ bytes: await jpeg() }], { visit: 'done' })).status).toBe(201);
  });

  test.each([
    ['for another worker’s visit', 'somebody-elses', 404, 'not-found'],
    ['for a visit that there is not', 'unknown', 404, 'not-found'],
    ['before the trees are planted', 'waiting', 409, 'photos-not-yet'],
    ['before its day', 'scheduled', 409, 'growth-visit-not-due'],
  ])('are refused %s', async (_name, visit, status, type) => {
    const before = await media.photosKept();
    const answer = await media.upload([{ bytes: await jpeg() }], { visit });
    expect([answer.status, answer.body.type]).toEqual([status, type]);
    expect(await media.photosKept()).toBe(before);
  });

  test('are refused from customers and anonymous callers', async () => {
    const customer = await media.identity.token({ role: 'customer', id: 'worker-1' });
    const files = [{ bytes: await jpeg() }];
    expect((await media.upload(files, { visit: 'due', token: customer })).status).toBe(403);
    expect((await media.upload(files, { visit: 'due', token: '' })).status).toBe(401);
  });
});
