import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Harness, newEmail, openHarness } from './harness.ts';
import { openWorkersHarness, NEW_WORKER, type WorkersHarness } from './workers-harness.ts';

let auth: Harness;

let workers: WorkersHarness;

beforeAll(async () => {
  auth = await openHarness();
  workers = await openWorkersHarness(auth);
});

afterAll(() => auth.close());

describe('adding a worker', () => {
  test('creates an account with a code of its region, publishes it, and emails an invitation', async () => {
    const email = newEmail();
    const { status, body, headers } = await workers.add({ email: email.toUpperCase(), region: 'Putumayo' });
    expect(status).toBe(201);
    expect(body.worker).toEqual({
      ...NEW_WORKER,
      id: expect.any(String),
      workerId: 'PU-001',
      email,
      region: 'Putumayo',
      active: true,
      emailVerified: false,
      invitationPending: true,
      createdAt: expect.any(String),
      revision: 0,
    });
    expect(headers.get('ETag')).toBe('"0"');
    const { id } = body.worker;
    const published = await auth.events.next('worker.registered', ({ data }) => data.workerId === id);
    expect(published.data).toEqual({
      ...NEW_WORKER,
      workerId: id,
      code: 'PU-001',
      email,
      region: 'Putumayo',
      active: false,
    });
    const mail = await workers.invitation(email);
    expect(mail).toMatchObject({
      accountId: id,
      role: 'worker',
      name: 'Mateo Ríos',
      code: 'PU-001',
      language: 'es',
    });
    const sevenDaysMs = 7 * 24 * 3_600_000;
    expect(Date.parse(mail.expiresAt) - Date.now()).toBeGreaterThan(sevenDaysMs - 60_000);
  });

  test('takes the next code of a region, even concurrently', async () => {
    await workers.add({ region: 'Nariño', code: 'NA-041' });
    const answers = await Promise.all(Array.from({ length: 4 }, () => workers.add({ region: 'nariño' })));
    const codes = answers.map(({ body }) => body.worker.workerId).sort();
    expect(codes).toEqual(['NA-042', 'NA-043', 'NA-044', 'NA-045']);
  });

  test('accepts a given code unless it is taken', async () => {
    expect((await workers.add({ code: ' gu-007 ' })).body.worker.workerId).toBe('GU-007');
    const email = newEmail();
    const { status, body } = await workers.add({ code: 'GU-007', email });
    expect([status, body.type, body.errors[0].path]).toEqual([409, 'worker-code-taken', 'code']);
    expect((await auth.query('select from auth.accounts where email = $1', [email])).rowCount).toBe(0);
  });

  test('refuses another worker’s address, but accepts a customer’s', async () => {
    const [customer, email] = [await auth.someone('customer'), newEmail()];
    const answers = await Promise.all([workers.add({ email }), workers.add({ email })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({
      type: 'worker-email-taken',
      errors: [expect.objectContaining({ path: 'email' })],
    });
    expect((await workers.add({ email: customer.email })).status).toBe(201);
  });

  test.each([
    ['name', { name: ' ' }, 'required'],
    ['email', { email: 'mateo' }, 'invalid-email'],
    ['region', { region: '' }, 'required'],
    ['region', { region: 'a\u0000' }, 'invalid'],
    ['capacityTrees', { capacityTrees: -1 }, 'too-small'],
    ['capacityTrees', { capacityTrees: 1.5 }, 'not-an-integer'],
    ['capacityTrees', { capacityTrees: 1_000_001 }, 'too-big'],
    ['language', { language: 'fr' }, 'unknown-value'],
    ['code', { code: 'QU 014' }, 'invalid'],
    ['code', { code: 'x'.repeat(21) }, 'too-long'],
  ])('is refused when %s is wrong: %j', async (path, changes, type) => {
    const { status, body } = await workers.add(changes);
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ path, type })]]);
  });
});

describe('changing a worker', () => {
  test('changes the given fields, and is published in a defined order', async () => {
    const { id } = await workers.joined();
    const { status, body, headers } = await workers.put(id, {
      name: 'Mateo R.',
      region: 'Huila',
      capacityTrees: 5,
      language: 'en',
    });
    expect(status).toBe(200);
    expect(body.worker).toMatchObject({
      name: 'Mateo R.',
      region: 'Huila',
      capacityTrees: 5,
      language: 'en',
      active: true,
    });
    expect(headers.get('ETag')).toBe(`"${body.worker.revision}"`);
    const published = await auth.events.next(
      'worker.updated',
      ({ data }) => data.workerId === id && data.region === 'Huila',
    );
    expect(published).toMatchObject({ sequence: body.worker.revision, data: { capacityTrees: 5 } });
    expect((await workers.get(id)).body).toEqual(body);
  });

  test('without changes is not published', async () => {
    const { id } = await workers.joined();
    const before = (await workers.get(id)).body;
    expect((await workers.put(id, {})).body).toEqual(before);
    expect((await workers.put(id, { name: NEW_WORKER.name, active: true })).body).toEqual(before);
    await workers.put(id, { capacityTrees: 1 });
    await auth.events.next('worker.updated', ({ data }) => data.workerId === id && data.capacityTrees === 1);
    // The first event was published when they joined.
    expect(workers.updates(id).map(({ data }) => data.capacityTrees)).toEqual([
      before.worker.capacityTrees,
      1,
    ]);
  });

  test('to inactive logs them out and keeps them out until they are active again', async () => {
    const { id, email, token } = await workers.joined();
    expect((await workers.put(id, { active: false })).body.worker.active).toBe(false);
    expect(await auth.isLoggedIn('worker', token)).toBe(false);
    expect((await auth.logIn('worker', email)).status).toBe(401);
    await auth.events.next('worker.updated', ({ data }) => data.workerId === id && !data.active);
    await workers.put(id, { active: true });
    expect(await auth.isLoggedIn('worker', token)).toBe(false);
    expect((await auth.logIn('worker', email)).status).toBe(200);
  });

  test('to another address makes it unverified, and is refused when it is taken', async () => {
    const [{ id }, other] = [await workers.joined(), await workers.joined()];
    const refused = await workers.put(id, { email: other.email });
    expect([refused.status, refused.body.type]).toEqual([409, 'worker-email-taken']);
    const email = newEmail();
    expect((await workers.put(id, { email })).body.worker).toMatchObject({ email, emailVerified: false });
    expect((await auth.logIn('worker', email)).status).toBe(200);
  });

  test('is refused on an outdated version, if one is given', async () => {
    const { id } = await workers.joined();
    const seen = (await workers.get(id)).headers.get('ETag')!;
    expect((await workers.put(id, { capacityTrees: 1 }, { 'If-Match': seen })).status).toBe(200);
    const late = await workers.put(id, { capacityTrees: 2 }, { 'If-Match': seen });
    expect([late.status, late.body.type]).toEqual([412, 'precondition-failed']);
    expect((await workers.put(id, { capacityTrees: 3 }, { 'If-Match': '*' })).status).toBe(200);
    expect((await workers.put(id, { capacityTrees: 4 })).body.worker.capacityTrees).toBe(4);
  });

  test.each([
    ['name', { name: '' }],
    ['email', { email: 'x' }],
    ['active', { active: 'no' }],
    ['capacityTrees', { capacityTrees: -1 }],
  ])('is refused when %s is wrong: %j', async (path, body) => {
    const { id } = await workers.invited();
    const answer = await workers.put(id, body);
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, path]);
  });
});

describe('the list of workers', () => {
  const codesOf = async (query: Record<string, string | number>) => {
    const { status, body } = await workers.list(query);
    expect(status).toBe(200);
    return body.workers.map((worker: { workerId: string }) => worker.workerId) as string[];
  };
  beforeAll(async () => {
    for (let number = 1; number <= 5; number++) {
      await workers.add({
        region: 'Boyacá',
        name: `Lucía Núñez ${number}`,
        email: `lucia-${number}@boyaca.example`,
      });
    }
    const { body } = await workers.list({ q: 'lucia-5@' });
    await workers.put(body.workers[0].id, { active: false });
  });

  test('is sorted by code, in pages, each worker once', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await workers.list({ region: 'Boyacá', limit: 2, ...(cursor && { cursor }) });
      seen.push(...body.workers.map((worker: { workerId: string }) => worker.workerId));
      cursor = body.nextCursor;
    } while (cursor);
    expect(seen).toEqual(['BO-001', 'BO-002', 'BO-003', 'BO-004', 'BO-005']);
  });

  test.each([
    ['a name, without accents', { q: 'nunez 3' }, ['BO-003']],
    ['a code without its hyphen', { q: 'bo003' }, ['BO-003']],
    ['an address', { q: 'LUCIA-2@boyaca' }, ['BO-002']],
    ['a code', { q: 'bo-00' }, ['BO-001', 'BO-002', 'BO-003', 'BO-004', 'BO-005']],
    ['a region, without accents', { region: 'boyaca', q: '4' }, ['BO-004']],
    ['those who are not active', { region: 'Boyacá', active: 'false' }, ['BO-005']],
    ['those who are', { region: 'Boyacá', active: 'true' }, ['BO-001', 'BO-002', 'BO-003', 'BO-004']],
    ['nothing by wildcards', { q: 'luc%_boyaca' }, []],
  ])('finds %s', async (_what, query, codes) => {
    expect(await codesOf(query)).toEqual(codes);
  });

  test.each([
    ['cursor', { cursor: 'nonsense!' }],
    ['cursor', { cursor: Buffer.from('a\u0000').toString('base64url') }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 101 }],
    ['active', { active: 'maybe' }],
    ['q', { q: 'x'.repeat(101) }],
    ['q', { q: 'a\u0000' }],
    ['region', { region: '' }],
  ])('names %s at fault in %j', async (path, query) => {
    const { status, body } = await workers.list(query as Record<string, string>);
    expect([status, body.errors[0].path]).toEqual([422, path]);
  });
});

test('workers are managed by admins only', async () => {
  const { id } = await workers.invited();
  for (const role of ['customer', 'worker'] as const) {
    const { token } = await auth.someone(role);
    const parts = { token, params: { id }, body: {} };
    const answers = [
      await auth.call('GET /api/admin/workers', { token }),
      await workers.add({}, token),
      await auth.call('GET /api/admin/workers/{id}', { token, params: { id } }),
      await auth.call('PUT /api/admin/workers/{id}', parts),
      await auth.call('DELETE /api/admin/workers/{id}', parts),
      await auth.call('POST /api/admin/workers/{id}/invitation', parts),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(403));
  }
});

test('an admin or a customer is not listed among the workers', async () => {
  const { id } = await auth.someone('customer');
  for (const answer of [
    await workers.get(id),
    await workers.put(id, { name: 'x' }),
    await workers.remove(id),
    await workers.get('a b'),
  ]) {
    expect(answer.status).toBe(404);
  }
});
