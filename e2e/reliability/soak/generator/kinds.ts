import { PHOTO_WIDTHS } from '@arboleda/contracts/photo.ts';
import { withComment } from '../../../driver/pictures.ts';
import { type Crowd, type Field, oneOf } from './crowd.ts';
import { type Ask, json, photoForm, type Reply } from './http.ts';

/** A request, and the handling of its answer. */
export interface Visit extends Ask {
  heard?(reply: Reply): void;
}

export interface Kind {
  name: string;
  /** Percent of all requests. */
  weight: number;
  /** Answers that are as they should be when the product is not overrun. */
  expected: readonly number[];
  /** undefined when there is nothing of the kind to do right now. */
  visit(crowd: Crowd): Visit | undefined;
}

const page = (name: string, weight: number, path: string): Kind => ({
  name,
  weight,
  expected: [200],
  visit: () => ({ method: 'GET', path }),
});

const asAdmin = (name: string, weight: number, path: (crowd: Crowd) => string): Kind => ({
  name,
  weight,
  expected: [200],
  visit: (crowd) => ({ method: 'GET', path: path(crowd), token: crowd.admin }),
});

/** The intent; the card is paid at the provider as soon as it is there: see `pay`. */
const checkout = (pay: Pay): Kind => ({
  name: 'checkout: payment intent',
  weight: 4,
  expected: [200],
  visit: (crowd) => ({
    method: 'POST',
    path: '/api/pricing/create-payment-intent',
    body: json({
      trees: 5,
      packageType: 'grove',
      currency: 'USD',
      locale: 'en',
      customerName: 'Rosa Prueba',
      customerEmail: oneOf(crowd, crowd.customers)!.email,
    }),
    heard: ({ status, bytes }) => {
      if (status === 200) pay(JSON.parse(bytes.toString()) as Intent);
    },
  }),
});

export interface Intent {
  client_secret: string;
  orderToken: string;
}
export type Pay = (intent: Intent) => void;

const track: Kind = {
  name: 'order by its link',
  weight: 16,
  expected: [200],
  visit(crowd) {
    const token = oneOf(crowd, crowd.links);
    return token === undefined
      ? undefined
      : {
          method: 'GET',
          path: `/api/track/${token}`,
          heard: ({ status, bytes }) => {
            if (status !== 200) return;
            const order = JSON.parse(bytes.toString()) as { photos: { filename: string }[] };
            for (const { filename } of order.photos) keep(crowd.photos, filename);
          },
        };
  },
};

/** Pages show what is recent. */
const RECENT = 500;
function keep(all: string[], one: string): void {
  if (all.includes(one)) return;
  if (all.length >= RECENT) all.shift();
  all.push(one);
}
export const keepLink = (crowd: Crowd, token: string): void => keep(crowd.links, token);

const customerOrders: Kind = {
  name: 'customer: orders',
  weight: 9,
  expected: [200],
  visit: (crowd) => ({
    method: 'GET',
    path: '/api/customers/orders',
    token: oneOf(crowd, crowd.customers)!.token,
  }),
};

const logIn: Kind = {
  name: 'log in',
  weight: 1,
  expected: [200],
  visit(crowd) {
    const { email, password } = oneOf(crowd, crowd.customers)!;
    return { method: 'POST', path: '/api/auth/customer/login', body: json({ email, password }) };
  },
};

const workerList: Kind = {
  name: 'worker: list',
  weight: 5,
  expected: [200],
  visit(crowd) {
    const field = oneOf(crowd, crowd.field)!;
    return {
      method: 'GET',
      path: '/api/workers/assignments',
      token: field.token,
      heard: ({ status, bytes }) => {
        if (status !== 200) return;
        const { assignments } = JSON.parse(bytes.toString()) as { assignments: Assigned[] };
        for (const { _id, status: at } of assignments) {
          if (at === 'assigned' && !field.known.has(_id)) field.toPlant.push(_id);
          field.known.add(_id);
        }
      },
    };
  },
};

interface Assigned {
  _id: string;
  status: string;
}

/** Orders that wait for their photo. The others get none. */
const UNPHOTOGRAPHED = 3;

/** A worker's next step: complete an order with its photo, or plant one. */
const workerStep: Kind = {
  // In a storm an answer may be lost: what was done then is refused when it is done again.
  name: 'worker: step',
  weight: 8,
  expected: [200, 409],
  visit(crowd) {
    const field = oneOf(crowd, crowd.field.filter(hasStep));
    if (!field) return undefined;
    const done =
      field.photographed.shift() ??
      (field.planted.length > UNPHOTOGRAPHED ? field.planted.shift() : undefined);
    if (done !== undefined) return step(field, done, 'completed', () => undefined);
    const id = field.toPlant.shift()!;
    return step(field, id, 'planted', () => void field.planted.push(id));
  },
};

const hasStep = (field: Field): boolean =>
  field.toPlant.length > 0 || field.photographed.length > 0 || field.planted.length > UNPHOTOGRAPHED;

const step = (field: Field, id: string, status: 'planted' | 'completed', done: () => void): Visit => ({
  method: 'PUT',
  path: `/api/workers/assignments/${id}/status`,
  token: field.token,
  body: json({ status }),
  heard: (reply) => {
    if (reply.status === 200) done();
  },
});

const upload: Kind = {
  name: 'photo: upload',
  weight: 2,
  expected: [201],
  visit(crowd) {
    const field = oneOf(
      crowd,
      crowd.field.filter(({ planted }) => planted.length > 0),
    );
    if (!field) return undefined;
    const id = field.planted.shift()!;
    const clientId = crypto.randomUUID();
    return {
      method: 'POST',
      path: `/api/workers/assignments/${id}/photos`,
      token: field.token,
      body: photoForm(withComment(crowd.photo, clientId), JSON.stringify([{ clientId }])),
      heard: ({ status, bytes }) => {
        if (status !== 201) return;
        const { photos } = JSON.parse(bytes.toString()) as { photos: { filename: string }[] };
        crowd.told.photos.push(...photos.map(({ filename }) => filename));
        field.photographed.push(id);
      },
    };
  },
};

const picture: Kind = {
  name: 'photo: look',
  weight: 12,
  expected: [200],
  visit(crowd) {
    const filename = oneOf(crowd, crowd.photos);
    if (filename === undefined) return undefined;
    const path = `/api/photos/${filename}?w=${oneOf(crowd, PHOTO_WIDTHS)!}`;
    return { method: 'GET', path, accept: 'image/avif,image/webp,image/*' };
  },
};

const STATUSES = ['pending', 'assigned', 'planted', 'completed'];

/** Requests of visitors, buyers, customers, workers and admins with their shares. */
export const kindsOf = (pay: Pay): readonly Kind[] => [
  page('prices', 14, '/api/pricing/dynamic'),
  page('packages', 8, '/api/pricing/packages?currency=COP'),
  page('statistics', 8, '/api/stats'),
  page('settings of the page', 4, '/api/config'),
  checkout(pay),
  track,
  customerOrders,
  logIn,
  asAdmin('admin: list', 5, (crowd) => `/api/admin/orders/manage?status=${oneOf(crowd, STATUSES)!}`),
  asAdmin('admin: search', 4, (crowd) => {
    const { email } = oneOf(crowd, crowd.customers)!;
    return `/api/admin/orders/manage?q=${email.slice(0, email.indexOf('@'))}`;
  }),
  workerList,
  workerStep,
  upload,
  picture,
];

/** In the place of what nobody has anything to do of. */
export const ANYTIME: Kind = workerList;
