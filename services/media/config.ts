import {
  type Environment,
  readEnvironment,
  type ServiceConfig,
  serviceConfig,
  url,
} from '@arboleda/chassis/config.ts';
import { z } from 'zod';

export interface MediaConfig extends ServiceConfig {
  /** Photos decoded concurrently; each needs up to about 200 MB. */
  concurrency: number;
  /** Maximum distance from the order's place before a photo is flagged. */
  maxDistanceMetres: number;
}

export function mediaConfig(env: Environment): MediaConfig {
  const read = readEnvironment(env, {
    /** Tells whose assignment a photo is for. */
    ASSIGNMENTS_URL: url,
    MEDIA_CONCURRENCY: z.coerce.number().int().min(1).max(32).default(2),
    PHOTO_MAX_DISTANCE_KM: z.coerce.number().min(0.1).max(20_000).default(5),
  });
  return {
    ...serviceConfig(env, 'media'),
    concurrency: read.MEDIA_CONCURRENCY,
    maxDistanceMetres: read.PHOTO_MAX_DISTANCE_KM * 1000,
  };
}
