import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Order } from './generator/crowd.ts';
import type { Answered, Asked, Ended, Phase, PhaseResult } from './generator/protocol.ts';

const PROGRAM = fileURLToPath(new URL('generator/process.ts', import.meta.url));
const OWN_NODE = fileURLToPath(new URL('../../../node_modules/node/bin/node', import.meta.url));

/** The generator, in a process of its own. */
export interface Load {
  pid: number;
  listen(): Promise<void>;
  /** Resolves when everything is sent. */
  send(phase: Phase): Promise<void>;
  /** Resolves when everything is answered. */
  result(phase: Pick<Phase, 'name'>): Promise<PhaseResult>;
  end(): Promise<Ended>;
  close(): Promise<void>;
}

export async function startLoad(order: Order): Promise<Load> {
  const child = fork(PROGRAM, {
    execPath: OWN_NODE,
    execArgv: [],
    serialization: 'advanced',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const asked = openConversation(child);
  await asked({ do: 'open', order });
  return {
    pid: child.pid!,
    listen: async () => void (await asked({ do: 'listen' })),
    send: async (phase) => void (await asked({ do: 'phase', phase })),
    result: async ({ name }) => (await asked({ do: 'result', name })) as PhaseResult,
    end: async () => (await asked({ do: 'end' })) as Ended,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

/** Questions and answers by number. @returns a function that rejects with what failed there, or when it ended */
function openConversation(child: ChildProcess): (asked: Asked) => Promise<unknown> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let next = 0;
  child.on('message', ({ id, answered }: { id: number; answered: Answered }) => {
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if ('failure' in answered) reject(new Error(answered.failure));
    else resolve(answered.value);
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the generator ended'));
  });
  return (asked) => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(++next, answer);
    child.send({ id: next, ...asked });
    return answer.promise;
  };
}
