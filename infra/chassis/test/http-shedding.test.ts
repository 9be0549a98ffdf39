import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { openAdmission } from '../http/admission.ts';
import { signServiceToken } from '../http/identity.ts';
import { TEST_SERVICE_SECRET } from '../testing/config.ts';
import { waitFor } from '../testing/wait.ts';
import { startHttp, type TestHttp } from './http-kit.ts';

const MAX = 4;

let http: TestHttp;
let released: PromiseWithResolvers<void>;
let inHand = 0;
const slowly = async () => {
  inHand++;
  await released.promise;
  return {};
};

beforeAll(async () => {
  http = await startHttp(
    {
      'GET /api/slow': { handle: slowly },
      'POST /api/money': { declared: { neverShed: true, body: z.unknown() } },
      'GET /internal/asked': { declared: { access: 'service' } },
    },
    { admission: openAdmission(MAX) },
  );
});
afterAll(() => http.close());

test('a service turns away what it cannot answer in time, but for money and its neighbours', async () => {
  released = Promise.withResolvers<void>();
  const taken = Array.from({ length: MAX }, () => http.send('GET', '/api/slow'));
  await waitFor(() => inHand === MAX);
  const shed = await http.send('GET', '/api/slow');
  expect(shed).toMatchObject({ status: 503, body: { type: 'overloaded' } });
  expect(Number(shed.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await http.send('POST', '/api/money')).status).toBe(200);
  const token = await signServiceToken(TEST_SERVICE_SECRET, 'payments', 'orders');
  const asked = await http.send('GET', '/internal/asked', { headers: { authorization: `Bearer ${token}` } });
  expect(asked.status).toBe(200);
  released.resolve();
  expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await http.send('GET', '/api/slow')).status).toBe(200);
  expect(http.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
