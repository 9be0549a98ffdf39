import type { Language } from '../../i18n/languages.ts';

/** What the living page of the design says; it is seen in development alone, so the app's texts stay free of it. */
const en = {
  title: 'Design',
  type: 'Type', colour: 'Colour', buttons: 'Buttons', fields: 'Fields', status: 'Status', timeline: 'Timeline',
  tabs: 'Tabs', messages: 'Messages', dialog: 'Dialog', states: 'Empty, failed, loading', facts: 'Facts and money',
  map: 'Map', photos: 'Photos', growth: 'Growth schedule', table: 'Table',
  display: 'Your tree', page: 'Where is it?', sub: 'Open to checking', lead: 'Who planted it, where, and photos.',
  body: 'Leaves let rain down slowly.', plant: 'Plant trees', confirming: 'Confirming', pay: 'Pay',
  receipt: 'Download receipt', reject: 'Reject payment', cancel: 'Cancel', email: 'Email', phone: 'Phone',
  optional: 'optional', emailHint: 'Your receipt goes here.', order: 'Order', region: 'Region', notes: 'Notes',
  emailWrong: 'This address is missing its ending. Try name@mail.com', toVerify: 'To verify', approved: 'Approved',
  rejected: 'Rejected', paid: 'Paid', assigned: 'Assigned to', planted: 'Planted at', growing: 'Growth',
  done: 'done', ahead: 'still to come', orders: 'Orders', payments: 'Payments', workers: 'Workers',
  saved: 'Saved. Order C41D08 is now planted.', failed: 'We could not save the photo. Nothing was lost.',
  offline: 'You are offline. We will send it when you are back.', ask: 'Change order status from Assigned to Planted?',
  tells: 'Sofía gets an email saying that her five trees are planted.', change: 'Change status',
  toast: 'Show a toast', emptyTitle: 'No trees yet',
  empty: 'Your first order will show up here with its map and photos.', failedTitle: 'We could not load your orders',
  failedText: 'The connection dropped. Your orders are safe.', again: 'Try again', loading: 'Loading your orders',
  place: 'Place', by: 'Planted by', amount: 'Amount', first: 'First year', firstDetail: '3 updates',
  firstWords: 'March, June and December 2027',
}; // prettier-ignore

const es: typeof en = {
  title: 'Diseño',
  type: 'Tipografía', colour: 'Color', buttons: 'Botones', fields: 'Campos', status: 'Estados', timeline: 'Avance',
  tabs: 'Pestañas', messages: 'Mensajes', dialog: 'Diálogo', states: 'Vacío, fallo, carga', facts: 'Datos y dinero',
  map: 'Mapa', photos: 'Fotos', growth: 'Calendario de crecimiento', table: 'Tabla',
  display: 'Tu árbol', page: '¿Dónde está?', sub: 'Se puede comprobar', lead: 'Quién lo sembró, dónde y fotos.',
  body: 'Las hojas dejan bajar la lluvia despacio.', plant: 'Sembrar', confirming: 'Confirmando', pay: 'Pagar',
  receipt: 'Descargar recibo', reject: 'Rechazar pago', cancel: 'Cancelar', email: 'Correo', phone: 'Celular',
  optional: 'opcional', emailHint: 'Aquí llega tu recibo.', order: 'Pedido', region: 'Región', notes: 'Notas',
  emailWrong: 'A este correo le falta el final. Ejemplo: nombre@correo.com', toVerify: 'Por verificar',
  approved: 'Aprobada', rejected: 'Rechazada', paid: 'Pagado', assigned: 'Asignado a', planted: 'Sembrado en',
  growing: 'Crecimiento', done: 'hecho', ahead: 'por venir', orders: 'Pedidos', payments: 'Pagos',
  workers: 'Sembradores', saved: 'Guardado. El pedido C41D08 ya está sembrado.',
  failed: 'No pudimos guardar la foto. No se perdió nada.', offline: 'Estás sin conexión. Lo enviamos cuando vuelvas.',
  ask: '¿Cambiar el estado de Asignado a Sembrado?', tells: 'A Sofía le llega un correo: sus cinco árboles ya están sembrados.',
  change: 'Cambiar estado', toast: 'Mostrar un aviso', emptyTitle: 'Todavía no hay árboles',
  empty: 'Tu primer pedido aparecerá aquí con su mapa y sus fotos.', failedTitle: 'No pudimos cargar tus pedidos',
  failedText: 'Se cayó la conexión. Tus pedidos están a salvo.', again: 'Reintentar', loading: 'Cargando tus pedidos',
  place: 'Lugar', by: 'Lo sembró', amount: 'Valor', first: 'Primer año', firstDetail: '3 novedades',
  firstWords: 'Marzo, junio y diciembre de 2027',
}; // prettier-ignore

export const SAMPLES: Record<Language, typeof en> = { en, es };

export const COLOURS = [
  'paper', 'surface', 'sunken', 'line', 'ink', 'ink-quiet', 'leaf', 'forest', 'deep', 'accent', 'edge', 'focus',
  'brick', 'brick-tint',
] as const; // prettier-ignore
