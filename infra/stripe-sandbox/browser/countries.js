const CODES =
  'AD AE AG AI AL AM AO AR AT AU AW AZ BA BB BD BE BG BH BI BJ BM BN BO BQ BR BS BT BW BY BZ CA CD CG CH CI CL CM CN CO CR CV CW CY CZ DE DJ DK DM DO DZ EC EE EG ES ET FI FJ FO FR GA GB GD GE GF GG GH GI GL GM GN GP GR GT GY HK HN HR HT HU ID IE IL IM IN IS IT JE JM JO JP KE KG KH KI KM KN KR KW KY KZ LA LB LC LI LK LR LS LT LU LV MA MC MD ME MG MK ML MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NZ OM PA PE PF PG PH PK PL PR PS PT PY QA RE RO RS RW SA SB SC SE SG SI SK SL SM SN SR ST SV SZ TC TD TG TH TJ TM TN TO TR TT TW TZ UA UG US UY UZ VA VC VE VG VN VU WS XK ZA ZM ZW';

/** Pairs of [code, name], sorted by name in the language. */
export function countries(lang) {
  const names = new Intl.DisplayNames([lang], { type: 'region' });
  const order = new Intl.Collator(lang);
  return CODES.split(' ')
    .map((code) => [code, names.of(code)])
    .sort(([, a], [, b]) => order.compare(a, b));
}

/** Region of the browser's locale, or the language's most likely one. */
export const likelyCountry = (browserLocale, lang) => {
  const region = /-([A-Z]{2})\b/.exec(browserLocale)?.[1];
  return region && CODES.split(' ').includes(region) ? region : lang === 'es' ? 'CO' : 'US';
};
