import { EVENTS } from '@arboleda/contracts/events/index.ts';
import { TRAFFIC } from '@arboleda/contracts/events/traffic.ts';
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import kafkajs, { type AclEntry, type AclOperationTypes, type AclResourceTypes } from 'kafkajs';
import { deadLetterTopic, eventTopics, groupTopics, type TopicSpec } from '../adapters/kafka/topics.ts';

const { AclOperationTypes: Operation, AclResourceTypes: Resource, ResourcePatternTypes: Pattern } = kafkajs;

/** Services that consume events. Each is a consumer group with its own topics. */
export const GROUPS = SERVICES.filter((name) => TRAFFIC[name].listensTo.length > 0);

export const allTopics = (partitions: number): TopicSpec[] => [
  ...eventTopics(partitions),
  ...GROUPS.flatMap((group) => groupTopics(group, partitions)),
];

/** ACLs for each service's Kafka user. Everything else is denied. */
export const accessEntries = (): AclEntry[] => SERVICES.flatMap(entriesOf);

function entriesOf(service: ServiceName): AclEntry[] {
  const { publishes, listensTo } = TRAFFIC[service];
  const may = (
    operation: AclOperationTypes,
    resourceType: AclResourceTypes,
    resourceName: string,
    resourcePatternType = Pattern.LITERAL,
  ): AclEntry => ({
    principal: `User:${service}`,
    host: '*',
    permissionType: kafkajs.AclPermissionTypes.ALLOW,
    operation,
    resourceType,
    resourceName,
    resourcePatternType,
  });
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
