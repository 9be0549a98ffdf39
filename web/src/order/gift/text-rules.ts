import { useEffect } from 'react';

/*
 * Rules for the words of a gift. The list of all domain endings is 50 kB, so it is loaded when a gift is written. Until then
 * only the server applies these rules.
 */

interface TextRules {
  hasLink(text: string): boolean;
  isTakenName(name: string): boolean;
}

let rules: TextRules | undefined;

export async function loadTextRules(): Promise<void> {
  const [{ hasLink }, { isTakenName }] = await Promise.all([
    import('@arboleda/contracts/links.ts'),
    import('@arboleda/contracts/sender-name.ts'),
  ]);
  rules = { hasLink, isTakenName };
}

/** Loads the rules while a gift is on the page. */
export const useTextRules = (): void =>
  useEffect(() => {
    // Without a connection the server says it.
    loadTextRules().catch(() => undefined);
  }, []);

export const hasLink = (text: string): boolean => rules?.hasLink(text) ?? false;
export const isTakenName = (name: string): boolean => rules?.isTakenName(name) ?? false;
