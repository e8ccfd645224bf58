//! What a call makes for later calls of the same place in a statement, kept where SQLite keeps such things.
//!
//! Auxiliary data hangs on one argument of one call in a running statement. SQLite keeps it while that argument is a
//! constant, and frees it when the statement is reset, so nothing of ours outlives the statement.

use core::cell::{Cell, UnsafeCell};
use core::ffi::{c_int, c_void};
use core::mem::{align_of, size_of};
use core::ptr::NonNull;
use std::panic::AssertUnwindSafe;

use super::call::Call;
use super::memory::SqliteMemory;
use super::report::{Failed, Report};
use crate::buffer::{Failure, Memory};

struct Kept<T> {
    /// Somebody is using it: whoever comes meanwhile makes another.
    busy: Cell<bool>,
    item: UnsafeCell<T>,
    memory: SqliteMemory,
}

/// Marks an item as free again, also after a panic.
struct Using<'k>(&'k Cell<bool>);

impl Drop for Using<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

/// Runs `run` on what was kept at argument number `index` of this call, if it is free and `fits`, else on a new one,
/// which is kept if all goes well.
pub fn cached<T: 'static, R>(
    call: &Call<'_>,
    index: c_int,
    fits: impl FnOnce(&T) -> bool,
    make: impl FnOnce() -> Result<T, Failed>,
    run: impl FnOnce(&mut T) -> Result<R, Failed>,
) -> Result<R, Failed> {
    // SAFETY: a live context.
    let kept = unsafe { (call.api.get_auxdata)(call.context, index) }.cast::<Kept<T>>();
    // SAFETY: null, or what `keep` left at this argument of this function, whose type of item does not change; SQLite
    // frees it only between calls.
    if let Some(kept) = unsafe { kept.as_ref() }
        && !kept.busy.get()
    {
        kept.busy.set(true);
        let _using = Using(&kept.busy);
        // SAFETY: it was not busy, so this is the only reference.
        let item = unsafe { &mut *kept.item.get() };
        if fits(item) {
            return run(item);
        }
    }
    let mut item = make()?;
    let result = run(&mut item)?;
    if kept.is_null() {
        keep(call, index, item)?;
    }
    Ok(result)
}

fn keep<T: 'static>(call: &Call<'_>, index: c_int, item: T) -> Result<(), Failed> {
    const { assert!(align_of::<Kept<T>>() <= 8, "SQLite's blocks are aligned to 8 bytes") };
    let memory = call.host().memory();
    let block = memory.reallocate(None, size_of::<Kept<T>>()).ok_or_else(|| call.fail(Failure::NoMemory))?;
    let block = block.cast::<Kept<T>>();
    // SAFETY: a fresh block of the right size and alignment. SQLite takes it, and may free it at once.
    unsafe {
        block.write(Kept { busy: Cell::new(false), item: UnsafeCell::new(item), memory });
        (call.api.set_auxdata)(call.context, index, block.as_ptr().cast(), Some(free::<T>));
    }
    Ok(())
}

/// # Safety
/// For SQLite alone, on what `keep` made.
unsafe extern "C" fn free<T>(kept: *mut c_void) {
    let Some(block) = NonNull::new(kept.cast::<Kept<T>>()) else { return };
    // SAFETY: made by `keep`, and freed once.
    unsafe {
        let memory = block.as_ref().memory;
        // A panic must not reach SQLite; what it leaves undone is leaked.
        let dropped = std::panic::catch_unwind(AssertUnwindSafe(|| block.drop_in_place()));
        core::mem::forget(dropped);
        memory.free(block.cast());
    }
}
