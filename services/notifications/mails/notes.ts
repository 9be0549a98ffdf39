import type { Language } from '@arboleda/contracts/roles.ts';

/** Under every mail to a donor. */
export const donorNote = (language: Language): string =>
  ({
    en: 'You get this mail because trees were bought with your address. The link is private: whoever has it sees your order.',
    es: 'Recibes este correo porque alguien compró árboles con tu dirección. El enlace es privado: quien lo tenga ve tu pedido.',
  })[language];

/** Under every mail to a worker. */
export const workerNote = (language: Language): string =>
  ({
    en: 'You get this mail because you plant with Arboleda.',
    es: 'Recibes este correo porque siembras con Arboleda.',
  })[language];
