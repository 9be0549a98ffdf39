import { EVENTS } from '@arboleda/contracts/events/index.ts';
import { TRAFFIC } from '@arboleda/contracts/events/traffic.ts';
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import kafkajs, { type AclEntry, type AclOperationTypes, type AclResourceTypes } from 'kafkajs';
import { deadLetterTopic, eventTopics, groupTopics, type TopicSpec } from '../adapters/kafka/topics.ts';

const { AclOperationTypes: Operation, AclResourceTypes: Resource, ResourcePatternTypes: Pattern } = kafkajs;

/** Services that take events: each is a consumer group with topics of its own. */
export const GROUPS = SERVICES.filter((name) => TRAFFIC[name].listensTo.length > 0);

export const allTopics = (partitions: number): TopicSpec[] => [
  ...eventTopics(partitions),
  ...GROUPS.flatMap((group) => groupTopics(group, partitions)),
];

/** What each service, by the Kafka user of its name, may do. What is not named is refused. */
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
    // At its start it looks whether all topics are there.
    ...Object.keys(EVENTS).map((topic) => may(Operation.DESCRIBE, Resource.TOPIC, topic)),
    ...publishes.map((topic) => may(Operation.WRITE, Resource.TOPIC, topic)),
    ...listensTo.map((topic) => may(Operation.READ, Resource.TOPIC, topic)),
    ...(isGroup
      ? [
          may(Operation.READ, Resource.GROUP, service),
          // <group>.retry.soon, <group>.retry.later, <group>.dead-letters
          may(Operation.READ, Resource.TOPIC, `${service}.`, Pattern.PREFIXED),
          may(Operation.WRITE, Resource.TOPIC, `${service}.`, Pattern.PREFIXED),
          // Dead letters are read by a group that is made for it and commits nothing.
          may(Operation.READ, Resource.GROUP, 'reader-', Pattern.PREFIXED),
        ]
      : []),
    // The admins' overview counts the dead letters of all.
    ...(service === 'orders'
      ? GROUPS.map((group) => may(Operation.READ, Resource.TOPIC, deadLetterTopic(group)))
      : []),
  ];
}
