import { useTranslation } from 'react-i18next';
import { SkeletonBlock, SkeletonFrame } from '../../design/components/Skeleton.tsx';
import { Filters } from '../list/Filters.tsx';
import { ListRows } from '../list/ListPanel.tsx';
import { useSearch } from '../list/use-address.ts';
import { useList } from '../list/use-list.ts';
import type { PanelProps } from '../panel.ts';
import { Panel } from '../shared/Panel.tsx';
import { PhotoCard } from './PhotoCard.tsx';
import { PhotoDialog } from './PhotoDialog.tsx';
import styles from './Photos.module.css';

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
