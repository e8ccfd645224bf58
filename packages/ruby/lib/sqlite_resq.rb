# resq in Ruby: rows as JSON inside SQLite.
#
#     require 'sqlite3'
#     require 'sqlite_resq'
#     db = SQLite3::Database.new(':memory:')
#     SqliteResq.load(db)
#     db.get_first_value("select resq_json('id', 1)")  # => [{"id":1}]
module SqliteResq
  # The path of the extension's file.
  def self.loadable_path
    Dir[File.join(__dir__, '{lib,}resq.{so,dylib,dll}')].first or raise LoadError, 'sqlite_resq: this gem has no library'
  end

  # Gives a connection resq's functions. Loading is forbidden again after it, as it is on every new connection.
  def self.load(db)
    db.enable_load_extension(true)
    db.load_extension(loadable_path)
  ensure
    db.enable_load_extension(false)
  end
end
