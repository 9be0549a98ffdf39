/**
 * Copies or restores what one service has, or tells its facts. "npm run backup", "npm run restore" and "npm run doctor" run it inside a container, where the
 * engines can be reached, and tell it by lines when to do what; each line is answered by a line. Arguments:
 * `service copy|restore|facts` or `events copy|restore`.
 */
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TRAFFIC } from '@arboleda/contracts/events/traffic.ts';
import { DOCUMENT_SERVICES, hasDocuments, type ServiceName } from '@arboleda/contracts/services.ts';
import { openKafkaClient } from '../adapters/kafka/client.ts';
import { openMinioObjects } from '../adapters/minio/minio.ts';
import { prepareTables } from '../adapters/postgres/prepare-tables.ts';
import { readEnvironment } from '../environment.ts';
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
import { copyFacts } from './facts.ts';
import { linesOf, readFrames, withEnding } from './format.ts';
import { openMoment } from './moment.ts';
import { openSession } from './rows.ts';
import { input, obey, out, runTold } from './told.ts';
import { copyService, requireEmpty, restoreService } from './service.ts';
import type { DocumentCopies, ServiceStores } from './stores.ts';

/** Topics of services that keep documents. */
const OF_DOCUMENTS: readonly string[] = DOCUMENT_SERVICES.flatMap((name) => TRAFFIC[name].publishes);

const { env } = process;
const logger = openLogger('backup', 'error');

async function service(action: string): Promise<void> {
  const name = basename(env.SERVICE ?? '') as ServiceName;
  const { databaseUrl, mongodbUrl, s3 } = platformConfig(readEnvironment(env, platformShape));
  const own = join(import.meta.dirname, '..', '..', '..', 'services', name, 'backup.ts');
  const { documents } = hasDocuments(name)
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
    const { hold = nothing, snapshot = nothing, held = nothing, release = nothing } = moment ?? {};
    await obey({ begin: nothing, hold, snapshot, held, release }, 'copy');
    await out(withEnding(copyService(stores(moment?.client))));
    await moment?.close();
  } else if (action === 'facts') {
    const client = databaseUrl ? await openSession(databaseUrl) : undefined;
    await client?.query('begin isolation level repeatable read read only');
    await obey({}, 'facts');
    await out(withEnding(copyFacts(stores(client))));
    await client?.end();
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

const [what = '', action = ''] = process.argv.slice(2);
const parts: Record<string, (action: string) => Promise<void>> = { service, events };
await runTold(() => parts[what]!(action));
