-- 10,000 users with photos of 600 bytes and 90,000 orders: four short entries in the log, rows made on each node.
insert or ignore into users(id, name, photo)
    with recursive u(n) as (select 1 union all select n + 1 from u where n < 10000),
    part(k) as (select 0 union all select k + 1 from part where k < 74)
    select n, iif(n % 3, 'Ada ', 'Борис ') || n,
        (select unhex(group_concat(printf('%08x%08x', (n * 2654435761 + k * 40503) & 0xffffffff, (n + k) * 2246822519 & 0xffffffff), ''))
         from (select k from part order by k))
    from u;
insert or ignore into orders(id, user, item, price, details)
    with recursive o(n) as (select 1 union all select n + 1 from o where n < 90000)
    select n, 1 + (n * 7919) % 10000, 'item ' || (n % 100), (n % 400) / 8.0, resq_object('n', n, 'gift', resq_raw(iif(n % 9, 'false', 'true')))
    from o;
-- A replicated statement may aggregate: the order of rows is said, so that it is the same everywhere.
insert or ignore into reports(name, document)
    select 'revenue', resq_json('item', item, 'orders', orders, 'revenue', revenue)
    from (select item, count(*) as orders, sum(price) as revenue from orders group by item order by item);
