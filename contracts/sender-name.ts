import { lookalike } from './links.ts';
import { ORGANISATION } from './organisation.ts';
import { folded } from './search.ts';

/*
 * A gift's email carries its buyer's name as sender. Names of banks, payment services, authorities, carriers and of the
 * organisation itself are refused there: "Bancolombia Seguridad via Arboleda" would come from our address.
 */

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean));

/** Nobody's own name: refused wherever it is in a name, also spelled apart or with digits. */
const TAKEN = words(`
  bancolombia davivienda daviplata nequi bbva bancoomeva avvillas colpatria scotiabank itau bancamia citibank banagrario
  nubank lulobank rappipay movii tpaga serfinanza finandina coopcentral cajasocial colpensiones colfondos asobancaria
  redeban credibanco datacredito transunion supergiros efecty
  paypal stripe mastercard americanexpress amex mercadopago mercadolibre wompi payu epayco placetopay pse westernunion
  moneygram remitly revolut binance
  policia policianacional fiscalia procuraduria contraloria registraduria personeria superintendencia superfinanciera
  minhacienda mintic minsalud mintrabajo migracioncolombia prosperidadsocial sisben ugpp fopep icbf juzgado interpol fbi
  irs europol alcaldia gobernacion presidencia ramajudicial
  servientrega interrapidisimo dhl fedex
  whatsapp facebook instagram google microsoft netflix icloud
`);

/** Also a word, a first or a family name: refused alone, or with words of an office only. */
const SHARED = words(`visa falabella wise apple amazon dale nu dian sena rappi ${folded(ORGANISATION.name)}`);

/** Words of an office by itself. */
const DESK = words(`
  seguridad security soporte support cliente clientes customer customers pagos payments tarjetas cards notificaciones
  notifications alerta alertas alert alerts fraude fraudes fraud avisos oficial official cuentas accounts tesoreria cartera
`);
const COMMON = words(`
  al de del la el los las y en the of and for para equipo team servicio servicios service services pago payment card tarjeta
  notificacion aviso cuenta account colombia sas bic ltda inc fundacion foundation empresa company ayuda help regalo regalos
  gift gifts correo email
`);

/** Titles of banks and authorities, which no person has. */
const TITLES = [
  /\b(?:banco|bank|banca)\b/,
  /\b(?:ministerio|ministry|secretaria) (?:de|del|of)\b/,
  /\b(?:gobierno|government|tribunal|aduanas?|customs|impuestos)\b/,
  /\b(?:ejercito|armada) nacional\b/,
  /\b(?:servicio|atencion) al cliente\b|\bcustomer (?:service|support|care)\b/,
];

/** Whether a name is, or pretends to be, that of a bank, a payment service, an authority or the organisation. */
export function isTakenName(name: string): boolean {
  const plain = folded(lookalike(name.normalize('NFKC').replace(/\p{Cf}/gu, '')));
  return [plain, unleet(plain, 'i'), unleet(plain, 'l')].some(isTaken);
}

/** "s.a.s.", "s. a." */
const LEGAL_FORM = /\bs\.\s?a\.(?:\s?s\.)?(?=[^\p{L}\p{N}]|$)/gu;

/** Shorter names are parts of other words. */
const LONG = 8;

function isTaken(plain: string): boolean {
  const tokens = plain
    .replace(LEGAL_FORM, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  if (TITLES.some((title) => title.test(tokens.join(' ')))) return true;
  const isInside = (token: string) =>
    [...TAKEN].some((taken) => taken.length >= LONG && token.includes(taken));
  if (tokens.some(isInside) || runsOf(tokens).some((run) => TAKEN.has(run))) return true;
  const own = tokens.filter((token) => !DESK.has(token) && !COMMON.has(token));
  if (own.length === 0) return tokens.some((token) => DESK.has(token));
  return SHARED.has(own.join('')) || own.every((token) => SHARED.has(token));
}

/** "b a n c o l o m b i a" has eleven words. */
const LONGEST_RUN = 20;

/** Neighbouring words joined: a name may be spelled apart. */
const runsOf = (tokens: readonly string[]): string[] =>
  tokens.flatMap((_token, from) =>
    tokens
      .slice(from, from + LONGEST_RUN)
      .map((_word, length) => tokens.slice(from, from + length + 1).join('')),
  );

const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
  '8': 'b',
};

/** "b4nc0l0mb14" in letters. @param one the letter that 1, | and ! stand for */
const unleet = (text: string, one: 'i' | 'l'): string =>
  text.replace(/[034578@$]/g, (sign) => LEET[sign]!).replace(/[1|!]/g, one);
