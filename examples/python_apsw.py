#!/usr/bin/env python3
"""An export with apsw: one nested document per album, in the lines that search engines and warehouses take in.

    pip install apsw && make build && python3 examples/python_apsw.py

apsw brings a SQLite of its own, which is newer than the system's, and is built with SQLITE_STRICT_SUBTYPE.
"""

import json
import os

import apsw

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXTENSION = os.environ.get("RESQ_EXTENSION", os.path.join(HERE, "libresq"))

# ORDER BY inside the call: SQLite 3.44 and newer.
ALBUMS = """
    select resq_json('album', a.title, 'artist', a.artist, 'cover', a.cover, 'tracks', resq_raw(tracks))
      from albums a
      join (select album, resq_json('no', no, 'title', title, 'seconds', seconds order by no) as tracks
              from tracks group by album) t on t.album = a.id
     group by a.id
"""


def main():
    db = apsw.Connection(":memory:")
    db.enable_load_extension(True)
    db.load_extension(EXTENSION)
    db.enable_load_extension(False)
    db.execute("""
        create table albums (id integer primary key, title text, artist text, cover blob);
        create table tracks (album integer, no integer, title text, seconds real);
        insert into albums values
            (1, 'Ágætis byrjun', 'Sigur Rós', x'ffd8ffe0'), (2, '音楽図鑑', '坂本龍一', null);
        insert into tracks values
            (1, 2, 'Svefn-g-englar', 604.0), (1, 1, 'Intro', 96.5), (1, 3, 'Starálfur', 406.13),
            (2, 1, 'Tibetan Dance', 292.0), (2, 2, 'ETUDE "1"', 322.8);
    """)
    print(f"apsw {apsw.apsw_version()}, {db.execute('select resq_debug()').get}")
    tracks = 0
    for (line,) in db.execute(ALBUMS):
        print(line)
        tracks += sum(len(album["tracks"]) for album in json.loads(line))
    print(f"read back by json.loads: {tracks} tracks")


if __name__ == "__main__":
    main()
