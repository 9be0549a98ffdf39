import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Query, Where } from '@arboleda/chassis/ports/documents.ts';
import type { OpenService } from '@arboleda/chassis/service.ts';
import type { mediaAdminEndpoints } from '@arboleda/contracts/endpoints/media-admin.ts';
import { LEASE_MS } from '@arboleda/contracts/lease.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { PhotoMetrics } from '../metrics.ts';
import type { Photo } from '../photos/photo.ts';
import type { PhotoStore } from '../photos/store.ts';
import type { PictureServer } from '../pictures/serve.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { adminView } from './view.ts';

/** Timers come a millisecond early, and clocks run fast by some in a thousand. */
const MARGIN_MS = 50;

/** What admins see of photos, and who else sees them. */
export function adminRoutes(parts: {
  service: Pick<OpenService, 'clock'>;
  store: PhotoStore;
  metrics: PhotoMetrics;
  pictures: PictureServer;
  /** Until no gateway may show what was hidden. */
  pause: (ms: number) => Promise<unknown>;
}): Handlers<typeof mediaAdminEndpoints> {
  const { service, store, metrics, pictures, pause } = parts;

  const viewed = async (photos: readonly Photo[]) => {
    const flagged = photos.filter(({ flags }) => flags?.['used-elsewhere']);
    const sameFiles = await store.ofFiles(flagged.map(({ contentHash }) => contentHash));
    return photos.map((photo) => adminView(photo, sameFiles));
  };

  async function page(
    where: Where,
    direction: 'asc' | 'desc',
    { limit, cursor }: { limit: number; cursor?: string | undefined },
  ) {
    const query: Query = {
      where,
      sort: [
        { field: 'uploadedAt', direction },
        { field: '_id', direction },
      ],
      ...(cursor !== undefined && { after: decodeCursor(cursor) }),
      limit: limit + 1,
    };
    const found = await store.find(query);
    const photos = found.slice(0, limit);
    const last = found.length > limit ? photos.at(-1) : undefined;
    return {
      photos: await viewed(photos),
      ...(last && { nextCursor: encodeCursor([last.uploadedAt, last._id]) }),
    };
  }

  async function decide(id: string, isHidden: boolean, reason: string, person: Person) {
    const by = { role: person.role, id: person.id, name: person.name };
    const at = service.clock().toISOString();
    const decided = await store.decide(id, { isHidden, reason, by, at });
    if (!decided) throw new Problem('not-found');
    if (decided.changed) metrics.decided.inc({ decision: isHidden ? 'hidden' : 'restored' });
    // Until then gateways may show it. Also when nothing has changed: the one that hid it may still be waiting.
    if (isHidden) await pause(LEASE_MS + MARGIN_MS);
    const [photo] = await viewed([decided.photo]);
    return { photo: photo! };
  }

  return {
    'GET /api/admin/orders/{id}/photos': ({ params, query }) => page({ orderId: params.id }, 'asc', query),
    'GET /api/admin/photos': ({ query: { flag, hidden, ...range } }) =>
      page(
        {
          isFlagged: true,
          ...(flag && { [`flags.${flag}`]: true }),
          ...(hidden && { hidden: { exists: hidden === 'true' } }),
        },
        'desc',
        range,
      ),
    'GET /api/admin/photos/{filename}': async ({ params, query, headers }) =>
      pictures.toAdmin(await store.byFilename(params.filename), {
        width: Number(query.w),
        accept: headers.accept,
        known: headers['if-none-match'],
      }),
    'POST /api/admin/photos/{id}/hide': ({ params, body, person }) =>
      decide(params.id, true, body.reason, person),
    'POST /api/admin/photos/{id}/restore': ({ params, body, person }) =>
      decide(params.id, false, body.reason, person),
  };
}
