import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import type { MailKind } from '@arboleda/notifications/mails/index.ts';
import type { Process } from './simulator.ts';

export interface Mail {
  id: string;
  eventId: string;
  kind: MailKind;
  address: string;
  orderId: string | null;
  accountId: string | null;
  toGiftRecipient: boolean;
  facts: string;
  queuedAt: string;
  sentAt?: string;
  droppedAt?: string;
}

type Row = Record<string, unknown>;
type Rows = Row[] | number;

export interface MailTables {
  sql: Sql;
  mails: ReadonlyMap<string, Mail>;
  photos: ReadonlyMap<string, Row>;
  gifts: ReadonlyMap<string, Row>;
  /** Mails that the mail server accepted, oldest first. */
  sent: readonly Mail[];
  waitingMail(id: string): Mail | undefined;
  close(id: string, how: 'sent' | 'dropped'): void;
}

/**
 * The tables of notifications in memory, behind the SQL statements of its consumers. An unknown statement stops the run: after a
 * change of the SQL, add it here.
 */
export function memoryMailTables(process: Process, clock: () => Date): MailTables {
  const mails = new Map<string, Mail>();
  const orders = new Map<string, Row>();
  const workers = new Map<string, Row>();
  const photos = new Map<string, Row>();
  const gifts = new Map<string, Row>();
  const giftAddresses = new Map<string, Row>();
  const erasedAccounts = new Set<string>();
  const consumed = new Set<string>();
  const sent: Mail[] = [];
  let undo: (() => void)[] = [];

  function put<V>(table: Map<string, V>, key: string, value: V) {
    const before = table.get(key);
    undo.push(() => void (before === undefined ? table.delete(key) : table.set(key, before)));
    table.set(key, value);
  }
  function add(table: Set<string>, key: string): number {
    if (table.has(key)) return 0;
    undo.push(() => void table.delete(key));
    table.add(key);
    return 1;
  }
  const patch = (table: Map<string, Row>, key: string, changes: Row): number => {
    const row = table.get(key);
    if (row) put(table, key, { ...row, ...changes });
    return row ? 1 : 0;
  };
  const isWaiting = (mail: Mail) => mail.sentAt === undefined && mail.droppedAt === undefined;
  const now = () => clock().toISOString();
  const change = (which: (mail: Mail) => boolean, to: (mail: Mail) => Mail): number => {
    const found = [...mails.values()].filter(which);
    for (const mail of found) put(mails, mail.id, to(mail));
    return found.length;
  };
  const erased = (mail: Mail): Mail => ({
    ...mail,
    address: ERASED_CUSTOMER.email,
    facts: '{}',
    ...(isWaiting(mail) && { droppedAt: now() }),
  });
  const dated = (value: unknown) => (value === null || value === undefined ? null : new Date(String(value)));

  /** By the beginning of the statement; the first match counts. */
  const STATEMENTS: [begin: string, run: (...values: never[]) => Rows][] = [
    [
      'insert into orders as known',
      (id: string, token, customer_name, customer_email, language, trees, region, sequence: number) => {
        const known = orders.get(id);
        if (known && (known.sequence as number) >= sequence) return [];
        const said = { customer_name, customer_email, language, trees, region, sequence };
        put(orders, id, known ? { ...known, ...said } : { ...NEW_ORDER, token, ...said });
        return [orders.get(id)!];
      },
    ],
    [
      'update orders set customer_name',
      (
        id: string,
        customer_name,
        customer_email,
        language,
        trees,
        location,
        latitude,
        longitude,
        sequence: number,
      ) => {
        const known = orders.get(id);
        if (!known || (known.sequence as number) > sequence) return 0;
        const said = {
          customer_name,
          customer_email,
          language,
          trees,
          location,
          latitude,
          longitude,
          sequence,
        };
        return patch(orders, id, said);
      },
    ],
    [
      'update orders set worker_id',
      (id: string, worker_id, worker_code, worker_name, worker_email, worker_region, planter_revision) =>
        patch(orders, id, {
          worker_id,
          worker_code,
          worker_name,
          worker_email,
          worker_region,
          planter_revision,
        }),
    ],
    [
      'update orders set status_revision',
      (id: string, status_revision, planted_at, withdrawn, withdraws) =>
        patch(orders, id, { status_revision, planted_at: dated(planted_at), withdrawn, withdraws }),
    ],
    ['update orders set planted_at', (id: string, at) => patch(orders, id, { planted_at: dated(at) })],
    ['select token', (id: string) => (orders.has(id) ? [orders.get(id)!] : [])],
    [
      'insert into photos',
      (id: string, order_id, event_id, filename, uploaded_at) => {
        if (!photos.has(id))
          put(photos, id, { id, order_id, event_id, filename, uploaded_at, hidden: false, told_by: null });
        return 1;
      },
    ],
    [
      'update photos set hidden',
      (id: string, hidden, hidden_sequence: number) => {
        const isOlder = hidden_sequence < ((photos.get(id)?.hidden_sequence as number | undefined) ?? 0);
        return isOlder ? 0 : patch(photos, id, { hidden, hidden_sequence });
      },
    ],
    [
      'select id, event_id, filename from photos',
      (orderId: string) =>
        [...photos.values()]
          .filter(({ order_id, told_by, hidden }) => order_id === orderId && told_by === null && !hidden)
          .sort((a, b) => (`${a.uploaded_at} ${a.id}` < `${b.uploaded_at} ${b.id}` ? -1 : 1)),
    ],
    [
      'update photos set told_by',
      (ids: string[], told_by) => ids.reduce((count, id) => count + patch(photos, id, { told_by }), 0),
    ],
    [
      'select distinct order_id from photos',
      (before: Date) => {
        const overdue = [...photos.values()].filter(
          ({ told_by, hidden, uploaded_at }) =>
            told_by === null && !hidden && Date.parse(String(uploaded_at)) < before.getTime(),
        );
        return [...new Set(overdue.map(({ order_id }) => order_id))].map((order_id) => ({ order_id }));
      },
    ],
    [
      'insert into workers',
      (id: string, language, name, email, sequence: number) => {
        const known = workers.get(id);
        if (!known || (known.sequence as number) <= sequence)
          put(workers, id, { language, name, email, sequence });
        return 1;
      },
    ],
    [
      'select language, name, email from workers',
      (id: string) => (workers.has(id) ? [workers.get(id)!] : []),
    ],
    [
      'insert into mails',
      (
        id: string,
        eventId,
        kind,
        address,
        _name,
        _language,
        facts,
        _correlation,
        orderId,
        accountId,
        _resendOf,
        _askedBy,
        toGiftRecipient,
      ) => {
        if (mails.has(id)) return 0;
        const said = { id, eventId, kind, address, facts, orderId, accountId, toGiftRecipient };
        put(mails, id, { ...said, queuedAt: now() });
        return 1;
      },
    ],
    [
      'select from mails where order_id = $1 and kind = $2',
      (orderId: string, kind: MailKind) =>
        Number([...mails.values()].some((mail) => mail.orderId === orderId && mail.kind === kind)),
    ],
    [
      'select id from mails where sent_at is null',
      (before: Date) =>
        [...mails.values()]
          .filter((mail) => isWaiting(mail) && Date.parse(mail.queuedAt) < before.getTime())
          .map(({ id }) => ({ id })),
    ],
    // An email is tried once here, and then it is sent.
    [
      `update mails set dropped_at = now(), dropped_because = 'pointless', error = $2`,
      (id: string) =>
        change(
          (mail) => mail.id === id && isWaiting(mail),
          (mail) => ({ ...mail, droppedAt: now() }),
        ),
    ],
    [
      'update mails set sent_at = now()',
      (id: string) => {
        const mail = { ...mails.get(id)!, sentAt: now() };
        sent.push(mail);
        put(mails, id, mail);
        return 1;
      },
    ],
    [
      `update mails set dropped_at = now(), dropped_because = 'pointless', error = $3`,
      (orderId: string, kinds: MailKind[]) =>
        change(
          (mail) => mail.orderId === orderId && kinds.includes(mail.kind) && isWaiting(mail),
          (mail) => ({ ...mail, droppedAt: now() }),
        ),
    ],
    [
      'update mails set recipient_address = $3',
      (orderId: string, kinds: MailKind[], address: string) =>
        change(
          (mail) =>
            mail.orderId === orderId && kinds.includes(mail.kind) && !mail.toGiftRecipient && isWaiting(mail),
          (mail) => ({ ...mail, address }),
        ),
    ],
    [
      'update mails set recipient_address = $2',
      (accountId: string, address: string) =>
        change(
          (mail) =>
            mail.toGiftRecipient &&
            mail.kind !== 'gift' &&
            gifts.get(mail.orderId!)?.account_id === accountId &&
            isWaiting(mail),
          (mail) => ({ ...mail, address }),
        ),
    ],
    [
      `update mails set facts = facts - 'from'`,
      (orderId: string) =>
        change(
          (mail) => mail.orderId === orderId && mail.kind === 'gift',
          (mail) => without(mail, 'from'),
        ),
    ],
    [
      `update mails set facts = facts - 'gift'`,
      (ids: string[]) =>
        change(
          (mail) => ids.includes(mail.orderId!) && !mail.toGiftRecipient,
          (mail) => without(mail, 'gift'),
        ),
    ],
    ...giftStatements(),
    // Receipts wait for no worker here, so that none names one.
    [`update mails set facts = facts - 'planter'`, () => 0],
    ['insert into erased_accounts', (id: string) => add(erasedAccounts, id)],
    ['select from erased_accounts', (id: string) => Number(erasedAccounts.has(id))],
    // Newsletter choices are not part of the simulation.
    ['delete from addresses', () => 0],
    ['update addresses', () => 0],
  ];
  function giftStatements(): typeof STATEMENTS {
    const some = (of: (gift: Row) => boolean): Row[] => [...gifts.values()].filter(of);
    const patchAll = (of: (gift: Row) => boolean, changes: (gift: Row) => Row): Row[] =>
      some(of).map((gift) => {
        patch(gifts, gift.order_id as string, changes(gift));
        return gifts.get(gift.order_id as string)!;
      });
    const keep = (orderId: string, revision: number, said: Row, mayRepeat: boolean): number => {
      const known = gifts.get(orderId);
      const isOld =
        known && (mayRepeat ? revision < Number(known.revision) : revision <= Number(known.revision));
      if (isOld) return 0;
      put(gifts, orderId, { ...NEW_GIFT, ...known, order_id: orderId, revision, ...said });
      return 1;
    };
    return [
      [
        'insert into gifts as known (order_id, revision, event_id',
        (
          orderId: string,
          revision: number,
          event_id,
          state,
          name,
          email,
          language,
          message,
          card,
          from_name,
          trees,
          token,
          deliverAt,
          addressedAt,
        ) => {
          const said = {
            event_id,
            state,
            recipient_name: name,
            recipient_email: email,
            language,
            message,
            card,
          };
          const dates = { deliver_at: dated(deliverAt), addressed_at: dated(addressedAt) };
          const mail = state === 'waiting' ? { mail_id: null } : {};
          return keep(orderId, revision, { ...said, from_name, trees, token, ...dates, ...mail }, false);
        },
      ],
      [
        'insert into gifts as known (order_id, revision, state)',
        (orderId: string, revision: number) =>
          keep(orderId, revision, { ...NO_RECIPIENT, state: 'cancelled' }, true),
      ],
      [
        'update gifts set state = $2',
        (orderId: string, state) => patch(gifts, orderId, { state, message: null }),
      ],
      [
        `update gifts set state = 'queued'`,
        (orderId: string, mail_id) => patch(gifts, orderId, { state: 'queued', mail_id, message: null }),
      ],
      [
        'update gifts set state = $3',
        (mailId: string, from: string[], state) =>
          patchAll(
            (gift) => gift.mail_id === mailId && from.includes(gift.state as string),
            () => ({ state }),
          ),
      ],
      [
        'select order_id, revision from gifts',
        (before: Date) =>
          some((gift) => gift.state === 'waiting' && (gift.deliver_at as Date) < before).map(
            ({ order_id, revision }) => ({ order_id, revision }),
          ),
      ],
      [
        'update gifts set account_id = $2',
        (orderId: string, account_id, claimed_name, claimed_email, claimed_language, at) =>
          patch(gifts, orderId, {
            account_id,
            claimed_name,
            claimed_email,
            claimed_language,
            claimed_at: dated(at),
          }),
      ],
      [
        'update gifts set account_id = null',
        (ids: string[]) => ids.reduce((count, id) => count + patch(gifts, id, NO_CLAIM), 0),
      ],
      [
        'update gifts set claimed_email = $2',
        (accountId: string, claimed_email) =>
          patchAll(
            (gift) => gift.account_id === accountId,
            () => ({ claimed_email }),
          ).length,
      ],
      [
        'update gifts set purchases',
        (orderId: string, purchaseId: string) =>
          patch(gifts, orderId, {
            purchases: [...((gifts.get(orderId)?.purchases as string[] | undefined) ?? []), purchaseId],
          }),
      ],
      [
        'update gifts set declined_at',
        (address: string, at) =>
          patchAll(
            (gift) => gift.recipient_email === address || gift.claimed_email === address,
            () => ({ declined_at: dated(at) }),
          ).length,
      ],
      ['update gifts set from_name = null', (orderId: string) => patch(gifts, orderId, { from_name: null })],
      [
        'update gifts set recipient_name = null',
        (accountId: string, address: string | null, at: string) =>
          patchAll(
            (gift) =>
              gift.account_id === accountId ||
              (gift.recipient_email !== null &&
                gift.recipient_email === address &&
                (gift.addressed_at as Date) <= new Date(at)),
            (gift) => ({
              ...NO_RECIPIENT,
              ...((gift.state === 'waiting' || gift.state === 'queued') && { state: 'cancelled' }),
            }),
          ).map(({ order_id, account_id }) => ({
            order_id,
            whole: account_id === null || account_id === accountId,
          })),
      ],
      [
        'select declined_at, erased_at from gift_addresses',
        (hash: string) => (giftAddresses.has(hash) ? [giftAddresses.get(hash)!] : []),
      ],
      [
        'insert into gift_addresses (hash, declined_at)',
        (hash: string, at) => {
          put(giftAddresses, hash, { erased_at: null, ...giftAddresses.get(hash), declined_at: dated(at) });
          return 1;
        },
      ],
      [
        'insert into gift_addresses (hash, erased_at)',
        (hash: string, at) => {
          put(giftAddresses, hash, { declined_at: null, ...giftAddresses.get(hash), erased_at: dated(at) });
          return 1;
        },
      ],
    ];
  }
  /** Finds gifts by their order, the account that has them or their address, depending on the condition. */
  const findGifts = (text: string, [key]: readonly unknown[]): Rows => {
    const has = (gift: Row): boolean => {
      if (text.includes('where recipient_email = $1'))
        return gift.recipient_email === key && (gift.state === 'waiting' || gift.state === 'queued');
      if (!text.includes('account_id is not null')) return gift.order_id === key;
      const isDeclined = gift.declined_at !== null && (gift.declined_at as Date) >= (gift.claimed_at as Date);
      return gift.order_id === key && gift.account_id !== null && !isDeclined;
    };
    return [...gifts.values()].filter(has);
  };
  /** Erases by order or by account, depending on the condition. */
  const erase = (text: string, values: readonly unknown[]): Rows => {
    const [about, second] = values as [string, unknown];
    if (text.includes('where order_id = $1'))
      return change(
        (mail) =>
          mail.orderId === about && (second as MailKind[]).includes(mail.kind) && !mail.toGiftRecipient,
        erased,
      );
    if (text.includes('where to_gift_recipient')) {
      const [whole, ids, address] = values as [string[], string[], string | null];
      return change(
        ({ toGiftRecipient, orderId, address: to }) =>
          toGiftRecipient &&
          (whole.includes(orderId!) || (ids.includes(orderId!) && to.toLowerCase() === address)),
        erased,
      );
    }
    if (text.includes('where account_id = $1')) return change((mail) => mail.accountId === about, erased);
    throw new Error(`the simulation does not know how to: ${text}`);
  };

  const known = new Map<string, (text: string, values: readonly unknown[]) => Rows>();
  const statement = (text: string) => {
    const found = known.get(text);
    if (found) return found;
    const plain = text.trim().replace(/\s+/g, ' ');
    const listed = STATEMENTS.find(([begin]) => plain.startsWith(begin));
    const run = plain.startsWith(`update mails set recipient_address = '`)
      ? erase
      : plain.startsWith('select order_id, revision, event_id')
        ? findGifts
        : listed && ((_text: string, values: readonly unknown[]) => listed[1](...(values as never[])));
    if (!run) throw new Error(`the simulation does not know the statement: ${plain}`);
    known.set(text, run);
    return run;
  };
  const query = async (text: string, values: readonly unknown[] = []) => {
    process.touch();
    const found = statement(text)(text, values);
    return typeof found === 'number'
      ? { rows: [], rowCount: found }
      : { rows: found, rowCount: found.length };
  };

  async function transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T> {
    process.touch();
    undo = [];
    const jobs: Parameters<Transaction['enqueue']>[0][number][] = [];
    const events: NewEvent[] = [];
    try {
      const result = await run({
        query,
        enqueue: async (some: typeof jobs) => void jobs.push(...some),
        publish: async (published: readonly NewEvent[]) => void events.push(...published),
      } as unknown as Transaction);
      undo = [];
      process.commit(events, jobs, 0);
      process.mayCrash();
      return result;
    } catch (error) {
      for (const one of undo.reverse()) one();
      undo = [];
      throw error;
    }
  }
  const consume = async (eventId: string, run: (tx: Transaction) => Promise<void>): Promise<boolean> => {
    if (consumed.has(eventId)) return false;
    await transaction(async (tx) => {
      add(consumed, eventId);
      await run(tx);
    });
    return true;
  };

  return {
    sql: {
      query,
      prepared: query,
      transaction,
      consume,
      write: ({ eventId, steps, values }: Parameters<Sql['write']>[0]) =>
        consume(eventId!, async (tx) => {
          await tx.query(/insert into \w+/.exec(steps)![0], values);
        }),
    } as unknown as Sql,
    mails,
    photos,
    gifts,
    sent,
    waitingMail: (id) => {
      const mail = mails.get(id);
      return mail && isWaiting(mail) ? mail : undefined;
    },
    close(id, how) {
      const mail = mails.get(id)!;
      if (how === 'sent') sent.push(mail);
      mails.set(id, { ...mail, ...(how === 'sent' ? { sentAt: now() } : { droppedAt: now() }) });
    },
  };
}

function without(mail: Mail, field: string): Mail {
  const { [field]: _erased, ...facts } = JSON.parse(mail.facts) as Row;
  return { ...mail, facts: JSON.stringify(facts) };
}

const NO_RECIPIENT = { recipient_name: null, recipient_email: null, message: null };
const NO_CLAIM = { account_id: null, claimed_name: null, claimed_email: null, claimed_language: null };
const NEW_GIFT = {
  ...NO_RECIPIENT,
  ...NO_CLAIM,
  mail_id: null,
  claimed_at: null,
  declined_at: null,
  purchases: [],
};

const NEW_ORDER = {
  location: null,
  latitude: null,
  longitude: null,
  status_revision: 0,
  planted_at: null,
  withdrawn: false,
  withdraws: false,
  planter_revision: -1,
  worker_id: null,
  worker_code: '',
  worker_name: '',
  worker_email: '',
  worker_region: '',
};
