import type { Claim } from '@arboleda/contracts/claims.ts';
import { isClaimed } from '../Claim.tsx';
import { ORGANISATION } from '../organisation.ts';
import type { TextPages } from './page.ts';

const claimed = (name: Claim, paragraphs: readonly string[]) => (isClaimed(name) ? paragraphs : []);

export const HELP: TextPages = {
  en: {
    title: 'Help',
    lead: 'Answers to what people ask us most. If yours is missing, write to us: a person answers.',
    sections: [
      {
        id: 'where',
        title: 'Where are my trees?',
        paragraphs: [
          'Your private link shows your order at any time: who plants, where, and the photos. You find it in your receipt, and you need no account.',
          'With an account you see all your orders in one place. Register with the address you paid with, and verify it.',
        ],
      },
      {
        id: 'when',
        title: 'When are they planted?',
        paragraphs: [
          'A field worker takes on your order in the next few days. Planting waits for the rains, because a seedling planted in dry soil rarely survives. We email you the day your trees are in the ground.',
        ],
      },
      {
        id: 'survival',
        title: 'What if a tree dies?',
        paragraphs: [
          'Some do: in the first years, drought, cattle and frost take a share of every planting. We count what was planted, not what we hope for.',
          'If a growth visit finds that your tree has died, the update says so. We do not promise that every tree lives; write to us about yours, and we tell you what can be done on that plot.',
        ],
      },
      {
        id: 'money',
        title: 'Where does the money go?',
        paragraphs: [
          'It pays for seedlings from local nurseries, the field worker’s day, the way to the plot, the verification, and the work behind this site. The payment provider keeps a fee for cards.',
        ],
      },
      {
        id: 'receipts',
        title: 'Receipts',
        paragraphs: [
          'We email a receipt as soon as your payment is confirmed. At your private link you can download it as a PDF, after entering the email address of the order; in your portal you can also have it sent again.',
        ],
      },
      {
        id: 'gifts',
        title: 'Giving trees as a gift',
        paragraphs: [
          'Tick “This is a gift” in the checkout: choose a card, write a few words, and pick the day. We email it in your name at nine in the morning of that day, in your time zone, or you download the card as a PDF and hand it over yourself.',
          'Until it is sent you can change everything at your private link or in your portal. Afterwards you can send it again, once a day. If the address does not exist, we tell you and you correct it.',
          'The receipt and any refund stay yours. The person who receives the gift sees the trees and your words, never the price. They can keep the gift in an account, thank you, or ask us never to email them a gift again.',
        ],
      },
      {
        id: 'certificates',
        title: 'Certificates',
        paragraphs: [
          'Once your trees are planted, your private link and your portal offer a certificate: a PDF with the name that you choose or none, the place, the day, the planter’s first name and the photo.',
          'Anyone can check it by scanning its QR code, or on the page “Check a certificate”, linked at the foot of every page. When more is recorded, such as a growth update, there is a newer version, and the former one says so.',
        ],
      },
      {
        id: 'transfers',
        title: 'Paying by bank transfer',
        paragraphs: [
          'Write the reference in the description of your transfer and attach the bank’s confirmation. One of us checks the account and confirms within 24-48 hours. If we cannot find the money, we tell you why and how to try again; you never need to pay twice.',
          'Where the checkout shows a Bre-B key, you can pay from the app of any bank in Colombia: copy the key or scan the QR code, and write the reference as the message.',
        ],
      },
      {
        id: 'withdrawing',
        title: 'I changed my mind',
        paragraphs: [
          'You can cancel within 14 days after the day you paid, or within five business days in Colombia if they end later, as long as nothing was planted. Open your private link or your order in your account and choose “Cancel and get my money back”; the page shows your last day. We email you a receipt of it at once, and from then on nobody plants the order.',
          'You get all of your money back, growth updates included, within 14 days: to your card, or by transfer to the account it came from. Until it is on its way you can still choose “Keep my order”.',
        ],
      },
      {
        id: 'claims',
        title: 'Where do the figures come from?',
        paragraphs: [
          'Trees planted: the trees of every order that a field worker marked as planted, plus those that were planted before this site counted them. While the count cannot be loaded, the page shows 50,000.',
          ...claimed('hectares', [
            'Hectares: one for every hundred trees planted, plus 3. It is a rule of thumb; nobody has measured that area.',
          ]),
          ...claimed('offer', [
            'Prices: USD 5 a tree is what you pay. USD 15 and USD 10 are reference prices that we set. The countdown runs to midnight in your time zone and starts again the next day; the price stays the same.',
          ]),
          ...claimed('co2', [
            'CO₂: 500 kg a year is claimed per full-grown tree, and 25,000 tons is a year of 50,000 of those. 22 kg a year, in your portal, is counted for young trees. None of it was measured on your trees.',
          ]),
          '48,000 gallons of water, 50 species on a tree and 150 species in all describe mature native trees and what can live on them. We set these figures; they are not counted from orders.',
          'These figures describe what a native tree can do over its life. They are not a certificate, and nobody can use them to offset emissions.',
        ],
      },
      {
        id: 'contact',
        title: 'Write to us',
        paragraphs: [[ORGANISATION.contactEmail, ORGANISATION.seller].filter(Boolean).join(' · ')],
      },
    ],
  },
  es: {
    title: 'Ayuda',
    lead: 'Respuestas a lo que más nos preguntan. Si falta la tuya, escríbenos: te responde una persona.',
    sections: [
      {
        id: 'where',
        title: '¿Dónde están mis árboles?',
        paragraphs: [
          'Tu enlace privado muestra tu pedido en cualquier momento: quién siembra, dónde y las fotos. Está en tu recibo y no necesitas cuenta.',
          'Con una cuenta ves todos tus pedidos en un solo lugar. Regístrate con el correo con el que pagaste y verifícalo.',
        ],
      },
      {
        id: 'when',
        title: '¿Cuándo se siembran?',
        paragraphs: [
          'En los próximos días un sembrador toma tu pedido. La siembra espera las lluvias, porque una plántula en suelo seco rara vez sobrevive. Te escribimos el día en que tus árboles quedan sembrados.',
        ],
      },
      {
        id: 'survival',
        title: '¿Y si un árbol muere?',
        paragraphs: [
          'Algunos mueren: en los primeros años, la sequía, el ganado y las heladas se llevan una parte de toda siembra. Contamos lo que se sembró, no lo que esperamos.',
          'Si una visita de crecimiento encuentra que tu árbol murió, la novedad lo dice. No prometemos que todos vivan; escríbenos sobre el tuyo y te contamos qué se puede hacer en ese lote.',
        ],
      },
      {
        id: 'money',
        title: '¿A dónde va el dinero?',
        paragraphs: [
          'Paga las plántulas de viveros locales, el jornal de quien siembra, el camino hasta el lote, la verificación y el trabajo detrás de este sitio. El proveedor de pagos cobra una comisión por las tarjetas.',
        ],
      },
      {
        id: 'receipts',
        title: 'Recibos',
        paragraphs: [
          'Te enviamos un recibo apenas se confirma tu pago. En tu enlace privado puedes descargarlo en PDF, con el correo del pedido; en tu portal también puedes pedir que te lo enviemos otra vez.',
        ],
      },
      {
        id: 'gifts',
        title: 'Regalar árboles',
        paragraphs: [
          'Marca «Es un regalo» al pagar: elige una tarjeta, escribe unas palabras y escoge la fecha. La enviamos por correo en tu nombre a las nueve de la mañana de ese día, en tu zona horaria, o descargas la tarjeta en PDF y la entregas tú.',
          'Hasta que se envíe puedes cambiar todo en tu enlace privado o en tu portal. Después puedes enviarla otra vez, una vez al día. Si el correo no existe, te avisamos y lo corriges.',
          'El recibo y cualquier reembolso siguen siendo tuyos. Quien recibe el regalo ve los árboles y tus palabras, nunca el precio. Puede guardarlo en una cuenta, darte las gracias o pedirnos que nunca más le enviemos regalos por correo.',
        ],
      },
      {
        id: 'certificates',
        title: 'Certificados',
        paragraphs: [
          'Cuando tus árboles están sembrados, tu enlace privado y tu portal te ofrecen un certificado: un PDF con el nombre que elijas o ninguno, el lugar, la fecha, el nombre de pila de quien sembró y la foto.',
          'Cualquiera puede verificarlo escaneando su código QR, o en la página «Verificar un certificado», al pie de todas las páginas. Cuando se registra algo más, como una novedad de crecimiento, hay una versión más reciente, y la anterior lo dice.',
        ],
      },
      {
        id: 'transfers',
        title: 'Pago por transferencia',
        paragraphs: [
          'Escribe la referencia en la descripción de la transferencia y adjunta el comprobante del banco. Uno de nosotros revisa la cuenta y confirma en 24-48 horas. Si no encontramos el dinero, te decimos por qué y cómo intentarlo de nuevo; nunca tienes que pagar dos veces.',
          'Si en el pago ves una llave Bre-B, puedes pagar desde la app de cualquier banco en Colombia: copia la llave o escanea el código QR y escribe la referencia como mensaje.',
        ],
      },
      {
        id: 'withdrawing',
        title: 'Cambié de opinión',
        paragraphs: [
          'Puedes retractarte dentro de los 14 días siguientes al día en que pagaste, o dentro de los cinco días hábiles en Colombia si terminan después, mientras no se haya sembrado nada. Abre tu enlace privado o tu pedido en tu cuenta y elige «Retractarme y recibir mi dinero»; allí ves tu último día. Te enviamos de inmediato un acuse por correo y desde ese momento nadie siembra el pedido.',
          'Te devolvemos todo el dinero, también el de las novedades de crecimiento, en un máximo de 14 días: a tu tarjeta, o por transferencia a la cuenta de la que salió. Mientras no vaya en camino puedes elegir «Conservar mi pedido».',
        ],
      },
      {
        id: 'claims',
        title: '¿De dónde salen las cifras?',
        paragraphs: [
          'Árboles sembrados: los árboles de cada pedido que un sembrador marcó como sembrado, más los que se sembraron antes de que este sitio los contara. Mientras no se puede cargar la cuenta, la página muestra 50.000.',
          ...claimed('hectares', [
            'Hectáreas: una por cada cien árboles sembrados, más 3. Es una regla aproximada; nadie ha medido esa área.',
          ]),
          ...claimed('offer', [
            'Precios: USD 5 por árbol es lo que pagas. USD 15 y USD 10 son precios de referencia que fijamos nosotros. El reloj corre hasta la medianoche en tu hora local y vuelve a empezar al día siguiente; el precio sigue igual.',
          ]),
          ...claimed('co2', [
            'CO₂: 500 kg al año se atribuyen a un árbol adulto, y 25.000 toneladas son un año de 50.000 de ellos. Los 22 kg al año de tu portal se cuentan para árboles jóvenes. Nada de eso se midió en tus árboles.',
          ]),
          '48.000 galones de agua, 50 especies por árbol y 150 especies en total describen árboles nativos maduros y lo que puede vivir en ellos. Son cifras que fijamos nosotros; no se cuentan de los pedidos.',
          'Estas cifras describen lo que un árbol nativo puede hacer en su vida. No son un certificado, y nadie puede usarlas para compensar emisiones.',
        ],
      },
      {
        id: 'contact',
        title: 'Escríbenos',
        paragraphs: [[ORGANISATION.contactEmail, ORGANISATION.seller].filter(Boolean).join(' · ')],
      },
    ],
  },
};
