import { probeEvents } from '@arboleda/chassis/testing/probe.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { startTestMedia, type TestMedia } from '../testing/media.ts';
import { fieldPhoto, picture } from '../testing/pictures.ts';

// Pictures take their time on a busy machine.
jest.setTimeout(60_000);

let media: TestMedia;
beforeAll(async () => {
  media = await startTestMedia();
});
afterAll(() => media.close());

const jpeg = () => picture().jpeg().toBuffer();

describe('a photo is flagged, and told of with its flags,', () => {
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

  test('and an operator sees how many were', async () => {
    const line = 'photos_flagged_total{flag="far-from-place"';
    const before = await media.metric(line);
    await media.upload([{ bytes: await fieldPhoto() }], { assignment: 'far-away' });
    expect(await media.metric(line)).toBe(before + 1);
  });
});

describe('one file sent for two things', () => {
  test.each([
    ['two orders', { assignment: 'planted' }, { assignment: 'completed' }],
    ['a planting and a growth visit', { assignment: 'planted' }, { visit: 'due' }],
  ])('is found: %s', async (_name, one, other) => {
    const bytes = await jpeg();
    const events = await probeEvents(media.platform, ['photo.uploaded']);
    const [first] = (await media.upload([{ bytes }], one)).body.photos;
    expect(first.flags).toEqual([]);
    const [second] = (await media.upload([{ bytes }], other)).body.photos;
    expect(second).toMatchObject({ duplicate: false, flags: ['used-elsewhere'] });
    const { data } = await events.next('photo.uploaded', (event) => event.data.photoId === second.id);
    expect(data.flags).toEqual(['used-elsewhere']);
    expect((await media.kept(first.id)).flags).toEqual({ 'used-elsewhere': true });
  });

  test('is found also when both come at the same moment on two replicas', async () => {
    const replica = await media.replica();
    try {
      const bytes = await jpeg();
      const [one, other] = await Promise.all([
        media.upload([{ bytes }], { assignment: 'planted' }),
        media.upload([{ bytes }], { assignment: 'completed', at: replica.url }),
      ]);
      for (const { body } of [one, other]) {
        await waitFor(async () => (await media.kept(body.photos[0].id)).flags?.['used-elsewhere'], 20_000);
      }
    } finally {
      await replica.close();
    }
  });

  test('is not what was sent again for the same', async () => {
    const bytes = await jpeg();
    await media.upload([{ bytes }]);
    expect((await media.upload([{ bytes }])).body.photos[0]).toMatchObject({ duplicate: true, flags: [] });
  });
});

describe('photos of a growth visit', () => {
  test('are told of with the visit', async () => {
    const events = await probeEvents(media.platform, ['photo.uploaded']);
    const answer = await media.upload([{ bytes: await fieldPhoto() }], { visit: 'due' });
    expect(answer.status).toBe(201);
    const [{ id }] = answer.body.photos;
    const { data } = await events.next('photo.uploaded', (one) => one.data.photoId === id);
    expect(data).toMatchObject({ growthVisitId: 'due', assignmentId: 'planted', flags: expect.any(Array) });
  });

  test('may come after the visit is done', async () => {
    expect((await media.upload([{ bytes: await jpeg() }], { visit: 'done' })).status).toBe(201);
  });

  test.each([
    ['for another worker’s visit', 'somebody-elses', 404, 'not-found'],
    ['for a visit that there is not', 'unknown', 404, 'not-found'],
    ['before the trees are planted', 'waiting', 409, 'photos-not-yet'],
    ['before its day', 'scheduled', 409, 'growth-visit-not-due'],
  ])('are not taken %s', async (_name, visit, status, type) => {
    const before = await media.photosKept();
    const answer = await media.upload([{ bytes: await jpeg() }], { visit });
    expect([answer.status, answer.body.type]).toEqual([status, type]);
    expect(await media.photosKept()).toBe(before);
  });

  test('are not taken from a customer, or from nobody', async () => {
    const customer = await media.identity.token({ role: 'customer', id: 'worker-1' });
    const files = [{ bytes: await jpeg() }];
    expect((await media.upload(files, { visit: 'due', token: customer })).status).toBe(403);
    expect((await media.upload(files, { visit: 'due', token: '' })).status).toBe(401);
  });
});
