import { access } from './access/access.ts';
import type { Topic } from './frame/topic.ts';
import { enumeration } from './enumeration/enumeration.ts';
import { gateway } from './gateway/gateway.ts';
import { headers } from './headers/headers.ts';
import { limits } from './limits/limits.ts';
import { production } from './production/production.ts';
import { tokens } from './tokens/tokens.ts';
import { uploads } from './uploads/uploads.ts';

/** In the order in which they leave most of the product whole for the next one. */
export const TOPICS: readonly Topic[] = [
  production,
  access,
  tokens,
  uploads,
  gateway,
  limits,
  headers,
  enumeration,
];
