import { folded } from '@arboleda/contracts/search.ts';

/** The pesos of Colombia's accounts, as banks write them. A sign alone is the account's currency, whatever that is. */
const OWN =
  /^(cop ?\$?|\$ ?cop|col ?\$|\$ ?col|pesos?( m ?\/? ?cte)?|pesos? col(ombianos?)?|ps|m ?\/? ?cte|m ?\/? ?l|m ?\/? ?n|moneda (local|legal|nacional)|moneda (legal|corriente) colombiana|local|nacional|\$)$/;

/** Words and signs of other currencies, folded. */
const OTHERS: readonly (readonly [string, RegExp])[] = [
  [
    'USD',
    /^(us ?\$|u\$[sd]|\$us|usd ?\$|\$ ?usd|us dollars?|dolar(es)?( (americanos?|estadounidenses?|usa|us))?|dollars?)$/,
  ],
  ['EUR', /^(€|€ur|euros?)$/],
  ['GBP', /^(£|libras?( esterlinas?)?|pounds?( sterling)?|pfund)$/],
  ['JPY', /^(¥|円|yen(es)?)$/],
  ['CHF', /^(s?fr\.?s?|francos?( suizos?)?|swiss francs?|(schweizer )?franken)$/],
  ['BRL', /^(r\$|reais|real(es)?)$/],
  ['MXN', /^(mxn? ?\$|mex ?\$|pesos? mexicanos?)$/],
  ['CLP', /^(pesos? chilenos?)$/],
  ['ARS', /^(ar\$|pesos? argentinos?)$/],
  ['UYU', /^(\$u|pesos? uruguayos?)$/],
  ['PEN', /^(s\/\.?|soles)$/],
  ['BOB', /^(bs\.?|bolivianos?)$/],
  ['VES', /^(bs\.? ?[fsd]\.?|bolivar(es)?)$/],
  ['PYG', /^(₲|guaranies)$/],
  ['CRC', /^(₡|colones)$/],
  ['CAD', /^(c\$|ca\$|cad ?\$|canadian dollars?|dolar(es)? canadienses?)$/],
  ['AUD', /^(a\$|au\$)$/],
  ['INR', /^(₹|rs\.?)$/],
  ['KRW', /^(₩)$/],
  ['CNY', /^(元|yuan(es)?)$/],
  ['PLN', /^(zł|zl)$/],
  ['DKK', /^(dkr)$/],
  ['SEK', /^(skr)$/],
  ['NOK', /^(nkr)$/],
];

const CODES = new Set(Intl.supportedValuesOf('currency'));

/**
 * The currency that a word or sign means.
 * @param own ISO 4217 code of the account, which "pesos" and "$" stand for
 * @returns ISO 4217 code, which may be none of ours; undefined for any other text
 */
export function currencyOf(text: string, own: string): string | undefined {
  const bare = text.trim();
  const code = bare.toUpperCase();
  if (CODES.has(code)) return code;
  const word = folded(bare)
    .replace(/\s+/g, ' ')
    .replace(/^[("]+|[)".:]+$/g, '');
  if (CODES.has(word.toUpperCase())) return word.toUpperCase();
  if (OWN.test(word)) return own;
  // "PESO COLOMBIANO (COP)", "COP - Peso colombiano"
  const beside = /\(([A-Z]{3})\)$|^([A-Z]{3}) ?[-–(/]/.exec(code)?.slice(1).find(Boolean);
  if (beside && CODES.has(beside)) return beside;
  return OTHERS.find(([, pattern]) => pattern.test(word))?.[0];
}

const LABEL = /\b(?:moneda|divisa|currency|währung|moeda)\b[^\p{L}$€£]{1,5}([\p{L}$€£/]+(?: \p{L}+){0,3})/iu;

/** The currency in the lines above the titles: "Moneda: Dólares", ": EUR". @param cells of one line */
export function currencyAbove(cells: readonly string[], own: string): string | undefined {
  const words = LABEL.exec(cells.join(': '))?.[1]?.split(' ') ?? [];
  const labelled = words.map((_word, at) => currencyOf(words.slice(0, words.length - at).join(' '), own));
  const alone = cells.map((cell) => /^\P{L}*(\p{Lu}{3})$/u.exec(cell)?.[1] ?? '');
  return [...labelled, ...alone.map((code) => currencyOf(code, own))].find((one) => one !== undefined);
}

/** The currency in a title: "Valor (USD)", "Importe EUR", "Monto en dólares". */
export function currencyOfTitle(title: string, own: string): string | undefined {
  const words = title.trim().split(/\s+/);
  const bracketed = /[([]([^)\]]{1,30})[)\]]/.exec(title)?.[1];
  const last = words.length > 1 ? words.at(-1)! : '';
  return currencyOf(bracketed ?? '', own) ?? currencyOf(last, own);
}
