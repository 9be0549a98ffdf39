import net from 'node:net';
import tls from 'node:tls';

const KEEP_ALIVE_AFTER_MS = 60_000;
/** A live broker answers sooner even under load: heartbeats go out several times a second. */
const SILENT_MS = 8_000;
/** Rebalances and topic creation take longer. */
const SLOW_REQUEST_MS = 30_000;
/** https://kafka.apache.org/protocol#protocol_api_keys: JoinGroup, SyncGroup, CreateTopics. */
const SLOW_REQUESTS = new Set([11, 14, 19]);
/** After the four bytes of the request's length. */
const API_KEY_AT = 4;

interface Destination {
  host: string;
  port: number;
  ssl: tls.ConnectionOptions;
  onConnect: () => void;
}

/**
 * Connections of one kafkajs client. After `end` it opens no new ones, while open ones stay until it disconnects.
 * Otherwise kafkajs would go on with abandoned requests, and send them after newer ones.
 */
export function openConnections(brokers: string[]) {
  let ended = false;
  return {
    /** kafkajs retries a refused connection; only an empty list of brokers is final. */
    brokers: (): string[] => (ended ? [] : brokers),
    /** @throws an Error after `end` */
    socketFactory({ host, port, ssl, onConnect }: Destination): net.Socket {
      if (ended) throw new Error('closed');
      const servername = net.isIP(host) ? {} : { servername: host };
      const socket = ssl
        ? tls.connect({ host, port, ...servername, ...ssl }, onConnect)
        : net.connect({ host, port }, onConnect);
      // Nagle's algorithm would delay every request until the previous one is acknowledged, some 40 ms.
      return breakWhenSilent(socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_AFTER_MS));
    },
    end(): void {
      ended = true;
    },
  };
}

/**
 * Destroys a connection that does not answer a request. kafkajs would keep retrying on it: a connection dropped by a
 * firewall blocked a consumer for minutes.
 */
export function breakWhenSilent<S extends net.Socket>(
  socket: S,
  { silentMs = SILENT_MS, patientMs: slowMs = SLOW_REQUEST_MS } = {},
): S {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = (...args: unknown[]): boolean => {
    const waitMs = isSlow(args[0]) ? slowMs : silentMs;
    const giveUp = () => socket.destroy(new Error(`nothing was received for ${waitMs} ms`));
    timer ??= setTimeout(giveUp, waitMs).unref();
    return write(...args);
  };
  socket.on('data', stop).on('close', stop);
  return socket;
}

const isSlow = (request: unknown): boolean =>
  Buffer.isBuffer(request) &&
  request.length >= API_KEY_AT + 2 &&
  SLOW_REQUESTS.has(request.readInt16BE(API_KEY_AT));

/** A resource that is opened on first use, and opened again after a use failed. */
export function renewable<T>(open: () => Promise<{ it: T; shut(): Promise<void> }>) {
  let current: ReturnType<typeof open> | undefined;
  let closed = false;
  const drop = async () => {
    const last = current;
    current = undefined;
    await last?.then(({ shut }) => shut()).catch(() => undefined);
  };
  return {
    /** @throws what `run` or opening throws; an Error after `withinMs`, or after `close` */
    async use<Result>(withinMs: number, run: (it: T) => Promise<Result>): Promise<Result> {
      if (closed) throw new Error('closed');
      const mine = (current ??= open());
      try {
        return await within(
          withinMs,
          mine.then(({ it }) => run(it)),
        );
      } catch (error) {
        if (current === mine) void drop();
        throw error;
      }
    },
    close(): Promise<void> {
      closed = true;
      return drop();
    },
  };
}

/** @throws an Error after `timeoutMs`; `work` itself goes on */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}
