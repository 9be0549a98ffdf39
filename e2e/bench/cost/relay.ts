import { createServer, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { backendMessages, frontendMessages } from './messages.ts';

/** Traffic over all connections to PostgreSQL since the start. */
export interface Traffic {
  /** Statements that were run. */
  queries: number;
  /** Times that somebody waited for an answer. */
  roundTrips: number;
  bytesSent: number;
  bytesReceived: number;
}

export interface Relay {
  /** The database's address, through the relay. */
  url: string;
  traffic(): Traffic;
  /** How often each statement was run. */
  statements(): Map<string, number>;
  close(): Promise<void>;
}

/** Stands between the product and its PostgreSQL and counts what they say to each other. */
export async function openRelay(databaseUrl: string): Promise<Relay> {
  const target = new URL(databaseUrl);
  const seen: Traffic = { queries: 0, roundTrips: 0, bytesSent: 0, bytesReceived: 0 };
  const statements = new Map<string, number>();
  const sockets = new Set<Socket>();

  const count = (text: string) => {
    seen.queries++;
    statements.set(text, (statements.get(text) ?? 0) + 1);
  };
  const server = createServer({ noDelay: true }, (client) => {
    const database = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    const sent = frontendMessages(count);
    const received = backendMessages(() => seen.roundTrips++);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
      socket.on('error', () => socket.destroy());
    }
    client.on('data', (bytes: Buffer) => {
      seen.bytesSent += bytes.length;
      database.write(bytes);
      sent(bytes);
    });
    database.on('data', (bytes: Buffer) => {
      seen.bytesReceived += bytes.length;
      client.write(bytes);
      received(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(databaseUrl), { port: String(port) }).href,
    traffic: () => ({ ...seen }),
    statements: () => new Map(statements),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
