import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const CONNECT_WITHIN_MS = 1_000;

/**
 * Gives a request its connection once that stands. Until then nothing of a body is read, so that a call for which no
 * connection could be made can be sent elsewhere, whatever it is.
 */
export class ConnectFirstAgent extends Agent {
  readonly #open: (options: NetConnectOpts) => Socket;

  constructor(options: AgentOptions, open: (options: NetConnectOpts) => Socket = connect) {
    super(options);
    this.#open = open;
  }

  override createConnection(
    options: ClientRequestArgs,
    done?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const socket = this.#open(options as NetConnectOpts);
    const late = setTimeout(() => {
      socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
    }, CONNECT_WITHIN_MS);
    const failed = (error: Error) => {
      clearTimeout(late);
      done?.(error, socket);
    };
    socket.once('error', failed).once('connect', () => {
      clearTimeout(late);
      socket.off('error', failed);
      done?.(null, socket);
    });
  }
}
