/** Providers that deliver several spellings to one mailbox; `ignored` characters before the @ change nothing. */
const PROVIDERS: readonly { domains: readonly string[]; ignored?: RegExp }[] = [
  // https://support.google.com/mail/answer/7436150
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  // https://proton.me/support/addresses-and-aliases
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
  // https://support.apple.com/en-us/102540
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
];

/**
 * The mailbox of an address, to count what one person gets: without case, a tag after a plus, and what its provider
 * ignores. Only for comparison, never to send to. Must match `mailbox` in services/payments/migrations.
 */
export function mailboxOf(email: string): string {
  const plain = email.normalize('NFKC').trim().toLowerCase();
  const at = plain.lastIndexOf('@');
  const local = plain.slice(0, Math.max(at, 0));
  const domain = plain.slice(at + 1).replace(/\.$/, '');
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
  const untagged = local.replace(/(.)\+.*$/, '$1');
  return `${provider?.ignored ? untagged.replace(provider.ignored, '') : untagged}@${provider?.domains[0] ?? domain}`;
}
