import { z } from 'zod';
import { ConfigError, flag, url } from './environment.ts';

/** Engines, chosen by the environment. .env.example explains each variable. */
export interface PlatformConfig {
  /** Also stores documents, events and jobs unless another engine is set. */
  databaseUrl?: string | undefined;
  kafka?: KafkaConfig | undefined;
  mongodbUrl?: string | undefined;
  s3?: S3Config | undefined;
  /** Folder for files when there is no object store. */
  objectsDir: string;
  smtpUrl: string;
  mailFrom: string;
}

export interface KafkaConfig {
  brokers: string[];
  ssl: boolean;
  sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string };
  /** Partitions of new topics: the maximum number of replicas that share a service's work. */
  partitions: number;
}

export interface S3Config {
  endpoint: string;
  accessKey: string;
  secretKey: string;
  region: string;
  bucketPrefix: string;
}

const DEFAULT_PARTITIONS = 12;
const address = (protocols: string, example: string) =>
  z.string().regex(new RegExp(`^(${protocols})://[^\\s/]`), `must be an address like ${example}`);

export const kafkaShape = {
  KAFKA_BROKERS: z
    .string()
    .transform((list) => list.split(',').map((one) => one.trim()))
    .pipe(z.array(z.string().regex(/^[^\s:/]+:\d+$/, 'must be host:port, with commas between')).min(1))
    .optional(),
  KAFKA_SSL: flag.default(false),
  KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
  KAFKA_USERNAME: z.string().optional(),
  KAFKA_PASSWORD: z.string().optional(),
  KAFKA_PARTITIONS: z.coerce.number().int().min(1).max(1_000).default(DEFAULT_PARTITIONS),
};

export const platformShape = {
  DATABASE_URL: address('postgres|postgresql', 'postgres://user:password@host:5432/database').optional(),
  ...kafkaShape,
  MONGODB_URL: address(
    'mongodb|mongodb\\+srv',
    'mongodb://user:password@host:27017/?authSource=…',
  ).optional(),
  S3_ENDPOINT: url.optional(),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET_PREFIX: z
    .string()
    .regex(/^[a-z0-9-]*$/, 'must be lower-case letters, digits and dashes')
    .default('arboleda-'),
  OBJECTS_DIR: z.string().default('.data/objects'),
  SMTP_URL: address('smtp|smtps', 'smtp://user:password@host:587').default('smtp://127.0.0.1:1025'),
  MAIL_FROM: z.string().default('Arboleda <hola@arboleda.test>'),
};

type PlatformEnvironment = z.infer<z.ZodObject<typeof platformShape>>;

/** @throws ConfigError when one variable requires another */
export function platformConfig(read: PlatformEnvironment): PlatformConfig {
  const faults = [
    ...(read.DATABASE_URL || (read.KAFKA_BROKERS && read.MONGODB_URL) ? [] : ['DATABASE_URL: must be set']),
    ...missing(read, 'KAFKA_SASL_MECHANISM', ['KAFKA_USERNAME', 'KAFKA_PASSWORD']),
    ...missing(read, 'S3_ENDPOINT', ['S3_ACCESS_KEY', 'S3_SECRET_KEY']),
  ];
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    databaseUrl: read.DATABASE_URL,
    kafka: kafkaConfig(read),
    mongodbUrl: read.MONGODB_URL,
    s3: read.S3_ENDPOINT
      ? {
          endpoint: read.S3_ENDPOINT,
          accessKey: read.S3_ACCESS_KEY!,
          secretKey: read.S3_SECRET_KEY!,
          region: read.S3_REGION,
          bucketPrefix: read.S3_BUCKET_PREFIX,
        }
      : undefined,
    objectsDir: read.OBJECTS_DIR,
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM,
  };
}

export const kafkaConfig = (read: z.infer<z.ZodObject<typeof kafkaShape>>): KafkaConfig | undefined =>
  read.KAFKA_BROKERS && {
    brokers: read.KAFKA_BROKERS,
    ssl: read.KAFKA_SSL,
    ...(read.KAFKA_SASL_MECHANISM && {
      sasl: {
        mechanism: read.KAFKA_SASL_MECHANISM,
        username: read.KAFKA_USERNAME!,
        password: read.KAFKA_PASSWORD!,
      },
    }),
    partitions: read.KAFKA_PARTITIONS,
  };

type Name = keyof PlatformEnvironment;
const missing = (read: PlatformEnvironment, given: Name, needed: readonly Name[]): string[] =>
  read[given] ? needed.filter((name) => !read[name]).map((name) => `${name}: must be set with ${given}`) : [];
