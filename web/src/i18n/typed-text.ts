import { withoutInvisible } from '@arboleda/contracts/invisible.ts';

/** Typed or pasted text without invisible and control characters, which cannot be stored. */
export const typedText = (typed: string): string =>
  withoutInvisible(typed)
    .replace(/[\t\n\r]/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();

export type EmailProblem = 'emailMissing' | 'emailNoAt' | 'emailNoEnding' | 'emailWrong';

/** Most specific problem of a typed address that is detectable without sending an email. */
export function emailProblem(typed: string): EmailProblem | undefined {
  const address = typedText(typed);
  if (!address) return 'emailMissing';
  const [local, domain, ...rest] = address.split('@');
  if (domain === undefined) return 'emailNoAt';
  if (!local || rest.length > 0 || /\s/.test(address)) return 'emailWrong';
  if (!/^[^.]+(\.[^.]+)*\.[^.]{2,}$/.test(domain)) return 'emailNoEnding';
  return undefined;
}
