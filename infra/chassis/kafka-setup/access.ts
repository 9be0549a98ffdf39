import { EVENTS } from '@arboleda/contracts/events/index.ts';
import { TRAFFIC } from '@arboleda/contracts/events/traffic.ts';
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import kafkajs, { type AclEntry, type AclOperationTypes, type AclResourceTypes } from 'kafkajs';
import { deadLetterTopic, eventTopics, groupTopics, type TopicSpec } from '../adapters/kafka/topics.ts';

const { AclOperationTypes: Operation, AclResourceTypes: Resource, ResourcePatternTypes: Pattern } = kafkajs;

/** Services that consume events. Each is a consumer group with its own topics. */
const GROUPS = SERVICES.filter((name) => TRAFFIC[name].listensTo.length > 0);

export const allTopics = (partitions: number): TopicSpec[] => [
  ...eventTopics(partitions),
  ...GROUPS.flatMap((group) => groupTopics(group, partitions)),
];

/** Describes topics and disks for Prometheus, and reads no event. */
const MONITORING = 'monitoring';
/** All users with ACLs. */
export const USERS = [...SERVICES, MONITORING];

/** ACLs for the Kafka user of each service and of the exporters. Everything else is denied. */
export const accessEntries = (): AclEntry[] => [
  ...SERVICES.flatMap(entriesOf),
  grantTo(MONITORING)(Operation.DESCRIBE, Resource.CLUSTER, 'kafka-cluster'),
  grantTo(MONITORING)(Operation.DESCRIBE, Resource.TOPIC, '*'),
];

const grantTo =
  (user: string) =>
  (
    operation: AclOperationTypes,
    resourceType: AclResourceTypes,
    resourceName: string,
    resourcePatternType = Pattern.LITERAL,
  ): AclEntry => ({
    principal: `User:${user}`,
    host: '*',
    permissionType: kafkajs.AclPermissionTypes.ALLOW,
    operation,
    resourceType,
    resourceName,
    resourcePatternType,
  });

function entriesOf(service: ServiceName): AclEntry[] {
  const { publishes, listensTo } = TRAFFIC[service];
  const may = grantTo(service);
  const isGroup = GROUPS.includes(service);
  return [
    // At its start a service checks that all topics exist.
    ...Object.keys(EVENTS).map((topic) => may(Operation.DESCRIBE, Resource.TOPIC, topic)),
    ...publishes.map((topic) => may(Operation.WRITE, Resource.TOPIC, topic)),
    ...listensTo.map((topic) => may(Operation.READ, Resource.TOPIC, topic)),
    ...(isGroup
      ? [
          may(Operation.READ, Resource.GROUP, service),
          // <group>.retry.soon, <group>.retry.later, <group>.dead-letters
          may(Operation.READ, Resource.TOPIC, `${service}.`, Pattern.PREFIXED),
          may(Operation.WRITE, Resource.TOPIC, `${service}.`, Pattern.PREFIXED),
          // Dead letters are read by a temporary group that commits nothing.
          may(Operation.READ, Resource.GROUP, 'reader-', Pattern.PREFIXED),
        ]
      : []),
    // The admin overview counts all dead letters.
    ...(service === 'orders'
      ? GROUPS.map((group) => may(Operation.READ, Resource.TOPIC, deadLetterTopic(group)))
      : []),
  ];
}
