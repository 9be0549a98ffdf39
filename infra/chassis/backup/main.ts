/**
 * Dumps or restores one service's data as a stream. "npm run backup" runs it inside a container, where the engines
 * can be reached. Arguments: `documents|objects|events dump|restore`, `events mark` or `schema prepare`.
 */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openKafkaClient } from '../adapters/kafka/client.ts';
import { openMongo } from '../adapters/mongodb/client.ts';
import { readEnvironment } from '../environment.ts';
import { exitAfterFlush } from '../leave.ts';
import { openLogger } from '../log.ts';
import { kafkaConfig, kafkaShape, platformConfig, platformShape } from '../platform-config.ts';
import { openPlatform } from '../platform.ts';
import { dumpDocuments, restoreDocuments } from './documents.ts';
import { dumpEvents, type Mark, marks, restoreEvents } from './events.ts';
import { linesOf } from './format.ts';
import { dumpObjects, restoreObjects } from './objects.ts';

const { stdin, stdout, env } = process;
const service = basename(env.SERVICE ?? '');
const logger = openLogger('backup', 'error');
const platform = () => platformConfig(readEnvironment(env, platformShape));

async function out(parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const part of parts) {
    if (!stdout.write(typeof part === 'string' ? `${part}\n` : part)) await once(stdout, 'drain');
  }
}
const lines = () => linesOf(stdin);

async function documents(action: string): Promise<void> {
  const mongo = openMongo(platform().mongodbUrl!, logger);
  try {
    const db = mongo.database(service);
    await (action === 'restore' ? restoreDocuments(db, lines()) : out(dumpDocuments(db)));
  } finally {
    await mongo.close();
  }
}

async function objects(action: string): Promise<void> {
  const { bucketPrefix, ...s3 } = platform().s3!;
  const options = { ...s3, bucket: `${bucketPrefix}${service}` };
  await (action === 'restore' ? restoreObjects(options, stdin) : out(dumpObjects(options)));
}

async function events(action: string): Promise<void> {
  // Runs as a Kafka user that may read all topics and has no other engine.
  const kafka = kafkaConfig(readEnvironment(env, kafkaShape))!;
  const client = openKafkaClient(kafka, logger);
  try {
    if (action === 'mark') stdout.write(JSON.stringify(await marks(client)));
    else if (action === 'restore') await restoreEvents(client, kafka.partitions, lines());
    else await out(dumpEvents(client, JSON.parse(await text(stdin)) as Mark[]));
  } finally {
    await client.close();
  }
}

/** Creates the service's tables, as its start would. */
async function schema(): Promise<void> {
  const opened = await openPlatform(platform(), logger);
  const folder = join(import.meta.dirname, '..', '..', '..', 'services', service, 'migrations');
  await opened.sql(service, pathToFileURL(`${folder}/`));
  await opened.close();
}

const [what = '', action = ''] = process.argv.slice(2);
const parts: Record<string, (action: string) => Promise<void>> = { schema, documents, objects, events };
try {
  await parts[what]!(action);
  await exitAfterFlush(0);
} catch (error) {
  process.stderr.write(`${what} of ${service}: ${(error as Error).message}\n`);
  await exitAfterFlush(1);
}
