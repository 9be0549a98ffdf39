import net from 'node:net';
import tls from 'node:tls';
import { breakWhenSilent } from './silence.ts';

const KEEP_ALIVE_AFTER_MS = 60_000;

interface Destination {
  host: string;
  port: number;
  ssl: tls.ConnectionOptions;
  onConnect: () => void;
}

/**
 * How one client of kafkajs reaches the brokers, until `end`: those connections that are open stay so until it
 * disconnects, and no other is opened. By itself it goes on with work that nobody waits for any more, and connects anew for
 * it: what was given up as not sent would be sent later, behind what was sent meanwhile.
 */
export function openConnections(brokers: string[]) {
  let ended = false;
  return {
    /** kafkajs tries a refused connection again; only that there is no broker at all is final. */
    brokers: (): string[] => (ended ? [] : brokers),
    /** @throws an Error after `end`. */
    socketFactory(to: Destination): net.Socket {
      if (ended) throw new Error('closed');
      return connect(to);
    },
    end(): void {
      ended = true;
    },
  };
}

/** A connection that sends at once: otherwise every request waits for the acknowledgement of the one before, some 40 ms. */
function connect({ host, port, ssl, onConnect }: Destination): net.Socket {
  const servername = net.isIP(host) ? {} : { servername: host };
  const socket = ssl
    ? tls.connect({ host, port, ...servername, ...ssl }, onConnect)
    : net.connect({ host, port }, onConnect);
  return breakWhenSilent(socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_AFTER_MS));
}
