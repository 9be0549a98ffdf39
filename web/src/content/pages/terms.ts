import { ORGANISATION } from '../organisation.ts';
import type { TextPages } from './page.ts';

/** After Colombia's Ley 1480 of 2011 and the EU's Directive 2011/83. Remove the notes once a lawyer has reviewed it. */
export const TERMS: TextPages = {
  en: {
    title: 'Terms',
    lead: 'What you buy, what we owe you, and how you can cancel (Ley 1480 de 2011, Directive 2011/83/EU).',
    note: 'Draft: a lawyer reviews this page before the site goes live.',
    sections: [
      {
        id: 'who',
        title: 'Who sells',
        paragraphs: [`${ORGANISATION.seller || ORGANISATION.name} · ${ORGANISATION.contactEmail}`],
      },
      {
        id: 'what',
        title: 'What you buy',
        paragraphs: [
          'The planting of native trees in Colombia, and its proof: the name of the person who planted, the day, the place and photos. You do not buy the land or the tree itself.',
          'A growth package adds visits with photos on the dates it names.',
        ],
      },
      {
        id: 'price',
        title: 'Price and payment',
        paragraphs: [
          'The total shown before you pay is all you pay to us; your bank may add fees of its own. An order is placed when your card is charged, or when we have verified your bank transfer.',
          'Growth packages are charged in US dollars (USD), whatever currency you paid your trees in.',
        ],
      },
      {
        id: 'withdraw',
        title: 'Cancelling (right of withdrawal)',
        paragraphs: [
          'You may cancel this purchase without giving a reason within 14 days after the day you paid, or within five business days (of Colombia) if they end later, as long as your trees have not been planted. It is the same for everybody, wherever you live. Do it on the page of your order, with the link in your receipt, or in your account; you can also write to us from the address of your receipt. Nobody plants the order from then on. We return all of your money, growth updates included, the way you paid, within 14 calendar days.',
          'Growth visits that have not been made can be cancelled at any time, and their share is refunded when the whole package is.',
        ],
      },
      {
        id: 'delay',
        title: 'If we cannot plant',
        paragraphs: [
          'Rain, access and safety decide the day, so we promise no date. If we find that your trees cannot be planted, we tell you and return your money.',
        ],
      },
      {
        id: 'photos',
        title: 'Photos',
        paragraphs: [
          'Photos show trees and places, and sometimes people who agreed to it. You may share them; please do not use them in advertising without asking us.',
        ],
      },
      {
        id: 'complaints',
        title: 'Complaints',
        paragraphs: [
          `Write to ${ORGANISATION.contactEmail}. You can also turn to the Superintendencia de Industria y Comercio (www.sic.gov.co).`,
        ],
      },
    ],
  },
  es: {
    title: 'Términos',
    lead: 'Qué compras, qué te debemos y cómo puedes retractarte (Ley 1480 de 2011, Directiva 2011/83/UE).',
    note: 'Borrador: un abogado revisa esta página antes de que el sitio salga al público.',
    sections: [
      {
        id: 'who',
        title: 'Quién vende',
        paragraphs: [`${ORGANISATION.seller || ORGANISATION.name} · ${ORGANISATION.contactEmail}`],
      },
      {
        id: 'what',
        title: 'Qué compras',
        paragraphs: [
          'La siembra de árboles nativos en Colombia y su prueba: el nombre de quien sembró, el día, el lugar y las fotos. No compras la tierra ni el árbol.',
          'Un paquete de crecimiento agrega visitas con fotos en las fechas que indica.',
        ],
      },
      {
        id: 'price',
        title: 'Precio y pago',
        paragraphs: [
          'El total que ves antes de pagar es todo lo que nos pagas; tu banco puede cobrar comisiones propias. El pedido queda hecho cuando se cobra tu tarjeta o cuando verificamos tu transferencia.',
          'Los paquetes de crecimiento se cobran en dólares estadounidenses (USD), sea cual sea la moneda en que pagaste tus árboles.',
        ],
      },
      {
        id: 'withdraw',
        title: 'Retracto',
        paragraphs: [
          'Puedes retractarte sin dar razones dentro de los 14 días siguientes al día del pago, o dentro de los cinco días hábiles (de Colombia) si terminan después, mientras tus árboles no se hayan sembrado. Es igual para todos, vivas donde vivas. Hazlo en la página de tu pedido, con el enlace de tu recibo, o en tu cuenta; también puedes escribirnos desde el correo de tu recibo. Desde ese momento nadie siembra el pedido. Te devolvemos todo el dinero, también el de las novedades de crecimiento, por el mismo medio, en un máximo de 14 días calendario.',
          'Las visitas de crecimiento que no se han hecho se pueden cancelar en cualquier momento, y su parte se devuelve cuando se reembolsa todo el paquete.',
        ],
      },
      {
        id: 'delay',
        title: 'Si no podemos sembrar',
        paragraphs: [
          'La lluvia, el acceso y la seguridad deciden el día, así que no prometemos fecha. Si tus árboles no se pueden sembrar, te avisamos y te devolvemos el dinero.',
        ],
      },
      {
        id: 'photos',
        title: 'Fotos',
        paragraphs: [
          'Las fotos muestran árboles y lugares, y a veces personas que lo aceptaron. Puedes compartirlas; no las uses en publicidad sin preguntarnos.',
        ],
      },
      {
        id: 'complaints',
        title: 'Reclamos',
        paragraphs: [
          `Escribe a ${ORGANISATION.contactEmail}. También puedes acudir a la Superintendencia de Industria y Comercio (www.sic.gov.co).`,
        ],
      },
    ],
  },
};
