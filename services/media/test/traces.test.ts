import { startTelemetry, type Telemetry } from '@arboleda/chassis/telemetry/start.ts';
import { startCollector, type TestCollector } from '@arboleda/chassis/testing/collector.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestMedia, type TestMedia } from './media.ts';
import { picture } from './pictures.ts';

let collector: TestCollector;
let telemetry: Telemetry | undefined;
let media: TestMedia;
beforeAll(async () => {
  collector = await startCollector();
  telemetry = await startTelemetry({ service: 'media', endpoint: collector.endpoint });
  media = await startTestMedia();
}, 60_000);
afterAll(async () => {
  await media?.close();
  await telemetry?.stop();
  await collector?.close();
});

test('what an admin decides on a photo is linked to the trace of its upload', async () => {
  const { body } = await media.upload([{ bytes: await picture().jpeg().toBuffer() }]);
  const [{ id, filename }] = body.photos;
  const { traceId } = await collector.span('POST /api/workers/assignments/{id}/photos');
  await media.ready(filename);
  expect(await collector.span('pictures jpeg')).toMatchObject({ traceId, links: [] });
  await media.admin('POST /api/admin/photos/{id}/hide', { params: { id }, body: { reason: 'a face' } });
  const hiding = await collector.span('POST /api/admin/photos/{id}/hide');
  expect(hiding.links).toEqual([traceId]);
  expect(hiding.traceId).not.toBe(traceId);
}, 60_000);
