import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../api/problem.ts';

/**
 * What to tell a person about a failed call: the server's own sentence (it speaks their language), the spec's
 * sentence for a lost connection, or the given words when there is nothing better.
 */
export function useProblemText(): (error: unknown, texts: { failed: string; network: string }) => string {
  useTranslation();
  return (error, texts) => {
    if (!(error instanceof ApiProblem)) return texts.failed;
    if (error.type === 'network') return texts.network;
    return error.type === 'unknown' ? texts.failed : error.message;
  };
}
