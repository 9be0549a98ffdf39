/**
 * Copies or restores what one service has. "npm run backup" and "npm run restore" run it inside a container, where the
 * engines can be reached, and tell it by lines when to do what; each line is answered by a line. Arguments:
 * `service copy|restore`, `events copy|restore` or `files copy|restore <folder>`.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TRAFFIC } from '@arboleda/contracts/events/traffic.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import { openKafkaClient } from '../adapters/kafka/client.ts';
import { openMinioObjects } from '../adapters/minio/minio.ts';
import { prepareTables } from '../adapters/postgres/prepare-tables.ts';
import { readEnvironment } from '../environment.ts';
import { exitAfterFlush } from '../leave.ts';
import { openLogger } from '../log.ts';
import { kafkaConfig, kafkaShape, platformConfig, platformShape } from '../platform-config.ts';
import {
  ends,
  eventsOfKafka,
  marks,
  readEventLines,
  requireEmptyTopics,
  restoreEventsToKafka,
} from './events.ts';
import { copyFiles, restoreFiles } from './files.ts';
import { linesOf, openReader, readFrames, withEnding } from './format.ts';
import { openMoment } from './moment.ts';
import { openSession } from './rows.ts';
import {
  copyService,
  type DocumentCopies,
  requireEmpty,
  restoreService,
  type ServiceStores,
} from './service.ts';

/** Topics of the service that keeps documents. */
const OF_DOCUMENTS: readonly string[] = TRAFFIC.media.publishes;

const { stdin, stdout, stderr, env } = process;
const input = openReader(stdin);
const logger = openLogger('backup', 'error');

async function out(parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const part of parts) {
    if (!stdout.write(typeof part === 'string' ? `${part}\n` : part)) await once(stdout, 'drain');
  }
}

/** Does what the lines ask for, until the one that is `last` begins the stream. */
async function obey(steps: Record<string, () => Promise<unknown>>, last: string): Promise<void> {
  for (;;) {
    const asked = await input.line();
    if (asked === undefined) throw new Error('nobody asks any more');
    if (asked === last) return;
    const answer = await steps[asked]!().then(
      (done) => ({ done: done ?? null }),
      (error: Error) => ({ fault: error.message }),
    );
    stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

async function service(action: string): Promise<void> {
  const name = basename(env.SERVICE ?? '') as ServiceName;
  const { databaseUrl, mongodbUrl, s3 } = platformConfig(readEnvironment(env, platformShape));
  const own = join(import.meta.dirname, '..', '..', '..', 'services', name, 'backup.ts');
  const { documents } = existsSync(own)
    ? ((await import(pathToFileURL(own).href)) as { documents: DocumentCopies })
    : { documents: undefined };
  const objects = s3 && (await openMinioObjects({ ...s3, bucket: `${s3.bucketPrefix}${name}` }));
  const stores = (client: ServiceStores['client']) => ({
    service: name,
    client,
    mongodbUrl,
    documents,
    objects,
  });
  if (action === 'copy') {
    const moment = databaseUrl ? await openMoment(databaseUrl, name) : undefined;
    const nothing = async () => undefined;
    const { hold = nothing, snapshot = nothing, release = nothing } = moment ?? {};
    await obey({ begin: nothing, hold, snapshot, release }, 'copy');
    await out(withEnding(copyService(stores(moment?.client))));
    await moment?.close();
  } else {
    const client = databaseUrl ? await openSession(databaseUrl) : undefined;
    await obey({ begin: () => requireEmpty(stores(client)) }, 'restore');
    const prepare = (upTo?: Parameters<typeof prepareTables>[0]['upTo']) =>
      prepareTables({ databaseUrl: databaseUrl!, service: name, logger, upTo });
    await restoreService(stores(client), readFrames(input.rest()), prepare);
    await client?.end();
  }
}

async function events(action: string): Promise<void> {
  // Runs as a Kafka user that may read all topics and has no other engine.
  const kafka = kafkaConfig(readEnvironment(env, kafkaShape))!;
  const client = openKafkaClient(kafka, logger);
  try {
    if (action === 'copy') {
      let begun: Awaited<ReturnType<typeof marks>> = [];
      let spans: Awaited<ReturnType<typeof ends>> = [];
      await obey(
        {
          begin: async () => void (begun = await marks(client)),
          ends: async () => void (spans = await ends(client)),
          // Documents are copied after the moment: what their service published by then belongs to them.
          'later ends': async () =>
            void (spans = [
              ...spans.filter(({ topic }) => !OF_DOCUMENTS.includes(topic)),
              ...(await client.spans(OF_DOCUMENTS)),
            ]),
        },
        'copy',
      );
      await out(withCount(eventsOfKafka(client, begun, spans)));
    } else {
      await obey({ begin: () => requireEmptyTopics(client, kafka.partitions) }, 'restore');
      await restoreEventsToKafka(client, kafka.partitions, readEventLines(linesOf(input.rest())));
    }
  } finally {
    await client.close();
  }
}

async function* withCount(lines: AsyncIterable<object>): AsyncGenerator<string> {
  let end = 0;
  for await (const line of lines) {
    end++;
    yield JSON.stringify(line);
  }
  yield JSON.stringify({ end });
}

async function files(action: string, folder: string): Promise<void> {
  const nothing = async () => undefined;
  await obey({ begin: nothing }, action);
  if (action === 'copy') await out(withEnding(copyFiles(folder)));
  else await restoreFiles(folder, readFrames(input.rest()));
}

const [what = '', action = '', folder = ''] = process.argv.slice(2);
const parts: Record<string, (action: string, folder: string) => Promise<void>> = { service, events, files };
try {
  await parts[what]!(action, folder);
  await exitAfterFlush(0);
} catch (error) {
  stderr.write(`${(error as Error).message}\n`);
  await exitAfterFlush(1);
}
