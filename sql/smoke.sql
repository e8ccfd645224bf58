-- Does this build work? Each line answers "ok" or says what is wrong.  sqlite3 :memory: '.load ./libresq' '.read sql/smoke.sql'
with checks(what, got, want) as (values
  ('object',   (select resq_json('a', 1, 'b', x'00ff')),            '[{"a":1,"b":"AP8="}]'),
  ('values',   (select resq_json(value) from (select 1 as value union all select 2.0 union all select null)), '[1,2.0,null]'),
  ('no rows',  (select resq_json('a', 1) where 0),                  '[]'),
  ('text',     (select resq_json('q"', char(34, 92, 10, 0, 233))),  '[{"q\"":"\"\\\n\u0000é"}]'),
  ('numbers',  (select resq_json('i', -9223372036854775807 - 1, 'r', 0.1 + 0.2)), '[{"i":-9223372036854775808,"r":0.30000000000000004}]'),
  ('nesting',  (select resq_json('a', json('[1]'), 'b', '[1]')),    '[{"a":[1],"b":"[1]"}]'),
  ('window',   (select max(j) from (select resq_json(x) over (order by x rows 1 preceding) as j
                                      from (select 1 as x union select 2 union select 3))), '[2,3]'),
  ('base64',   resq_b64(x'fbff') || ' ' || resq_b64('ab', 'url'),   '+/8= YWI'),
  ('version',  typeof(resq_version()),                              'text'),
  ('debug',    json_type(resq_debug(), '$.tier'),                   'text')
)
select printf('%-8s  %s', what, iif(got is want, 'ok', 'WRONG: ' || coalesce(got, 'null') || ', not ' || want)) from checks;
