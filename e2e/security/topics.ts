import { access } from './access/access.ts';
import type { Topic } from './frame/topic.ts';
import { production } from './production/production.ts';
import { tokens } from './tokens/tokens.ts';
import { uploads } from './uploads/uploads.ts';

/** In the order in which they leave most of the product whole for the next one. */
export const TOPICS: readonly Topic[] = [production, access, tokens, uploads];
