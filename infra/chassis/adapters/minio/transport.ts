import * as http from 'node:http';
import * as https from 'node:https';

/** What the client library sends its requests by. */
export type Transport = Pick<typeof http, 'request'>;

/**
 * HTTP on which nothing hangs: an answer begins within `silenceMs`, and neither its bytes nor their reader pause for
 * longer. A store that is silent, overloaded or starting is told by the error's code: ETIMEDOUT, ServiceUnavailable.
 */
export function transportTo(
  protocol: string,
  silenceMs: number,
): { transport: Transport; agent: http.Agent } {
  const { request, Agent } = protocol === 'https:' ? https : http;
  const send = (options: http.RequestOptions, onAnswer: (answer: http.IncomingMessage) => void) => {
    const sent = request(options);
    let answered: http.IncomingMessage | undefined;
    const end = () => (answered ?? sent).destroy(away('ETIMEDOUT', `MinIO was silent for ${silenceMs} ms`));
    const beginning = setTimeout(end, silenceMs);
    sent.once('close', () => clearTimeout(beginning));
    sent.once('response', (answer: http.IncomingMessage) => {
      clearTimeout(beginning);
      const status = answer.statusCode!;
      if (passes(status)) return sent.destroy(away('ServiceUnavailable', `MinIO answered ${status}`));
      answered = answer;
      sent.setTimeout(silenceMs, end);
      return onAnswer(answer);
    });
    return sent;
  };
  // Idle connections hold no process back, so that nobody has to close the agent.
  return { transport: { request: send as Transport['request'] }, agent: new Agent({ keepAlive: true }) };
}

/** Answers that say nothing of the question, only that it came at a bad time. */
const passes = (status: number): boolean => [408, 429].includes(status) || (status >= 500 && status !== 501);

const away = (code: string, message: string): Error => Object.assign(new Error(message), { code });
