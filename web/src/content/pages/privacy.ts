import { ORGANISATION } from '../organisation.ts';
import type { TextPages } from './page.ts';

/** After Colombia's Ley 1581 of 2012. Remove the notes once a lawyer has reviewed it. */
export const PRIVACY: TextPages = {
  en: {
    title: 'Privacy',
    lead: 'What we know about you, why, for how long, and how you can change or erase it (Ley 1581 de 2012).',
    note: 'Draft: a lawyer reviews this page before the site goes live.',
    sections: [
      {
        id: 'who',
        title: 'Who is responsible',
        paragraphs: [
          `${ORGANISATION.seller || ORGANISATION.name}. Write to ${ORGANISATION.contactEmail} for anything about your data.`,
        ],
      },
      {
        id: 'what',
        title: 'What we keep, and why',
        paragraphs: [
          '- Your name and email: for the receipt, your private link and news about your trees.',
          '- Your country, currency and amount: to price, charge and account for your payment.',
          '- Your card: never. It goes straight to Stripe, who tells us the brand and the last four digits.',
          '- Your phone number and the proof of a bank transfer, if you pay that way: to find your money.',
          '- For a gift, the name and email of the person who receives it, and your message: to deliver it, and for nothing else.',
          '- Your password, if you open an account: only as a hash that cannot be turned back.',
        ],
      },
      {
        id: 'seen',
        title: 'Who sees it',
        paragraphs: [
          'Field workers see how many trees to plant and where, and your email. Our office sees your order. Stripe processes card payments, and our email provider delivers emails. We sell nothing, and we tell no advertiser about you.',
          'Anyone who has your private link sees your first name, the trees, their place and photos.',
          'Anyone who has the link of a gift sees your first name, the recipient’s name, your message, the trees, their place and photos.',
          'Anyone who has the code of your certificate sees the name that you chose for it, or none, and the planting.',
          'The satellite map comes from Google, and only if you ask for it.',
        ],
      },
      {
        id: 'long',
        title: 'For how long',
        paragraphs: [
          'Orders and payments are kept as long as the law requires accounts. Payments that were begun and never made are forgotten after 90 days, proofs of transfers five years after the decision, emails after two years.',
        ],
      },
      {
        id: 'rights',
        title: 'Your rights',
        paragraphs: [
          'You can know, correct and download what we hold, withdraw your consent, and have your data erased. In your account you do it yourself: Account, then Download my data or Delete my account. Without an account, write to us; we answer within ten business days (requests) or fifteen (complaints).',
          'Your trees stay, without your name. You can also complain to the Superintendencia de Industria y Comercio.',
        ],
      },
      {
        id: 'cookies',
        title: 'Cookies',
        paragraphs: [
          'We store your language, currency and choice about the satellite map and, after you log in, your session. There is no advertising and no tracking, so there is no banner.',
        ],
      },
    ],
  },
  es: {
    title: 'Privacidad',
    lead: 'Qué sabemos de ti, para qué, por cuánto tiempo, y cómo cambiarlo o borrarlo (Ley 1581 de 2012).',
    note: 'Borrador: un abogado revisa esta página antes de que el sitio salga al público.',
    sections: [
      {
        id: 'who',
        title: 'Quién responde',
        paragraphs: [
          `${ORGANISATION.seller || ORGANISATION.name}. Escribe a ${ORGANISATION.contactEmail} para todo lo relacionado con tus datos.`,
        ],
      },
      {
        id: 'what',
        title: 'Qué guardamos y para qué',
        paragraphs: [
          '- Tu nombre y tu correo: para el recibo, tu enlace privado y las novedades de tus árboles.',
          '- Tu país, la moneda y el valor: para calcular, cobrar y contabilizar tu pago.',
          '- Tu tarjeta: nunca. Va directo a Stripe, que nos dice la marca y los últimos cuatro dígitos.',
          '- Tu celular y el comprobante de la transferencia, si pagas así: para encontrar tu dinero.',
          '- De un regalo, el nombre y el correo de quien lo recibe, y tu mensaje: para entregarlo, y para nada más.',
          '- Tu contraseña, si abres una cuenta: solo cifrada, sin forma de recuperarla.',
        ],
      },
      {
        id: 'seen',
        title: 'Quién los ve',
        paragraphs: [
          'Los sembradores ven cuántos árboles sembrar y dónde, y tu correo. Nuestra oficina ve tu pedido. Stripe procesa los pagos con tarjeta y nuestro proveedor de correo entrega los mensajes. No vendemos nada y no le contamos de ti a ningún anunciante.',
          'Quien tenga tu enlace privado ve tu nombre de pila, los árboles, su lugar y sus fotos.',
          'Quien tenga el enlace de un regalo ve tu nombre de pila, el nombre de quien lo recibe, tu mensaje, los árboles, su lugar y sus fotos.',
          'Quien tenga el código de tu certificado ve el nombre que elegiste para él, o ninguno, y la siembra.',
          'El mapa satelital viene de Google, y solo si lo pides.',
        ],
      },
      {
        id: 'long',
        title: 'Por cuánto tiempo',
        paragraphs: [
          'Los pedidos y pagos se guardan el tiempo que la ley exige para la contabilidad. Los pagos que se iniciaron y nunca se hicieron se olvidan a los 90 días; los comprobantes de transferencia, cinco años después de la decisión; los correos, a los dos años.',
        ],
      },
      {
        id: 'rights',
        title: 'Tus derechos',
        paragraphs: [
          'Puedes conocer, corregir y descargar lo que guardamos, retirar tu autorización y pedir que borremos tus datos. En tu cuenta lo haces tú: Mi cuenta, y luego Descargar mis datos o Eliminar mi cuenta. Sin cuenta, escríbenos; respondemos en diez días hábiles (consultas) o quince (reclamos).',
          'Tus árboles se quedan, sin tu nombre. También puedes acudir a la Superintendencia de Industria y Comercio.',
        ],
      },
      {
        id: 'cookies',
        title: 'Cookies',
        paragraphs: [
          'Guardamos tu idioma, tu moneda y tu elección sobre el mapa satelital y, cuando entras, tu sesión. No hay publicidad ni rastreo, así que no hay aviso de cookies.',
        ],
      },
    ],
  },
};
