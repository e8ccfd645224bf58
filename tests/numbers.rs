use resq::decimal::{Digits, integer};
use resq::real::{Real, Room, real};
fn text(d: &Digits) -> String {
    let mut v = d.head()[..d.head_len()].to_vec();
    v.extend_from_slice(&d.tail()[..d.tail_len()]);
    String::from_utf8(v).unwrap()
}
#[test]
fn quick() {
    let mut r = 1u64;
    for i in 0..2_000_000u64 {
        r ^= r << 13;
        r ^= r >> 7;
        r ^= r << 17;
        let n = (r >> (i % 64)) as i64;
        for n in [n, n.wrapping_neg()] {
            let d = integer(n);
            assert_eq!(text(&d), n.to_string());
        }
        for x in [
            r as f64 / 3e15,
            (r % 1000000000) as f64 / 100.0,
            f64::from_bits(r),
            (r % 10_000_000_000) as f64 / 1e8,
            ((r >> 11) % 10000) as f64,
            ((r >> 11) % 100) as f64 / 1e8,
        ] {
            for x in [x, -x] {
                let mut room = Room::default();
                let t = match real(x, &mut room) {
                    Real::Short(d) => text(&d),
                    Real::Long(t) => String::from_utf8(t.to_vec()).unwrap(),
                    Real::Unwritable => "null".into(),
                };
                let e = if x.is_finite() {
                    zmij::Buffer::new().format(x).replace('+', "")
                } else {
                    "null".to_string()
                };
                assert_eq!(t, e);
            }
        }
    }
    for x in [0.0, -0.0, 1e7, 9999999.99999999, 1e-8, 1e-5, 1.1e-7] {
        let mut room = Room::default();
        if let Real::Short(d) = real(x, &mut room) {
            println!("{x} {}", text(&d));
        }
    }
}
