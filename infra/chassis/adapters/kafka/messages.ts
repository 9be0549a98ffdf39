/** What this adapter says to Kafka and hears from it, in words of its own: only client.ts knows kafkajs. */
export interface Place {
  topic: string;
  partition: number;
}

export interface Incoming extends Place {
  offset: number;
  key: string | undefined;
  value: string | undefined;
  headers: Readonly<Record<string, string>>;
}

export interface Outgoing {
  topic: string;
  key: string;
  /** null: a tombstone, which erases the key from a compacted topic. */
  value: string | null;
  headers?: Record<string, string>;
}

/** What a partition holds: the offsets from `low` up to, but without, `high`. */
export interface Span extends Place {
  low: number;
  high: number;
}

/** Where a group goes on in a partition. */
export interface Commit extends Place {
  offset: number;
  /** The group does not want this topic any more. */
  left?: boolean;
  /** Kept beside the place until the next commit. */
  note?: string;
}

export interface TopicSpec {
  topic: string;
  partitions: number;
  settings: Record<string, string>;
}

export const placeName = ({ topic, partition }: Place): string => `${topic}/${partition}`;
