import { folded } from '@arboleda/contracts/search.ts';

/** Words for money that comes in and goes out, folded, in Spanish, English, German and Portuguese. */
const IN =
  /^(\+|cr|crdt|cre|cred|creditos?|credits?|credor|nc|notas? (de )?creditos?|abonos?|haber|haben|kredit|gutschrift|eingang|zugang|ein|entradas?|entrantes?|ingresos?|ingresad[oa]|in|inbound|incoming|credited|income|money in|paid in|depositos?|deposits?|consignacion(es)?|recibid[oa]s?|recebid[oa]s?|received|positiv[oae])$/;
const OUT =
  /^(-|dr|db|dbit|deb|debitos?|debits?|devedor|nd|notas? (de )?debitos?|cargos?|debe|soll|lastschrift|belastung|ausgang|abgang|aus|salidas?|salientes?|saidas?|egresos?|gastos?|out|outbound|outgoing|debited|money out|paid out|retiros?|withdrawals?|enviad[oa]s?|sent|negativ[oae])$/;

/** Letters say which is which only together: C is credit beside D, and "cargo" beside A. */
const PAIRS: readonly (readonly [inLetter: string, outLetter: string])[] = [
  ['c', 'd'],
  ['h', 's'],
  ['h', 'd'],
];
/** Believed only below a title that names a direction. */
const TITLED_PAIRS: readonly (readonly [inLetter: string, outLetter: string])[] = [
  ...PAIRS,
  ['a', 'c'],
  ['a', 'd'],
  ['e', 's'],
  ['i', 'e'],
  ['i', 's'],
  ['i', 'o'],
  ['r', 'e'],
];

const CREDIT_WORD =
  /\b(creditos?|abonos?|haber|entradas?|ingresos?|depositos?|consignacion(?:es)?|credits?|deposits?|haben|gutschrift|in|ein|cr)\b/;
const DEBIT_WORD =
  /\b(debitos?|cargos?|debe|salidas?|saidas?|egresos?|retiros?|debits?|withdrawals?|soll|lastschrift|out|aus|dr|db)\b/;
const TITLE =
  /\b(naturaleza|natureza|signo|sinal|sentido|indicador|indicator|direction|direccion|sign|vorzeichen|kennzeichen|d\W{0,3}c|c\W{0,3}d|d\W{0,3}h|s\W{0,3}h|h\W{0,3}s|e\W{0,3}s|i\W{0,3}e|a\W{0,3}c)\b|\+ ?\/ ?-/;
/** Types may be directions, and much else. */
const WEAK_TITLE =
  /\b(tipo|type|typ|art|clase|movimiento|mov|mvto|movto|operacion|operation|operacao|transaccion|transaction|afectacion|efecto|umsatzart)\b/;

/** "Débito/Crédito" is over one column with words, or with signed amounts. */
export const namesBoth = (title: string): boolean =>
  CREDIT_WORD.test(folded(title)) && DEBIT_WORD.test(folded(title));

export const isDirectionTitle = (title: string): boolean => TITLE.test(folded(title)) || namesBoth(title);
export const maybeDirectionTitle = (title: string): boolean =>
  isDirectionTitle(title) || WEAK_TITLE.test(folded(title));

/** A cell of such a column, in which "Crédito.", "(CREDITO)" and "credito" are one value. */
export const directionValue = (cell: string): string => {
  const word = folded(cell);
  const sign = /^[^\p{L}\p{N}+-]*([+-])[^\p{L}\p{N}+-]*$/u.exec(word)?.[1];
  return sign ?? word.replace(/^[^\p{L}\p{N}+-]+|[^\p{L}\p{N}]+$/gu, '').replace(/\s+/g, ' ');
};

/**
 * Which values of a column mean money in (true) and out (false); undefined for those that cannot be told.
 * @param values as `directionValue` gives them
 */
export function directionsOf(values: readonly string[], title: string): Map<string, boolean | undefined> {
  const letters = values.filter((value) => /^[a-z]$/.test(value));
  const pair = pairOf(letters, folded(title));
  return new Map(
    values.map((value) => [
      value,
      IN.test(value)
        ? true
        : OUT.test(value)
          ? false
          : pair?.[0] === value
            ? true
            : pair?.[1] === value
              ? false
              : undefined,
    ]),
  );
}

function pairOf(letters: readonly string[], title: string): readonly [string, string] | undefined {
  const isOf = (pair: readonly string[]) => letters.every((letter) => pair.includes(letter));
  if (letters.length === 0 || letters.length > 2) return undefined;
  const titled = TITLED_PAIRS.filter(isOf);
  // "A/C" over a column names its pair.
  const named = titled.filter(([one, two]) =>
    new RegExp(`\\b(${one}\\W{1,3}${two}|${two}\\W{1,3}${one})\\b`).test(title),
  );
  if (named.length === 1) return named[0];
  // Mexican banks write C for "cargo" and D for "depósito".
  if (
    /\b(cargos?|depositos?|deposits?)\b/.test(title) &&
    letters.some((letter) => letter === 'c' || letter === 'd')
  )
    return letters.includes('a') ? TITLED_PAIRS[3] : undefined;
  if (letters.length === 2) return PAIRS.find(isOf) ?? (maybeDirectionTitle(title) ? titled[0] : undefined);
  if (!maybeDirectionTitle(title)) return undefined;
  return PAIRS.find(isOf);
}
