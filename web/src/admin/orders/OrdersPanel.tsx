import { useSearchParams } from 'react-router-dom';
import type { PanelProps } from '../panels.ts';
import { OrderDialog } from './OrderDialog.tsx';
import { OrderList } from './OrderList.tsx';
import { filterOf } from './orders.ts';

/** Filter and open order live in the address, so that both can be shared and survive a reload. */
export function OrdersPanel({ session: { call } }: PanelProps) {
  const [search, setSearch] = useSearchParams();
  const set = (name: 'status' | 'order', value: string | null) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      // Going back after closing a dialog leads to where one was before it, not into it again.
      { replace: value === null },
    );
  return (
    <>
      <OrderList
        call={call}
        filter={filterOf(search.get('status'))}
        onFilter={(filter) => set('status', filter === 'all' ? null : filter)}
        onOpen={(id) => set('order', id)}
      />
      <OrderDialog call={call} id={search.get('order')} onClose={() => set('order', null)} />
    </>
  );
}
