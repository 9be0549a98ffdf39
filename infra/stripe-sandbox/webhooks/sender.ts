import http from 'node:http';
import https from 'node:https';
import { signatureHeader } from './signature.ts';

export interface Sender {
  /** Posts a signed event. @returns the HTTP status @throws on a timeout */
  send(url: string, body: string): Promise<number>;
  close(): void;
}

const TIMEOUT_MS = 10_000;

/** Sends webhooks like Stripe, without following redirects. */
export function openSender(secret: string, nowMs: () => number): Sender {
  const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };
  const closing = new AbortController();
  return {
    send(url, body) {
      const secure = url.startsWith('https:');
      const options = {
        method: 'POST',
        agent: secure ? agents.https : agents.http,
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Length': Buffer.byteLength(body),
          'Stripe-Signature': signatureHeader(body, secret, Math.floor(nowMs() / 1000)),
          'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
      };
      return new Promise((resolve, reject) => {
        const request = (secure ? https : http).request(url, options, (response) => {
          response.resume();
          response.on('error', reject);
          response.on('end', () => resolve(response.statusCode ?? 0));
        });
        request.on('error', reject);
        request.end(body);
      });
    },
    close() {
      closing.abort(new Error('The sandbox is closing.'));
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}
