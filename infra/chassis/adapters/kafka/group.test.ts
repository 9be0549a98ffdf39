import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openCaution } from '../../caution.ts';
import { waitFor } from '../../testing/wait.ts';
import type { KafkaClient, Member, MemberOptions } from './client.ts';
import { openGroup } from './group.ts';
import type { Commit, Incoming, Place } from './messages.ts';

const place: Place = { topic: 'order.created', partition: 0 };
const message = (offset: number): Incoming => ({ ...place, offset, key: 'k', value: '', headers: {} });

/** A broker with one partition, whose readers a test can crash. */
function fakeClient(refusals = 0) {
  const readers: MemberOptions[] = [];
  const committed: Commit[] = [];
  const said: string[] = [];
  let refuse = refusals;
  const client: Pick<KafkaClient, 'join' | 'spans' | 'commits'> = {
    spans: async () => [{ ...place, low: 0, high: 7 }],
    commits: async () => committed.slice(-1),
    async join(options) {
      if (refuse-- > 0) throw new Error('the coordinator is loading');
      readers.push(options);
      options.assigned([place]);
      const member: Member = {
        begin: () => void said.push('begin'),
        seek: (commits) => commits.forEach(({ offset }) => said.push(`seek ${offset}`)),
        pause: () => undefined,
        resume: () => undefined,
        commit: async (commits) => void committed.push(...commits),
        leave: async () => void said.push('leave'),
      };
      return member;
    },
  };
  return { client, readers, committed, said, refuseOnce: () => (refuse = 1) };
}

async function joined(fake: ReturnType<typeof fakeClient>) {
  const handled: number[] = [];
  const group = await openGroup({
    client: fake.client,
    group: 'media',
    topics: [place.topic],
    logger: pino({ level: 'silent' }),
    handle: async ({ offset }) => void handled.push(offset),
    bury: async () => undefined,
    caution: openCaution(),
    dueAt: () => 0,
    atOnce: 4,
    stopWithinMs: 1_000,
  });
  return { group, handled };
}

test('a new group writes down where it begins before it reads', async () => {
  const fake = fakeClient();
  const { group } = await joined(fake);
  expect(fake.committed).toEqual([{ ...place, offset: 7 }]);
  expect(fake.said).toEqual(['seek 7', 'begin']);
  await group.close();
});

test('what is done is committed soon, and what was done last on closing', async () => {
  const fake = fakeClient();
  const { group, handled } = await joined(fake);
  fake.readers[0]!.take(place, [message(7)]);
  await waitFor(() => fake.committed.some(({ offset }) => offset === 8));
  fake.readers[0]!.take(place, [message(8)]);
  await group.close();
  expect(handled).toEqual([7, 8]);
  expect(fake.committed.at(-1)).toEqual({ ...place, offset: 9 });
  expect(fake.said.at(-1)).toBe('leave');
});

test('a broker that is not ready yet is asked again', async () => {
  const fake = fakeClient(2);
  const { group } = await joined(fake);
  expect(() => group.check()).not.toThrow();
  await group.close();
});

test('a crashed reader is replaced, however often that takes, and said to be missing meanwhile', async () => {
  const fake = fakeClient();
  const { group, handled } = await joined(fake);
  fake.refuseOnce();
  fake.readers[0]!.crashed(new Error('no broker'));
  expect(() => group.check()).toThrow('"media" reads nothing: no broker');
  await waitFor(() => fake.readers.length === 2);
  await waitFor(() => {
    group.check();
    return true;
  });
  fake.readers[1]!.take(place, [message(7)]);
  await waitFor(() => handled.includes(7));
  await group.close();
});

test('a reader that crashes after closing is not replaced', async () => {
  const fake = fakeClient();
  const { group } = await joined(fake);
  await group.close();
  fake.readers[0]!.crashed(new Error('late'));
  expect(fake.readers).toHaveLength(1);
  expect(() => group.check()).not.toThrow();
});
