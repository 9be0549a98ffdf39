import type { Socket } from 'node:net';

/** A broker that lives answers sooner, also when it is busy: heartbeats go out several times a second. */
const SILENT_MS = 8_000;
/** While a group gathers or topics are made it says nothing for longer. */
const PATIENT_MS = 30_000;
/** https://kafka.apache.org/protocol#protocol_api_keys: JoinGroup, SyncGroup, CreateTopics. */
const SLOW_REQUESTS = new Set([11, 14, 19]);
/** Behind the length of a request. */
const API_KEY_AT = 4;

/**
 * Breaks a connection on which something was asked and nothing is heard any more. kafkajs would ask again and again on it: a
 * connection that was forgotten on its way (by a firewall, say) held up a reader for minutes.
 */
export function breakWhenSilent<S extends Socket>(
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
    timer ??= setTimeout(
      () => socket.destroy(new Error(`nothing was heard for ${waitMs} ms`)),
      waitMs,
    ).unref();
    return write(...args);
  };
  socket.on('data', stop).on('close', stop);
  return socket;
}

const isSlow = (request: unknown): boolean =>
  Buffer.isBuffer(request) &&
  request.length >= API_KEY_AT + 2 &&
  SLOW_REQUESTS.has(request.readInt16BE(API_KEY_AT));
