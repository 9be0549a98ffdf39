import { TEST_MAIL_TOKENS } from '@arboleda/chassis/testing/config.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Harness, newEmail, openHarness } from './harness.ts';
import { openWorkersHarness, type WorkersHarness } from './workers-harness.ts';

let auth: Harness;

let workers: WorkersHarness;

beforeAll(async () => {
  auth = await openHarness();
  workers = await openWorkersHarness(auth);
});

afterAll(() => auth.close());

describe('an invitation', () => {
  test('sets the first password and verifies the address; the worker then logs in by address or code', async () => {
    const { id, email, code, link } = await workers.invited();
    expect((await auth.logIn('worker', email)).status).toBe(401);
    expect((await workers.accept(link)).body).toEqual({ email, token: expect.any(String) });
    for (const login of [email, code]) {
      const { status, body } = await auth.logIn('worker', login);
      expect([status, body.user.workerId]).toEqual([200, code]);
    }
    expect((await workers.get(id)).body.worker).toMatchObject({
      invitationPending: false,
      emailVerified: true,
    });
    expect(auth.events.all('password.changed').filter(({ data }) => data.email === email)).toEqual([]);
  });

  test('does not make a worker available until it is accepted', async () => {
    const { id, link } = await workers.invited();
    const ofThem = ({ data }: { data: { workerId: string } }) => data.workerId === id;
    expect((await auth.events.next('worker.registered', ofThem)).data.active).toBe(false);
    await workers.put(id, { region: 'Meta' });
    await auth.events.next('worker.updated', (event) => ofThem(event) && event.data.region === 'Meta');
    await workers.accept(link);
    await auth.events.next('worker.updated', (event) => ofThem(event) && event.data.active);
    expect(workers.updates(id).map(({ data }) => data.active)).toEqual([false, true]);
  });

  test('is accepted by an operator’s password, too', async () => {
    const { id, email, code } = await workers.invited();
    const put = { role: 'worker', email, worker: { code, region: 'Quindío' }, password: 'la palma de cera' };
    await auth.putAccount(put);
    const published = await auth.events.next('worker.updated', ({ data }) => data.workerId === id);
    expect(published.data.active).toBe(true);
    expect((await workers.get(id)).body.worker.invitationPending).toBe(false);
  });

  test('is accepted once when opened twice at once', async () => {
    const { link } = await workers.invited();
    const answers = await Promise.all([workers.accept(link), workers.accept(link, 'el oso de anteojos')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await workers.accept(link)).body.type).toBe('link-invalid');
  });

  test('refuses a common password', async () => {
    const { link } = await workers.invited();
    expect((await workers.accept(link, 'password123')).body.errors[0].type).toBe('common-password');
    expect((await workers.accept(link, 'Mateo Ríos 1')).body.errors[0].type).toBe('common-password');
    expect((await workers.accept(link)).status).toBe(200);
  });

  test('expires after a week', async () => {
    const [early, late] = [await workers.invited(), await workers.invited()];
    const weekMs = 7 * 24 * 3_600_000;
    auth.setClock(() => new Date(Date.now() + weekMs - 60_000));
    const accepted = await workers.accept(early.link);
    auth.setClock(() => new Date(Date.now() + weekMs));
    const refused = await workers.accept(late.link);
    auth.setClock(() => new Date());
    expect([accepted.status, refused.body.type]).toEqual([200, 'link-invalid']);
  });

  test('that is sent again replaces the former one', async () => {
    const { id, email, link } = await workers.invited();
    expect((await workers.invite(id)).status).toBe(202);
    expect((await workers.accept(link)).body.type).toBe('link-invalid');
    expect((await workers.accept(await TEST_MAIL_TOKENS.open(await workers.invitation(email)))).status).toBe(
      200,
    );
  });

  test('is refused for joined, inactive and unknown workers', async () => {
    const [member, closed] = [await workers.joined(), await workers.invited()];
    await workers.put(closed.id, { active: false });
    const answers = [
      await workers.invite(member.id),
      await workers.invite(closed.id),
      await workers.invite('nobody'),
    ];
    expect(answers.map(({ body }) => body.type)).toEqual([
      'invitation-accepted',
      'worker-inactive',
      'not-found',
    ]);
    expect((await workers.accept(closed.link)).body.type).toBe('link-invalid');
  });

  test('is limited per worker', async () => {
    const { id } = await workers.invited();
    for (let times = 0; times < 5; times++) expect((await workers.invite(id)).status).toBe(202);
    expect((await workers.invite(id)).status).toBe(429);
  });

  test('follows a worker to another address and invalidates the former link', async () => {
    const { id, link } = await workers.invited();
    const email = newEmail();
    await workers.put(id, { email });
    expect((await workers.accept(link)).body.type).toBe('link-invalid');
    expect((await workers.accept(await TEST_MAIL_TOKENS.open(await workers.invitation(email)))).body).toEqual(
      { email, token: expect.any(String) },
    );
  });

  test('that was lost can be replaced by a password reset', async () => {
    const { id, email } = await workers.invited();
    await auth.call('POST /api/auth/{role}/forgot-password', { params: { role: 'worker' }, body: { email } });
    const { data } = await auth.events.next(
      'password.reset_requested',
      (event) => event.data.email === email,
    );
    expect((await workers.accept(await TEST_MAIL_TOKENS.open(data))).status).toBe(200);
    expect((await workers.get(id)).body.worker.invitationPending).toBe(false);
  });
});

describe('removing a worker', () => {
  test('who never accepted deletes the account, and publishes it', async () => {
    const { id, email, link } = await workers.invited();
    expect((await workers.remove(id)).status).toBe(204);
    expect((await workers.get(id)).status).toBe(404);
    expect((await workers.accept(link)).body.type).toBe('link-invalid');
    const published = await auth.events.next('worker.updated', ({ data }) => data.workerId === id);
    expect(published.data.active).toBe(false);
    expect((await workers.remove(id)).status).toBe(404);
    expect((await workers.add({ email })).status).toBe(201);
  });

  test('who has accepted is refused', async () => {
    const { id, email } = await workers.joined();
    const { status, body } = await workers.remove(id);
    expect([status, body.type]).toEqual([409, 'worker-has-joined']);
    expect((await auth.logIn('worker', email)).status).toBe(200);
  });

  test('while they accept ends in one of the two, not both', async () => {
    const { id, email, link } = await workers.invited();
    const [accepted, removed] = await Promise.all([workers.accept(link), workers.remove(id)]);
    const outcome = [accepted.status, removed.status];
    expect([
      [200, 409],
      [400, 204],
    ]).toContainEqual(outcome);
    expect((await auth.logIn('worker', email)).status).toBe(accepted.status === 200 ? 200 : 401);
  });
});
