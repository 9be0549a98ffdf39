import net from 'node:net';
import tls from 'node:tls';
import { breakWhenSilent } from './silence.ts';

const KEEP_ALIVE_AFTER_MS = 60_000;

/** A connection that sends at once: otherwise every request waits for the acknowledgement of the one before, some 40 ms. */
export function openSocket(to: {
  host: string;
  port: number;
  ssl: tls.ConnectionOptions;
  onConnect: () => void;
}): net.Socket {
  const { host, port, ssl, onConnect } = to;
  const servername = net.isIP(host) ? {} : { servername: host };
  const socket = ssl
    ? tls.connect({ host, port, ...servername, ...ssl }, onConnect)
    : net.connect({ host, port }, onConnect);
  return breakWhenSilent(socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_AFTER_MS));
}
