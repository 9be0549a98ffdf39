import { shortId } from '@arboleda/contracts/order.ts';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../design/components/Icon.tsx';
import { warning } from '../../design/components/icons.ts';
import { SkeletonBlock, SkeletonFrame } from '../../design/components/Skeleton.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { Filters } from '../list/Filters.tsx';
import { ListRows } from '../list/ListPanel.tsx';
import { useSearch } from '../list/use-address.ts';
import { useList } from '../list/use-list.ts';
import type { PanelProps } from '../panel.ts';
import { eyeSlash } from '../shared/icons.ts';
import { Panel } from '../shared/Panel.tsx';
import shared from '../shared/shared.module.css';
import { PhotoDialog, PhotoPicture } from './PhotoDialog.tsx';
import styles from './Photos.module.css';
import type { FlaggedPhoto } from './photos.ts';

/** Rows of four fill the grid. */
const PAGE_ROWS = 24;

/** Flagged photos; a flag alone hides none. */
export function PhotosPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation('panels');
  const search = useSearch();
  const list = useList(call, 'GET /api/admin/photos', {
    area: 'photos',
    rows: 'photos',
    query: { limit: PAGE_ROWS },
    filters: {
      flag: { label: t('photos.why'), any: t('photos.anyFlag'), of: (flag) => t(`photos.flags.${flag}`) },
      hidden: {
        label: t('photos.filter'),
        any: t('photos.shown.all'),
        of: (hidden) => t(`photos.shown.${hidden}`),
      },
    },
  });
  const chosen = list.rows.find(({ _id }) => _id === search.get('photo'));
  return (
    <Panel title={t('photos.title')}>
      <Filters list={list} />
      <ListRows
        list={list}
        loading={t('photos.loading')}
        skeleton={
          <SkeletonFrame label={t('photos.loading')} className={styles.grid}>
            {Array.from({ length: 8 }, (_, at) => (
              <SkeletonBlock key={at} className={styles.loading} />
            ))}
          </SkeletonFrame>
        }
        empty={{ title: t('photos.empty'), text: t('photos.emptyText') }}
      >
        <ul className={styles.grid}>
          {list.rows.map((photo) => (
            <li key={photo._id}>
              <PhotoCard call={call} photo={photo} onOpen={() => search.set({ photo: photo._id })} />
            </li>
          ))}
        </ul>
      </ListRows>
      {chosen && (
        <PhotoDialog
          key={chosen._id}
          call={call}
          photo={chosen}
          onClose={() => search.set({ photo: null }, { replace: true })}
        />
      )}
    </Panel>
  );
}

interface CardProps {
  call: PortalCall;
  photo: FlaggedPhoto;
  onOpen: () => void;
}

function PhotoCard({ call, photo, onOpen }: CardProps) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  return (
    <div className={styles.card}>
      <button type="button" className={styles.open} onClick={onOpen}>
        <PhotoPicture call={call} photo={photo} width="320" />
      </button>
      <p>
        <span className="tabular">{t('photos.order', { id: shortId(photo.orderId) })}</span>
        <br />
        <span className="quiet">
          {photo.worker.name ?? photo.worker.workerId}, {formats.day(photo.takenAt ?? photo.uploadedAt)}
        </span>
      </p>
      <ul>
        {photo.flags.map((flag) => (
          <li key={flag} className={`${shared.mark} ${shared.pending}`}>
            <Icon of={warning} size="small" />
            {t(`photos.flags.${flag}`)}
          </li>
        ))}
        {photo.hidden && (
          <li className={`${shared.mark} ${shared.brick}`}>
            <Icon of={eyeSlash} size="small" />
            {t('photos.isHidden')}
          </li>
        )}
      </ul>
    </div>
  );
}
