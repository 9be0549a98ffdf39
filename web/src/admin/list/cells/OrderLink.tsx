import { shortId } from '@arboleda/contracts/order.ts';
import { Link } from 'react-router-dom';

/** The short id of an order, which opens it. */
export const OrderLink = ({ id }: { id: string }) => (
  <Link to={`?view=orders&order=${id}`} className="tabular">
    {shortId(id)}
  </Link>
);
