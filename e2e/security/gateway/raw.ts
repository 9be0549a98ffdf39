import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const ANSWER_WITHIN_MS = 5_000;
/** Nothing more comes after so long a silence. */
const SILENCE_MS = 400;

export interface Spoken {
  /** Statuses of all answers in order. */
  statuses: number[];
  text: string;
  closed: boolean;
}

export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Writes bytes as they are, and reads until the other side closes or has nothing more to say. */
export async function speak(url: string, bytes: string | Buffer): Promise<Spoken> {
  const socket = await openSocket(url);
  const chunks: Buffer[] = [];
  let closed = false;
  const done = new Promise<void>((resolve) => {
    let silence: NodeJS.Timeout | undefined;
    const limit = setTimeout(resolve, ANSWER_WITHIN_MS);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      clearTimeout(silence);
      silence = setTimeout(resolve, SILENCE_MS);
    });
    socket.on('close', () => {
      closed = true;
      clearTimeout(limit);
      resolve();
    });
  });
  socket.write(bytes);
  await done;
  socket.destroy();
  const text = Buffer.concat(chunks).toString('latin1');
  const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map((match) => Number(match[1]));
  return { statuses, text, closed };
}
