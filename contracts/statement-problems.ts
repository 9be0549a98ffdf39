/** Refusals that only admins see, with statements. Apart from the others, which every page of the web app loads. */
export const STATEMENT_PROBLEMS = {
  'statement-required': {
    status: 422,
    en: 'Please choose a file.',
    es: 'Elige un archivo.',
  },
  'statement-too-large': {
    status: 413,
    en: 'The file is larger than 20 MB.',
    es: 'El archivo pesa más de 20 MB.',
  },
  'statement-too-many-rows': {
    status: 422,
    en: 'The file has more than 50,000 rows.',
    es: 'El archivo tiene más de 50.000 filas.',
  },
  'statement-empty': {
    status: 422,
    en: 'There are no movements in this file.',
    es: 'En este archivo no hay movimientos.',
  },
  'statement-unreadable': {
    status: 422,
    en: 'This file is no CSV, XLSX, OFX or camt.053.',
    es: 'Este archivo no es CSV, XLSX, OFX ni camt.053.',
  },
  'statement-cut-off': {
    status: 422,
    en: 'The end of this file is missing.',
    es: 'A este archivo le falta el final.',
  },
  'statement-mixed-decimals': {
    status: 422,
    en: 'This file mixes 1.234,56 and 1,234.56.',
    es: 'Este archivo mezcla 1.234,56 y 1,234.56.',
  },
  'statement-mixed-days': {
    status: 422,
    en: 'This file mixes days such as 31/12 and 12/31.',
    es: 'Este archivo mezcla fechas como 31/12 y 12/31.',
  },
  'statement-other-account': {
    status: 422,
    en: 'This file is of another account.',
    es: 'Este archivo es de otra cuenta.',
  },
  'statement-row-unreadable': {
    status: 422,
    en: 'One line of this file cannot be read.',
    es: 'No se puede leer una línea de este archivo.',
  },
  'statement-row-length': {
    status: 422,
    en: 'This line has more or fewer cells than the titles. An amount such as 288,050 needs quotes in a file with commas.',
    es: 'Esta línea tiene más o menos celdas que los títulos. Un valor como 288,050 necesita comillas en un archivo con comas.',
  },
  'statement-day-ahead': {
    status: 422,
    en: 'This day is after today.',
    es: 'Esta fecha es posterior a hoy.',
  },
  'statement-foreign-currency': {
    status: 422,
    en: 'This file is in another currency; the account is in pesos.',
    es: 'Este archivo está en otra moneda; la cuenta es en pesos.',
  },
  'statement-three-decimals': {
    status: 422,
    en: 'The amounts in this file have three decimals, and money has two. Download it with two decimals, or as OFX.',
    es: 'Los valores de este archivo tienen tres decimales y el dinero tiene dos. Descárgalo con dos decimales o en OFX.',
  },
  'statement-too-wide': {
    status: 422,
    en: 'This file has more than 200 columns.',
    es: 'Este archivo tiene más de 200 columnas.',
  },
  'statement-investments': {
    status: 422,
    en: 'This OFX is of investments. Download the movements of the bank account.',
    es: 'Este OFX es de inversiones. Descarga los movimientos de la cuenta bancaria.',
  },
  'statement-camt-052': {
    status: 422,
    en: 'This is a camt.052: movements of a day that is not closed yet. Download the statement, camt.053.',
    es: 'Este es un camt.052: movimientos de un día que aún no cierra. Descarga el extracto, camt.053.',
  },
  'statement-camt-054': {
    status: 422,
    en: 'This is a camt.054: a notice of some payments. Download the statement, camt.053.',
    es: 'Este es un camt.054: un aviso de algunos pagos. Descarga el extracto, camt.053.',
  },
  'statement-qif': {
    status: 422,
    en: 'This is a QIF file, which names neither account nor currency. Download OFX, CSV or XLSX.',
    es: 'Este es un archivo QIF, que no dice la cuenta ni la moneda. Descarga OFX, CSV o XLSX.',
  },
  'statement-mt940': {
    status: 422,
    en: 'This is an MT940 or MT942. Download camt.053, OFX, CSV or XLSX.',
    es: 'Este es un MT940 o MT942. Descarga camt.053, OFX, CSV o XLSX.',
  },
  'statement-pdf': {
    status: 422,
    en: 'This is a PDF. Download the movements as OFX, CSV or XLSX.',
    es: 'Este es un PDF. Descarga los movimientos en OFX, CSV o XLSX.',
  },
  'statement-old-excel': {
    status: 422,
    en: 'This is an Excel file of the old kind (XLS), or one with a password. Save it as XLSX without a password, or download CSV.',
    es: 'Este es un Excel antiguo (XLS) o con contraseña. Guárdalo como XLSX sin contraseña o descarga CSV.',
  },
  'statement-web-page': {
    status: 422,
    en: 'This is a web page, even if its name ends in .xls. Open it in Excel and save it as XLSX, or download CSV.',
    es: 'Esta es una página web, aunque su nombre termine en .xls. Ábrela en Excel y guárdala como XLSX, o descarga CSV.',
  },
  'statement-other-workbook': {
    status: 422,
    en: 'This is a spreadsheet of another kind (ODS, XLSB or XML). Save it as XLSX, or download CSV.',
    es: 'Esta es una hoja de cálculo de otro tipo (ODS, XLSB o XML). Guárdala como XLSX o descarga CSV.',
  },
  'statement-unclear': {
    status: 409,
    en: 'Please say first how this file is read.',
    es: 'Primero indica cómo se lee este archivo.',
  },
  'statement-other-currency': {
    status: 409,
    en: 'The order is in another currency.',
    es: 'El pedido está en otra moneda.',
  },
  'statement-row-taken': {
    status: 409,
    en: 'This row was decided in the meantime.',
    es: 'Esta fila se decidió mientras tanto.',
  },
  'statement-row-unsure': {
    status: 409,
    en: 'This row is not sure any more. Please look at it by itself.',
    es: 'Esta fila ya no es segura. Revísala por separado.',
  },
  'statement-row-approved': {
    status: 409,
    en: 'An order was approved with this row.',
    es: 'Con esta fila se aprobó un pedido.',
  },
  'statement-row-returned': {
    status: 409,
    en: 'A debit may have taken this money back. Decide on the debit first.',
    es: 'Es posible que un débito haya devuelto este dinero. Decide primero sobre el débito.',
  },
  'amount-choice-required': {
    status: 409,
    en: 'The sum is not the order’s. Choose what to do.',
    es: 'La suma no es la del pedido. Elige qué hacer.',
  },
  'amount-choice-impossible': {
    status: 409,
    en: 'This choice does not fit the sum.',
    es: 'Esta opción no corresponde a la suma.',
  },
  'split-sum-differs': {
    status: 422,
    en: 'The parts must add up to the sum.',
    es: 'Las partes deben dar la suma.',
  },
} as const;
