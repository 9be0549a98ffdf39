import { expect, test } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { freePort } from '../../testing/free-port.ts';
import { waitFor } from '../../testing/wait.ts';
import { openConnections } from './connections.ts';

test('a client that still tries to connect gives up at the end, and opens no other connection', async () => {
  // Where nobody listens.
  const { end, brokers, socketFactory } = openConnections([`127.0.0.1:${await freePort()}`]);
  let opened = 0;
  const counted: typeof socketFactory = (to) => {
    const socket = socketFactory(to);
    opened++;
    return socket;
  };
  const retry = { initialRetryTime: 10, maxRetryTime: 10, retries: 10_000 };
  const kafka = new Kafka({ brokers, socketFactory: counted, retry, logLevel: logLevel.NOTHING });
  const failure = kafka.admin().connect().catch((error: unknown) => error); // prettier-ignore
  await waitFor(() => opened >= 3);
  end();
  const before = opened;
  expect(await failure).toBeInstanceOf(Error);
  expect(opened).toBe(before);
});
