import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Harness, newEmail, openHarness } from './harness.ts';
import { openWorkersKit, type WorkersKit } from './workers-kit.ts';

let auth: Harness;
let workers: WorkersKit;
beforeAll(async () => {
  auth = await openHarness();
  workers = await openWorkersKit(auth);
});
afterAll(() => auth.close());

describe('an invitation', () => {
  test('sets the first password and proves the address; then the worker logs in by address or code', async () => {
    const { id, email, code, link } = await workers.invited();
    expect((await auth.logIn('worker', email)).status).toBe(401);
    expect((await workers.accept(link)).body).toEqual({ email });
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

  test('makes nobody a worker to count on before it is accepted', async () => {
    const { id, link } = await workers.invited();
    const ofThem = ({ data }: { data: { workerId: string } }) => data.workerId === id;
    expect((await auth.events.next('worker.registered', ofThem)).data.active).toBe(false);
    await workers.put(id, { region: 'Meta' });
    await auth.events.next('worker.updated', (event) => ofThem(event) && event.data.region === 'Meta');
    await workers.accept(link);
    await auth.events.next('worker.updated', (event) => ofThem(event) && event.data.active);
    expect(workers.updates(id).map(({ data }) => data.active)).toEqual([false, true]);
  });

  test('is accepted by a password that an operator sets, too', async () => {
    const { id, email, code } = await workers.invited();
    const put = { role: 'worker', email, worker: { code, region: 'Quindío' }, password: 'la palma de cera' };
    await auth.putAccount(put);
    const told = await auth.events.next('worker.updated', ({ data }) => data.workerId === id);
    expect(told.data.active).toBe(true);
    expect((await workers.get(id)).body.worker.invitationPending).toBe(false);
  });

  test('is accepted once, also when it is opened twice at once', async () => {
    const { link } = await workers.invited();
    const answers = await Promise.all([workers.accept(link), workers.accept(link, 'el oso de anteojos')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await workers.accept(link)).body.type).toBe('link-invalid');
  });

  test('takes no common password', async () => {
    const { link } = await workers.invited();
    expect((await workers.accept(link, 'password123')).body.errors[0].type).toBe('common-password');
    expect((await workers.accept(link, 'Mateo Ríos 1')).body.errors[0].type).toBe('common-password');
    expect((await workers.accept(link)).status).toBe(200);
  });

  test('is too late after a week, not before', async () => {
    const [early, late] = [await workers.invited(), await workers.invited()];
    const weekMs = 7 * 24 * 3_600_000;
    auth.setClock(() => new Date(Date.now() + weekMs - 60_000));
    const accepted = await workers.accept(early.link);
    auth.setClock(() => new Date(Date.now() + weekMs));
    const refused = await workers.accept(late.link);
    auth.setClock(() => new Date());
    expect([accepted.status, refused.body.type]).toEqual([200, 'link-invalid']);
  });

  test('that is sent again takes the place of the former one', async () => {
    const { id, email, link } = await workers.invited();
    expect((await workers.invite(id)).status).toBe(202);
    expect((await workers.accept(link)).body.type).toBe('link-invalid');
    expect((await workers.accept((await workers.invitation(email)).token)).status).toBe(200);
  });

  test('is not sent to who has accepted one, who is not active, or who does not exist', async () => {
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

  test('floods nobody’s inbox', async () => {
    const { id } = await workers.invited();
    for (let times = 0; times < 5; times++) expect((await workers.invite(id)).status).toBe(202);
    expect((await workers.invite(id)).status).toBe(429);
  });

  test('follows a worker to another address; the one at the former is of no use', async () => {
    const { id, link } = await workers.invited();
    const email = newEmail();
    await workers.put(id, { email });
    expect((await workers.accept(link)).body.type).toBe('link-invalid');
    expect((await workers.accept((await workers.invitation(email)).token)).body).toEqual({ email });
  });

  test('that was lost is made good by a forgotten password', async () => {
    const { id, email } = await workers.invited();
    await auth.call('POST /api/auth/{role}/forgot-password', { params: { role: 'worker' }, body: { email } });
    const { data } = await auth.events.next(
      'password.reset_requested',
      (event) => event.data.email === email,
    );
    expect((await workers.accept(data.token)).status).toBe(200);
    expect((await workers.get(id)).body.worker.invitationPending).toBe(false);
  });
});

describe('removing a worker', () => {
  test('who never accepted leaves nothing behind, and tells the others', async () => {
    const { id, email, link } = await workers.invited();
    expect((await workers.remove(id)).status).toBe(204);
    expect((await workers.get(id)).status).toBe(404);
    expect((await workers.accept(link)).body.type).toBe('link-invalid');
    const told = await auth.events.next('worker.updated', ({ data }) => data.workerId === id);
    expect(told.data.active).toBe(false);
    expect((await workers.remove(id)).status).toBe(404);
    expect((await workers.add({ email })).status).toBe(201);
  });

  test('who has accepted is refused', async () => {
    const { id, email } = await workers.joined();
    const { status, body } = await workers.remove(id);
    expect([status, body.type]).toEqual([409, 'worker-has-joined']);
    expect((await auth.logIn('worker', email)).status).toBe(200);
  });

  test('while they accept: either happens, not both', async () => {
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
