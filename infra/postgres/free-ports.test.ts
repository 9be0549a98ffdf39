import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePorts } from './free-ports.ts';

test('ports are different, free, given once, and none that connections going out get', async () => {
  const ports = [...(await freePorts(5)), ...(await freePorts(5))];
  expect(new Set(ports).size).toBe(10);
  for (const port of ports) {
    expect(port).toBeLessThan(32_768);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
  }
});

test('one that is taken is passed over, on whatever address', async () => {
  const [port] = await freePorts(1);
  const taken = createServer().listen(port! + 1, '127.0.0.1');
  await once(taken, 'listening');
  expect(await freePorts(3)).not.toContain(port! + 1);
  taken.close();
  await once(taken, 'close');
});
