import { typedText } from './typed-text.ts';

export type EmailProblem = 'emailMissing' | 'emailNoAt' | 'emailNoEnding' | 'emailWrong';

/** What is wrong with a typed address, as precisely as can be said without sending a mail. */
export function emailProblem(typed: string): EmailProblem | undefined {
  const address = typedText(typed);
  if (!address) return 'emailMissing';
  const [local, domain, ...rest] = address.split('@');
  if (domain === undefined) return 'emailNoAt';
  if (!local || rest.length > 0 || /\s/.test(address)) return 'emailWrong';
  if (!/^[^.]+(\.[^.]+)*\.[^.]{2,}$/.test(domain)) return 'emailNoEnding';
  return undefined;
}
