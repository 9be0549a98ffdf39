import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { ApiProblem } from '../api/problem.ts';

/**
 * Puts what the server refused beside the fields it is about, the first one in focus.
 * @param names fields of the form by those of the call, where they are called otherwise
 * @returns whether all of it found a place
 */
export function showFieldProblems<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  names: Record<string, Path<Values>> = {},
): boolean {
  const fields = error instanceof ApiProblem ? error.fields : [];
  let shown = 0;
  for (const { path, message } of fields) {
    const name = names[path] ?? (path as Path<Values>);
    if (!(name in form.getValues())) continue;
    form.setError(name, { message }, { shouldFocus: shown === 0 });
    shown += 1;
  }
  return fields.length > 0 && shown === fields.length;
}
