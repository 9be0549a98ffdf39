import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Messages of PostgreSQL's protocol: a letter, a length that counts itself, a body.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const LENGTH_BYTES = 4;

type Take = (bytes: Buffer) => void;

/** Reads what a client says. @param ran is told the text of each statement that is run. */
export function frontendMessages(ran: (text: string) => void): Take {
  const prepared = new Map<string, string>();
  /** By portal: the statement that is bound to it. */
  const bound = new Map<string, string>();
  // The first message, which begins a session, has no letter.
  return reader({ isFirstPlain: true }, (type, body) => {
    if (type === 'Q') ran(text(body, 0).value);
    if (type === 'P') {
      const name = text(body, 0);
      prepared.set(name.value, text(body, name.end).value);
    }
    if (type === 'B') {
      const portal = text(body, 0);
      bound.set(portal.value, prepared.get(text(body, portal.end).value) ?? '');
    }
    if (type === 'E') ran(bound.get(text(body, 0).value) ?? '');
  });
}

/** Reads what PostgreSQL says. @param answered is told that it waits for the next question */
export function backendMessages(answered: () => void): Take {
  return reader({ isFirstPlain: false }, (type) => {
    if (type === 'Z') answered();
  });
}

function reader(
  { isFirstPlain }: { isFirstPlain: boolean },
  tell: (type: string, body: Buffer) => void,
): Take {
  let rest: Buffer = Buffer.alloc(0);
  let isPlain = isFirstPlain;
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    for (;;) {
      const head = isPlain ? 0 : 1;
      if (rest.length < head + LENGTH_BYTES) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      if (!isPlain) tell(String.fromCharCode(rest[0]!), rest.subarray(head + LENGTH_BYTES, end));
      isPlain = false;
      rest = rest.subarray(end);
    }
  };
}

/** A text that ends with a zero. */
function text(body: Buffer, from: number): { value: string; end: number } {
  const zero = body.indexOf(0, from);
  return { value: body.toString('utf8', from, zero), end: zero + 1 };
}

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
