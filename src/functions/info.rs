//! `resq_version` and `resq_debug`: which resq this is, and where it runs.

use core::mem::MaybeUninit;

use crate::arch::Tier;
use crate::buffer::Buffer;
use crate::json::{self, Choices};
use crate::sqlite::{Arguments, Call, Reported, Scalar};
use crate::value::Value;

/// `resq_version()`: "0.1.0".
pub struct Version;

impl Scalar for Version {
    const NAME: &'static str = "resq_version";

    fn call(call: &Call<'_>, _arguments: &Arguments<'_>) -> Result<(), Reported> {
        call.copied_text(env!("CARGO_PKG_VERSION").as_bytes())
    }
}

/// `resq_debug()`: a JSON object of the version, the kernels' tier, the version of SQLite, and the
/// target of this build.
pub struct Debug;

impl Scalar for Debug {
    const NAME: &'static str = "resq_debug";

    fn call(call: &Call<'_>, _arguments: &Arguments<'_>) -> Result<(), Reported> {
        let facts = [
            (&b"{\"version\":"[..], env!("CARGO_PKG_VERSION")),
            (b",\"tier\":", Tier::current().name()),
            (b",\"sqlite\":", call.host_version()),
            (b",\"target\":", env!("RESQ_TARGET")),
        ];
        let mut room = [MaybeUninit::uninit(); 256];
        let mut out = Buffer::within(&mut room, call.memory());
        for (key, fact) in facts {
            out.extend(key);
            json::write(&Value::Text(fact.as_bytes()), Choices::DEFAULT, &mut out);
        }
        out.push(b'}');
        call.text(out.finish())
    }
}
