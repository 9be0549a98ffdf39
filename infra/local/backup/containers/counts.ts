import { readFrames } from '@arboleda/chassis/backup/frames.ts';
import { linesOf } from '@arboleda/chassis/backup/lines.ts';
import { createReadStream } from 'node:fs';

export async function documentsIn(file: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let current = '';
  for await (const line of linesOf(createReadStream(file))) {
    if (line.startsWith('{"collection":')) counts.set((current = JSON.parse(line).collection as string), 0);
    else counts.set(current, counts.get(current)! + 1);
  }
  return counts;
}

export async function objectsIn(file: string): Promise<number> {
  let count = 0;
  for await (const _object of readFrames(createReadStream(file))) count++;
  return count;
}

export async function messagesIn(file: string): Promise<number> {
  let count = 0;
  for await (const line of linesOf(createReadStream(file))) if (!line.startsWith('{"group":')) count++;
  return count;
}
