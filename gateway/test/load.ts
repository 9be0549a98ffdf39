import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

export interface Reply {
  method: 'GET' | 'POST';
  /** 0: the connection broke. */
  status: number;
  body: string;
}

export interface Load {
  replies: Reply[];
  /** Resolves with all replies other than 200, after the last calls. */
  stop(): Promise<Reply[]>;
}

/** Callers on kept-alive connections who call without pause; each POST has a unique body. */
export function startLoad(url: string, options: { callers: number; methods: Reply['method'][] }): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: options.callers });
  const replies: Reply[] = [];
  let isOver = false;
  const callers = Array.from({ length: options.callers }, async (_, index) => {
    const method = options.methods[index % options.methods.length]!;
    while (!isOver) replies.push(await callOnce(url, method, agent));
  });
  return {
    replies,
    async stop() {
      isOver = true;
      await Promise.all(callers);
      agent.destroy();
      return replies.filter(({ status }) => status !== 200);
    },
  };
}

/** Calls payments once, like a caller of the site. Never throws. */
export function callOnce(url: string, method: Reply['method'], agent?: Agent): Promise<Reply> {
  const path = method === 'GET' ? '/api/config' : '/api/pricing/create-payment-intent';
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const headers = { 'Content-Type': 'application/json' };
  const call = request(url + path, { method, headers, ...(agent && { agent }) }, (response) => {
    response.toArray().then(
      (chunks) =>
        resolve({ method, status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      (error: Error) => resolve({ method, status: 0, body: error.message }),
    );
  });
  call.on('error', (error) => resolve({ method, status: 0, body: error.message }));
  call.end(method === 'POST' ? JSON.stringify({ id: randomUUID() }) : undefined);
  return promise;
}
