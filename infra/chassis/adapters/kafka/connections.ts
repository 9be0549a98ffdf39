import net from 'node:net';
import tls from 'node:tls';

const KEEP_ALIVE_AFTER_MS = 60_000;
/** A broker that lives answers sooner, also when it is busy: heartbeats go out several times a second. */
const SILENT_MS = 8_000;
/** While a group gathers or topics are made it says nothing for longer. */
const PATIENT_MS = 30_000;
/** https://kafka.apache.org/protocol#protocol_api_keys: JoinGroup, SyncGroup, CreateTopics. */
const SLOW_REQUESTS = new Set([11, 14, 19]);
/** Behind the length of a request. */
const API_KEY_AT = 4;

interface Destination {
  host: string;
  port: number;
  ssl: tls.ConnectionOptions;
  onConnect: () => void;
}

/**
 * How one client of kafkajs reaches the brokers, until `end`: then open connections stay until it disconnects, and no other
 * is opened. By itself it goes on with work that was given up, which would be sent behind what was sent meanwhile.
 */
export function openConnections(brokers: string[]) {
  let ended = false;
  return {
    /** kafkajs tries a refused connection again; only that there is no broker at all is final. */
    brokers: (): string[] => (ended ? [] : brokers),
    /** @throws an Error after `end`. */
    socketFactory({ host, port, ssl, onConnect }: Destination): net.Socket {
      if (ended) throw new Error('closed');
      const servername = net.isIP(host) ? {} : { servername: host };
      const socket = ssl
        ? tls.connect({ host, port, ...servername, ...ssl }, onConnect)
        : net.connect({ host, port }, onConnect);
      // Without delay: every request would wait for the acknowledgement of the one before, some 40 ms.
      return breakWhenSilent(socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_AFTER_MS));
    },
    end(): void {
      ended = true;
    },
  };
}

/**
 * Breaks a connection on which something was asked and nothing is heard any more. kafkajs would ask again and again on it: a
 * connection that was forgotten on its way (by a firewall, say) held up a reader for minutes.
 */
export function breakWhenSilent<S extends net.Socket>(
  socket: S,
  { silentMs = SILENT_MS, patientMs = PATIENT_MS } = {},
): S {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = (...args: unknown[]): boolean => {
    const waitMs = isSlow(args[0]) ? patientMs : silentMs;
    const giveUp = () => socket.destroy(new Error(`nothing was heard for ${waitMs} ms`));
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

/** Something opened at its first use, and opened anew at the next one after a use of it failed. */
export function renewable<T>(open: () => Promise<{ it: T; shut(): Promise<void> }>) {
  let current: ReturnType<typeof open> | undefined;
  let closed = false;
  const drop = async () => {
    const last = current;
    current = undefined;
    await last?.then(({ shut }) => shut()).catch(() => undefined);
  };
  return {
    /** @throws what `run` or opening throws; an Error when it takes longer than `withinMs`, or after `close`. */
    async use<Result>(withinMs: number, run: (it: T) => Promise<Result>): Promise<Result> {
      if (closed) throw new Error('closed');
      const mine = (current ??= open());
      try {
        return await within(withinMs, mine.then(({ it }) => run(it))); // prettier-ignore
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

/** @throws an Error when `work` is not over in time; it goes on unheard. */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}
