# packages/pack.py sets the two variables and puts the library into lib.
Gem::Specification.new do |gem|
  gem.name = 'sqlite-resq'
  gem.version = ENV.fetch('RESQ_VERSION')
  gem.platform = ENV.fetch('RESQ_GEM_PLATFORM')
  gem.summary = 'SQLite extension that turns rows into JSON inside SQLite'
  gem.authors = ['resq contributors']
  gem.licenses = ['MIT', 'Apache-2.0']
  gem.required_ruby_version = '>= 2.7'
  gem.files = Dir['lib/*'] + Dir['LICENSE*']
end
