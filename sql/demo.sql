-- A small shop, and its rows as JSON.  `make demo`, or in a sqlite3 shell:  .load ./libresq  .read sql/demo.sql
-- Plain SQL for SQLite 3.40 and newer. Every result is one column of text, so that any host can print it. Long JSON is
-- cut with substr() here only, to fit a terminal.

-- The shop ------------------------------------------------------------------------------------------------------------

create temp table customers (id integer primary key, name text, city text);
insert into customers (name, city) values
  ('Ada Nilsson', 'Göteborg'),          ('Ἑλένη Παππά', 'Θεσσαλονίκη'),  ('Олена Шевченко', 'Київ'),
  ('محمد الفاسي', 'فاس'),               ('नेहा शर्मा', 'पुणे'),                ('王小明', '台北'),
  ('山田 さくら', '京都'),                ('김민준', '부산'),                ('Siân O''Neill', 'Caerdydd'),
  ('נועה לוי', 'חיפה'),                 ('สมชาย ใจดี', 'เชียงใหม่'),        ('ሰላም ተስፋዬ', 'አዲስ አበባ'),
  ('José "Pepe" Ruiz', 'Málaga'),       ('Zoë 🦊 van Dijk', 'Utrecht'),   ('Nguyễn Thị Hoa', 'Huế'),
  ('Łukasz Wiśniewski', 'Łódź'),        ('Ayşe Yıldız', 'İzmir'),         ('Kwame Mensah', 'Kumasi'),
  ('João Araújo', 'Belém'),             ('Þóra Jónsdóttir', 'Akureyri'),  ('Manaia Parata', 'Whangārei'),
  ('გიორგი ბერიძე', 'ქუთაისი'),          ('Անի Սարգսյան', 'Գյումրի'),       ('New here', null);

create temp table pictures (name text, png blob);
insert into pictures values
  ('heart', x'89504e470d0a1a0a0000000d49484452000000100000000e02030000005b4174190000000c504c5445ffffffe0243c9c1028ffb0b8206047ac0000003a4944415478da63600001c600560706f610d10006f9d0d008065910210a2758434313181843431b181842c380aa452380046b02485f03583b030075ac09fd36e5b4450000000049454e44ae426082'),
  ('cup', x'89504e470d0a1a0a0000000d49484452000000100000000e02030000005b4174190000000c504c5445ffffff2b598fb8c4d08a6d4aaabf296d0000002c4944415478da63600003050520c1c1016381006b6828980800112ca8440003636808500d90c160ffffff0100c12d09a3b915c96a0000000049454e44ae426082');

create temp table products (id integer primary key, name text, price real);
insert into products (name, price) values
  ('Espresso beans 250 g', 8.9),  ('Oolong 100 g', 12.5),       ('Moka pot', 34.0),       ('Mug "Good\Morning"', 9.95),
  ('Filter paper, 100', 4.2),     ('Hand grinder', 59.0),       ('Matcha whisk', 17.25),  ('Honey 500 g', 7.8),
  ('Milk jug 0.35 l', 14.99),     ('Cinnamon sticks', 3.49),    ('Gooseneck kettle', 79.9);

-- 360 orders; some customers have ordered nothing yet.
create temp table orders (id integer primary key, customer integer, product integer, day text, count integer, note text);
insert into orders
  with recursive n(i) as (select 0 union all select i + 1 from n where i < 359)
  select 1001 + i,
         1 + (i * i + 7 * i) % 23,
         1 + (i * 5 + i / 11) % 11,
         date('2026-01-01', '+' || (i * 9 / 10) || ' days'),
         1 + (i * i % 7) / 3,
         case i % 9 when 4 then 'Gift' || char(10) || 'wrap, please' when 7 then 'Ring "Bäckerei" bell' end
  from n;
create index temp.orders_of on orders (customer, day);

-- What resq makes of it -----------------------------------------------------------------------------------------------

select 'This is resq.   select resq_debug()' || char(10);
select resq_debug();

select char(10) || 'Rows as JSON.   select resq_json(''id'', id, ''name'', name, ''price'', price) from products' || char(10);
select replace(resq_json('id', id, 'name', name, 'price', price), '},', '},' || char(10) || ' ')
  from (select * from products order by price desc limit 5);

select char(10) || 'One value a row: an array.   select resq_json(name) from customers' || char(10);
select substr(names, 1, 68) || '…' || char(10) || '…' || substr(names, -68)
  from (select resq_json(name) as names from (select name from customers order by id));

select char(10) || 'Numbers, to the last digit.   select resq_json(…)' || char(10);
select resq_json('biggest', 9223372036854775807, 'real', 1.0, 'sum', 0.1 + 0.2, 'tiny', 5e-324, 'nothing', null);

select char(10) || 'BLOBs as base64, ready for <img src=…>.   select resq_json(''name'', name, ''png'', png) from pictures group by name' || char(10);
select substr(resq_json('name', name, 'png', png), 1, 76) || '…' from pictures group by name;
select 'data:image/png;base64,' || resq_b64(png) from pictures where name = 'heart';

select char(10) || 'A group for each customer, [] without orders.   … left join … group by customers.id' || char(10);
select name || ': ' || substr(orders, 1, 76) || iif(length(orders) > 76, '…', '')
  from (
    select c.id, c.name, resq_json('order', o.id, 'note', o.note) filter (where o.id is not null) as orders
      from customers c left join orders o on o.customer = c.id and o.day between '2026-03-01' and '2026-04-15'
      group by c.id
  )
  where id in (1, 6, 9, 13, 24) order by id;

select char(10) || 'Nested: a customer, the orders inside.   resq_json(''name'', name, ''orders'', resq_raw(orders))' || char(10);
select replace(resq_json('name', name, 'city', city, 'orders', resq_raw(orders)), '{"day"', char(10) || '    {"day"')
  from (
    select c.name, c.city, (
        select resq_json('day', day, 'item', p.name, 'total', round(count * price, 2))
          from (select * from orders where customer = c.id order by day desc limit 3) o join products p on p.id = o.product
      ) as orders
      from customers c where c.id = 7
  );

select char(10) || 'A window: each order with the two before.   resq_json(id) over (order by id rows 2 preceding)' || char(10);
select id || '  ' || recent
  from (select id, resq_json(id) over (order by id rows 2 preceding) as recent from orders where customer = 7)
  order by id limit 5;

select char(10) || 'Any SELECT, its columns by name.   select resq_query(''select * from orders where id = ?'', 1004)' || char(10);
select resq_query('select * from orders where id = ?', 1004);

select char(10) || 'All of it.' || char(10);
select count(*) || ' orders, ' || length(cast(resq_json('id', id, 'customer', customer, 'product', product, 'day', day, 'count', count,
       'note', note) as blob)) || ' bytes of JSON'
  from orders;
