import { access } from './access/access.ts';
import type { Topic } from './frame/topic.ts';
import { crossSite } from './cross-site/cross-site.ts';
import { enumeration } from './enumeration/enumeration.ts';
import { gateway } from './gateway/gateway.ts';
import { headers } from './headers/headers.ts';
import { leaks } from './leaks/leaks.ts';
import { limits } from './limits/limits.ts';
import { production } from './production/production.ts';
import { repository } from './repository/repository.ts';
import { tokens } from './tokens/tokens.ts';
import { uploads } from './uploads/uploads.ts';

/** In the order in which they leave most of the product whole for the next one. */
export const TOPICS: readonly Topic[] = [
  repository,
  production,
  access,
  tokens,
  headers,
  crossSite,
  enumeration,
  limits,
  uploads,
  gateway,
  leaks,
];
