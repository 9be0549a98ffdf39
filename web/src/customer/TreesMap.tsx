import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { SkeletonBlock } from '../design/components/Skeleton.tsx';
import { useFormats } from '../i18n/format.ts';
import type { OpenSession } from '../portal/Gate.tsx';
import { FRAME, inFrame, OUTLINE } from './colombia-outline.ts';
import type { CustomerStats } from './orders.ts';
import { groupsOf, type Place, type PlaceGroup, usePlaces } from './places.ts';
import styles from './TreesMap.module.css';

/** A single order shows its own map. */
const FROM_ORDERS = 2;

/**
 * All orders with a known place on one map. It is our own drawing, so no other site learns of the visit. The list
 * beside it has the same links.
 */
export function TreesMap({ session, stats }: { session: OpenSession<'customer'>; stats: CustomerStats }) {
  const { t } = useTranslation('customer');
  const id = useId();
  const isWanted = stats.totalOrders >= FROM_ORDERS && stats.treesPlanted > 0;
  const { data: places, isPending } = usePlaces(session, isWanted);
  if (!isWanted) return null;
  if (isPending) return <SkeletonBlock className={styles.loading!} />;
  if (!places || places.length === 0) return null;
  const groups = groupsOf(places);
  const trees = places.reduce((sum, place) => sum + place.trees, 0);
  return (
    <section className={styles.map} aria-labelledby={id}>
      <div className={styles.words}>
        <h2 id={id} className="sub-title">
          {t('map.title', { count: trees })}
        </h2>
        <p className="small quiet">{t('map.about')}</p>
        <ol className={styles.groups}>
          {groups.map((group, at) => (
            <li key={at} id={placeId(at)} className={styles.group}>
              <Number of={at + 1} />
              <ul>
                {group.places.map((place) => (
                  <Row key={place._id} place={place} />
                ))}
              </ul>
            </li>
          ))}
        </ol>
      </div>
      <Drawing groups={groups} />
    </section>
  );
}

const placeId = (at: number): string => `place-${at + 1}`;

function Number({ of: number }: { of: number }) {
  const formats = useFormats();
  return (
    <span className={styles.number} aria-hidden="true">
      {formats.number(number)}
    </span>
  );
}

function Row({ place: { token, trees, location, shortId, plantingDate } }: { place: Place }) {
  const { t } = useTranslation('customer');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const when = plantingDate && formats.day(plantingDate);
  return (
    <li>
      <Link to={`/orders/${token}`}>
        {[common('trees', { count: trees }), location].filter(Boolean).join(' · ')}
      </Link>
      <span className="least quiet">
        {[t('orders.order', { id: shortId }), when].filter(Boolean).join(' · ')}
      </span>
    </li>
  );
}

const PIN = 15;

function Drawing({ groups }: { groups: readonly PlaceGroup[] }) {
  const { t } = useTranslation('customer');
  const { t: common } = useTranslation();
  const formats = useFormats();
  return (
    <svg
      className={styles.drawing}
      viewBox={`0 0 ${FRAME.width} ${FRAME.height}`}
      role="group"
      aria-label={t('map.drawing')}
    >
      <path className={styles.land} d={OUTLINE} />
      {groups.flatMap(({ places }) =>
        places.map((place) => {
          const { x, y } = inFrame(place.coordinates);
          return <circle key={place._id} className={styles.dot} cx={x} cy={y} r={2} />;
        }),
      )}
      {groups.map(({ x, y, places }, at) => {
        const [first] = places;
        const trees = common('trees', { count: places.reduce((sum, place) => sum + place.trees, 0) });
        const [to, label] =
          places.length === 1
            ? [`/orders/${first!.token}`, [trees, first!.location].filter(Boolean).join(' · ')]
            : [`#${placeId(at)}`, t('map.several', { count: places.length, trees })];
        return (
          <Link key={at} to={to} className={styles.pin} aria-label={`${formats.number(at + 1)}. ${label}`}>
            <circle cx={x} cy={y} r={PIN} />
            <text x={x} y={y} dy="0.35em" textAnchor="middle">
              {formats.number(at + 1)}
            </text>
          </Link>
        );
      })}
    </svg>
  );
}
