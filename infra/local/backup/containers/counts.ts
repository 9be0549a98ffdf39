import { checkEnding, type Counts, endingOf, linesOf, readFrames } from '@arboleda/chassis/backup/format.ts';
import { createReadStream } from 'node:fs';

/** Counts by collection. @throws when the file is incomplete */
export async function documentsIn(file: string): Promise<Counts> {
  const counts: Counts = {};
  let ending: Counts | undefined;
  let current = '';
  for await (const line of linesOf(createReadStream(file))) {
    if (line.startsWith('{"document":')) counts[current]!++;
    else if (line.startsWith('{"collection":')) counts[(current = nameIn(line))] = 0;
    else ending = endingOf(JSON.parse(line) as object);
  }
  checkEnding('the documents', ending, counts);
  return counts;
}

const nameIn = (line: string): string => (JSON.parse(line) as { collection: string }).collection;

/** @throws when the file is incomplete */
export async function objectsIn(file: string): Promise<number> {
  let count = 0;
  for await (const _object of readFrames(createReadStream(file))) count++;
  return count;
}

/** @throws when the file is incomplete */
export async function messagesIn(file: string): Promise<number> {
  let messages = 0;
  let ending: Counts | undefined;
  for await (const line of linesOf(createReadStream(file))) {
    if (line.startsWith('{"topic":')) messages++;
    else if (line.startsWith('{"end":')) ending = endingOf(JSON.parse(line) as object);
  }
  checkEnding('the events', ending, { messages });
  return messages;
}
