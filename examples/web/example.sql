-- A shop of 20,000 customers, each with a picture, and 200,000 orders. The same rows every time: no random().
pragma journal_mode = wal;
begin;

create table customers (
    id      integer primary key,
    name    text not null,
    city    text not null,
    joined  text not null,
    spent   real not null default 0,
    picture blob
);
create table orders (
    id       integer primary key,
    customer integer not null references customers(id),
    day      text not null,
    item     text not null,
    count    integer not null,
    price    real not null
);

create temp table given as select row_number() over () - 1 as n, value from json_each(
    '["Ada","Amina","Борис","Chloé","Dimitra","Eve","Fatima","Grace","Håkon","Ines","Jun","Katarzyna","Lê","Mei","Noor","Ömer","Priya","Rosa","Siân","Thabo","Uma","Wanjiru","Yusuf","Zoë"]');
create temp table family as select row_number() over () - 1 as n, value from json_each(
    '["Aalto","Bąk","Çelik","Dlamini","Eriksen","Fernández","García","Hopper","Ivanova","Jones","Kaya","Lovelace","Müller","Nguyễn","O''Brien","Papadopoulos","Quispe","Rossi","Sato","Tanaka","Ueda","Vargas","Wang","Yılmaz","Žukauskas"]');
create temp table place as select row_number() over () - 1 as n, value from json_each(
    '["Bangor","Cuzco","Durban","Gdańsk","Hanoi","İzmir","Kyoto","Lagos","Lima","Łódź","Mombasa","Oulu","Porto","Pune","São Paulo","Sfax","Tromsø","Варна","Αθήνα","Zürich"]');
create temp table goods as select row_number() over () - 1 as n, value from json_each('["tea","cup","pot","spoon","sugar","honey","tray","kettle"]');

-- A picture is a bitmap of 8 by 8 pixels, one bit each, its right half the left one mirrored: 94 bytes.
create temp table half as
    with recursive n(n) as (select 0 union all select n + 1 from n where n < 15)
    select n, printf('%X%X', n, (n & 1) * 8 + (n & 2) * 2 + (n & 4) / 2 + (n & 8) / 8) || '000000' as line from n;
create temp table bitmap as select '424d5e000000000000003e000000' as file,
    '28000000080000000800000001000100000000002000000000000000000000000200000000000000' as info;

insert into customers(id, name, city, joined, picture)
    with recursive i(n) as (select 1 union all select n + 1 from i where n < 20000),
    -- h: bits that look random, the same each time.
    mixed(n, h) as (select n, (n * 2654435761 & 0x7fffffff) * 2246822519 >> 9 & 0xffffffff from i)
    select mixed.n, given.value || ' ' || family.value, place.value, date('2024-01-01', ((h >> 4) % 700) || ' days'),
        -- After the heads two colours, as blue, green, red, 0.
        unhex(file || info || 'f2f4f600' || printf('%02x%02x%02x00', 40 + (h >> 3) % 150, 40 + (h >> 11) % 130, 40 + (h >> 19) % 150)
            || a.line || b.line || c.line || d.line || d.line || c.line || e.line || a.line)
    from mixed, bitmap
    join given on given.n = (h >> 2) % 24
    join family on family.n = (h >> 13) % 25
    join place on place.n = (h >> 21) % 20
    join half a on a.n = h & 15
    join half b on b.n = h >> 5 & 15
    join half c on c.n = h >> 9 & 15
    join half d on d.n = h >> 14 & 15
    join half e on e.n = h >> 18 & 15;

insert into orders(id, customer, day, item, count, price)
    with recursive i(n) as (select 1 union all select n + 1 from i where n < 200000),
    mixed(n, h) as (select n, (n * 2246822519 & 0x7fffffff) * 2654435761 >> 9 & 0xffffffff from i)
    -- More orders to the end: the later of two days of two years.
    select mixed.n, 1 + h % 20000, date('2024-01-01', max((h >> 6) % 731, (h >> 16) % 731) || ' days'),
        goods.value, 1 + (h >> 17) % 5, 0.95 + (h >> 20) % 400 / 10.0
    from mixed
    join goods on goods.n = (h >> 11) % 8;

create index orders_of_customer on orders(customer);
create index orders_by_day on orders(day);
update customers set spent = (select round(sum(count * price), 2) from orders where customer = customers.id)
    where exists (select 1 from orders where customer = customers.id);

-- One index for each order that the page offers.
create index customers_by_name on customers(name);
create index customers_by_city on customers(city);
create index customers_by_joined on customers(joined);
create index customers_by_spent on customers(spent);

commit;
analyze;
