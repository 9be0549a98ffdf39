/**
 * Creates all topics, and grants each service's user what it needs. Run it as a broker super user before the
 * services start. It is idempotent. `--keep` revokes nothing.
 */
import kafkajs, { type AclEntry, type Admin, type SASLOptions } from 'kafkajs';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { openKafkaClient } from '../adapters/kafka/client.ts';
import { readEnvironment } from '../environment.ts';
import { exitAfterFlush } from '../leave.ts';
import { openLogger } from '../log.ts';
import { kafkaConfig, kafkaShape } from '../platform-config.ts';
import { accessEntries, allTopics, USERS } from './access.ts';

const wanted = accessEntries();
try {
  const config = kafkaConfig(readEnvironment(process.env, kafkaShape));
  if (!config) throw new Error('KAFKA_BROKERS: must be set');
  const { brokers, ssl, sasl, partitions } = config;
  const kafka = new kafkajs.Kafka({
    brokers,
    ssl,
    ...(sasl && { sasl: sasl as SASLOptions }),
    logLevel: kafkajs.logLevel.NOTHING,
  });
  const admin = kafka.admin();
  await admin.connect();
  try {
    // Before the topics: a broker that creates hundreds of partitions delays other requests.
    await admin.createAcls({ acl: wanted });
    // The previous version still runs after --keep, and needs its grants.
    if (!process.argv.includes('--keep')) await removeOthers(admin);
  } finally {
    await admin.disconnect();
  }
  const client = openKafkaClient(config, openLogger('kafka-setup', 'error'));
  await client.ensureTopics(allTopics(partitions)).finally(() => client.close());
  process.stdout.write(`topics are there, and ${SERVICES.length} services may do what they must\n`);
  await exitAfterFlush(0);
} catch (error) {
  process.stderr.write(`kafka-setup: ${(error as Error).message}\n`);
  await exitAfterFlush(1);
}

/** Revokes grants that are no longer needed. */
async function removeOthers(admin: Admin): Promise<void> {
  const kept = new Set(wanted.map(nameOf));
  for (const user of USERS) {
    const { resources } = await admin.describeAcls({
      principal: `User:${user}`,
      resourceType: kafkajs.AclResourceTypes.ANY,
      resourcePatternType: kafkajs.ResourcePatternTypes.ANY,
      operation: kafkajs.AclOperationTypes.ANY,
      permissionType: kafkajs.AclPermissionTypes.ANY,
    });
    const there = resources.flatMap(({ acls, ...resource }) =>
      acls.map((acl): AclEntry => ({ ...resource, ...acl })),
    );
    const filters = there.filter((entry) => !kept.has(nameOf(entry)));
    if (filters.length > 0) await admin.deleteAcls({ filters });
  }
}

function nameOf(entry: AclEntry): string {
  const { principal, host, operation, permissionType, resourceType, resourceName, resourcePatternType } =
    entry;
  return [principal, host, operation, permissionType, resourceType, resourceName, resourcePatternType].join(
    ' ',
  );
}
