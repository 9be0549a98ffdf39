import { ADMIN_PROBLEMS } from './admin-problems.ts';
import {
  FIELD_PROBLEMS,
  type FieldProblemType,
  type ProblemKind,
  PROBLEMS,
  type ProblemType,
} from './problems.ts';
import type { Language } from './roles.ts';
import { STATEMENT_PROBLEMS } from './statement-problems.ts';

/** Every refusal. */
const KINDS: Record<ProblemType, ProblemKind> = { ...PROBLEMS, ...ADMIN_PROBLEMS, ...STATEMENT_PROBLEMS };

export const PROBLEM_TYPES = Object.keys(KINDS) as ProblemType[];

export const problemKind = (type: ProblemType): ProblemKind => KINDS[type];

const TITLES: Record<ProblemType | FieldProblemType, Record<Language, string>> = {
  ...KINDS,
  ...FIELD_PROBLEMS,
};

/** The sentence for people, about a call or at a field. */
export const problemTitle = (type: ProblemType | FieldProblemType, language: Language): string =>
  TITLES[type][language];

/** The message for programs: the product spec's where it has one. */
export const problemError = (type: ProblemType, language: Language): string =>
  (KINDS[type].spec ?? KINDS[type])[language];
