import * as http from 'node:http';
import * as https from 'node:https';

/** Sends the MinIO client's requests. */
export type Transport = Pick<typeof http, 'request'>;

/**
 * HTTP with timeouts: the response starts within `silenceMs`, and neither its data nor its reader pauses longer.
 * Errors of an unavailable store have the codes ETIMEDOUT or ServiceUnavailable.
 */
export function transportTo(
  protocol: string,
  silenceMs: number,
): { transport: Transport; agent: http.Agent } {
  const { request, Agent } = protocol === 'https:' ? https : http;
  const send = (options: http.RequestOptions, onAnswer: (answer: http.IncomingMessage) => void) => {
    const sent = request(options);
    let answered: http.IncomingMessage | undefined;
    const end = () =>
      (answered ?? sent).destroy(codedError('ETIMEDOUT', `MinIO was silent for ${silenceMs} ms`));
    const beginning = setTimeout(end, silenceMs);
    sent.once('close', () => clearTimeout(beginning));
    sent.once('response', (answer: http.IncomingMessage) => {
      clearTimeout(beginning);
      const status = answer.statusCode!;
      if (isTemporary(status))
        return sent.destroy(codedError('ServiceUnavailable', `MinIO answered ${status}`));
      answered = answer;
      sent.setTimeout(silenceMs, end);
      return onAnswer(answer);
    });
    return sent;
  };
  // Idle sockets do not keep the process alive, so the agent needs no close().
  return { transport: { request: send as Transport['request'] }, agent: new Agent({ keepAlive: true }) };
}

/** Temporary failures, which say nothing about the request itself. */
const isTemporary = (status: number): boolean =>
  [408, 429].includes(status) || (status >= 500 && status !== 501);

const codedError = (code: string, message: string): Error => Object.assign(new Error(message), { code });
