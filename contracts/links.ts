import { parse } from 'tldts';

/*
 * Text of strangers in our emails: gift messages, names and thanks. Refused is what a mail program turns into something to
 * tap, or what a reader would type as one: web and email addresses, however they are spelled, and phone numbers, which
 * phones turn into links. A domain counts when its ending is on the public suffix list (https://publicsuffix.org), so
 * "cumpleaños.Te quiero" is none and "Navidad.Me" is one: mail programs link it, too.
 */

/** Whether a text has a link, an address or a phone number. */
export function hasLink(text: string): boolean {
  const plain = plainText(text);
  return (
    [plain, lookalike(plain)].some((one) => ADDRESS_SIGNS.test(one) || hasDomain(one)) || hasPhone(plain)
  );
}

/** Dots of other scripts and forms that compatibility normalization leaves. */
const DOTS = /[\u3002\uff61\u00b7\u2027\u06d4\u0701\u0702\u2e31\u2e33\ua4f8\u30fb\uff65]/g;
/** Marks over, below and through any letter. */
const STRIKES = /\p{Script=Inherited}/gu;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** "evil[.]com", "evil (dot) com" */
const BRACKETED_DOT = /\s*[([{<]\s*(?:\.|dot|punto|ponto|point|punkt)\s*[)\]}>]\s*/gi;

/** One spelling for full-width, decorated, invisible and struck letters, and for dots. */
const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(STRIKES, '')
    .replace(DOTS, '.')
    .replace(BRACKETED_DOT, '.');

/** Letters of other scripts that look Latin: https://www.unicode.org/reports/tr39 */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  'аa вb сc ԁd еe һh нh іi јj кk ӏl мm пn оo рp ԛq гr ѕs тt цu ѵv ԝw хx уy αa βb ϲc εe ηn ιi κk μu νv οo ρp τt υu χx γy ıi ɡg օo ոn սu'
    .split(' ')
    .map((pair) => [...pair]),
);

/** The same text in Latin letters, for words that mix scripts. */
export const lookalike = (text: string): string =>
  text.replace(/[^\p{ASCII}]/gu, (letter) => {
    const latin = LOOKALIKES[letter.toLowerCase()];
    if (latin === undefined) return letter;
    return letter === letter.toLowerCase() ? latin : latin.toUpperCase();
  });

/** Schemes, also broken ones, and the beginnings that mail programs link by themselves. */
const ADDRESS_SIGNS =
  /[a-z][a-z0-9+.-]*\s*:\s*\/\s*\/|h(?:tt|xx)ps?\s*:|\bwww\d{0,3}\s*\.\s*\S|\b(?:mailto|tel|sms|callto|whatsapp|skype|tg|intent|javascript)\s*:\s*\S|(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)/i;

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?`;
const HOSTS = new RegExp(String.raw`${LABEL}(?:\.${LABEL})+`, 'gu');

/**
 * Endings that are no words, so that one after a space is an address: "evil . com", "evil punto com". "Te quiero. Me haces
 * feliz" is none, though .me is an ending.
 */
const ENDINGS =
  'com|net|org|co|info|biz|io|ly|gl|gd|app|xyz|ru|cn|tk|ml|cf|gq|site|online|link|click|icu|vip|pw|cc|ws|gov|edu|dev|eu|uk|br|mx|ve|ec|pe|cl|ar';
const AT_END = String.raw`(?![\p{L}\p{N}])`;
const SPACED = [
  // A space before the dot, or a word for it.
  new RegExp(
    String.raw`[\p{L}\p{N}](?:\s+\.\s*|[\s_-]+(?:dot|punto|ponto)[\s_-]+)(?:${ENDINGS})${AT_END}`,
    'iu',
  ),
  // A space behind it, unless a sentence may begin: "Gracias. Com amor".
  new RegExp(String.raw`[\p{L}\p{N}]\.\s+(?:${ENDINGS}|${ENDINGS.toUpperCase()})${AT_END}`, 'u'),
  new RegExp(String.raw`[\p{L}\p{N}]\.\s+(?:${ENDINGS})\s*/`, 'iu'),
];

function hasDomain(text: string): boolean {
  if (SPACED.some((spaced) => spaced.test(text))) return true;
  for (const { 0: host, index } of text.matchAll(HOSTS)) {
    const labels = host.split('.');
    // "evil.com.Feliz día" has its address at the beginning.
    for (let end = 2; end <= labels.length; end++) {
      const rest = text[index + host.length];
      if (isDomain(labels.slice(0, end), end === labels.length && rest === '/')) return true;
    }
  }
  return false;
}

function isDomain(labels: readonly string[], hasPath: boolean): boolean {
  const host = labels.join('.');
  const { domain, isIcann } = parse(host, { validateHostname: false, detectIp: false });
  return isIcann === true && domain !== null && (hasPath || !isAbbreviation(host));
}

/** "8.am", "M.Sc", "J.Ma": initials and hours. */
const isAbbreviation = (host: string): boolean =>
  /^\d{1,2}\.[ap]m$/i.test(host) || /^(?:\p{Lu}\.)+\p{Lu}\p{Ll}+$/u.test(host);

const DATES =
  /(?<!\d)(?:\d{1,2}[-. ]\d{1,2}[-. ](?:19|20)\d{2}|(?:19|20)\d{2}[-. ]\d{1,2}[-. ]\d{1,2})(?!\d)/g;
const NUMBERS = /\+?\d(?:[\s().-]{0,3}\d){6,}/g;
/** "1.000.000", "1000000", "75.486123", "2020-2026" */
const NO_PHONE =
  /^(?:[1-9]0{6,}|\d{1,3}(?:[.\s]\d{3}){2,}|\d{1,3}\.\d+|(?:19|20)\d{2}(?:\D+(?:19|20)\d{2})*)$/;

function hasPhone(text: string): boolean {
  const numbers = text.replace(DATES, ' ').match(NUMBERS) ?? [];
  return numbers.some((number) => !NO_PHONE.test(number));
}
