-- Every node runs these statements by itself, in the order of the log, and must get the same rows: no random(), no clock.
-- resq's functions are deterministic, so they may stand here; resq_query and resq_stream may not, they only read.
create table if not exists users (
    id    integer primary key,
    name  text not null,
    photo blob not null,
    -- Base64 as a column: nothing is stored, each node makes it when it is read.
    photo_base64 text generated always as (resq_b64(photo)) virtual
);
create table if not exists orders (
    id      integer primary key,
    user    integer not null references users(id),
    item    text not null,
    price   real not null,
    details text check (resq_raw(details) is not null)
);
create index if not exists orders_of_user on orders(user);
-- Users by the document that stands for them.
create index if not exists users_by_card on users(resq_object('id', id, 'name', name));
create table if not exists reports (name text primary key, document text not null);
