import { type FieldFault, type FieldProblemType, Problem } from '@arboleda/contracts/problems.ts';
import type { z } from 'zod';

/** Parses a part of a request. @throws Problem `validation-failed` that names every field at fault. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new Problem('validation-failed', { fields: result.error.issues.map(fault) });
}

const fault = (issue: z.core.$ZodIssue): FieldFault => ({ path: issue.path.join('.'), type: kind(issue) });

function kind(issue: z.core.$ZodIssue): FieldProblemType {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return 'required';
      return issue.expected === 'int' ? 'not-an-integer' : 'invalid';
    case 'too_small':
      if (issue.origin !== 'string') return 'too-small';
      return issue.input === '' || issue.minimum === 1 ? 'required' : 'too-short';
    case 'too_big':
      return issue.origin === 'string' ? 'too-long' : 'too-big';
    case 'invalid_value':
      return issue.input === undefined ? 'required' : 'unknown-value';
    case 'invalid_format':
      if (issue.input === '') return 'required';
      return issue.format === 'email' ? 'invalid-email' : 'invalid';
    default:
      return 'invalid';
  }
}
