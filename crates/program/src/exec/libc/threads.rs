//! pthread.h for programs that have one thread: locks are always free, and no thread can be made.
//!
//! Which thread runs when would be a choice that a run cannot make, so `pthread_create` is
//! unsupported rather than failing: a program that needs threads gives no verdict.

use super::statics::SUCCESS;
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::Address;

pub(super) const MODELS: &[(&str, Model)] = &[
    ("pthread_create", |_, _| Err(Stop::Unsupported("pthread_create: a run has one thread".to_owned()))),
    ("pthread_join", |_, _| Err(Stop::Unsupported("pthread_join: a run has one thread".to_owned()))),
    ("pthread_self", |_, _| Ok(Returned::Bits(1))),
    ("pthread_equal", |_, call| Ok(Returned::Bits(u64::from(call.int(0) == call.int(1))))),
    ("pthread_mutex_init", clear_mutex),
    ("pthread_mutex_destroy", |_, _| Ok(SUCCESS)),
    ("pthread_mutex_lock", |_, _| Ok(SUCCESS)),
    ("pthread_mutex_trylock", |_, _| Ok(SUCCESS)),
    ("pthread_mutex_unlock", |_, _| Ok(SUCCESS)),
    ("pthread_mutexattr_init", |_, _| Ok(SUCCESS)),
    ("pthread_mutexattr_settype", |_, _| Ok(SUCCESS)),
    ("pthread_mutexattr_destroy", |_, _| Ok(SUCCESS)),
    ("pthread_rwlock_init", |_, _| Ok(SUCCESS)),
    ("pthread_rwlock_rdlock", |_, _| Ok(SUCCESS)),
    ("pthread_rwlock_wrlock", |_, _| Ok(SUCCESS)),
    ("pthread_rwlock_unlock", |_, _| Ok(SUCCESS)),
    ("pthread_rwlock_destroy", |_, _| Ok(SUCCESS)),
    ("pthread_cond_init", |_, _| Ok(SUCCESS)),
    ("pthread_cond_signal", |_, _| Ok(SUCCESS)),
    ("pthread_cond_broadcast", |_, _| Ok(SUCCESS)),
    ("pthread_cond_destroy", |_, _| Ok(SUCCESS)),
    ("pthread_once", pthread_once),
    ("pthread_key_create", pthread_key_create),
    ("pthread_setspecific", pthread_setspecific),
    ("pthread_getspecific", pthread_getspecific),
    ("pthread_key_delete", |_, _| Ok(SUCCESS)),
    ("pthread_atfork", |_, _| Ok(SUCCESS)),
];

fn clear_mutex(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    host.memory().fill(call.pointer(0), 0, 40)?;
    Ok(SUCCESS)
}

fn pthread_once(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    const DONE: u32 = 2;
    if host.memory().load_u32(call.pointer(0))? != DONE {
        host.memory().write_u32(call.pointer(0), DONE)?;
        host.call_back(call.pointer(1), &[])?;
    }
    Ok(SUCCESS)
}

fn pthread_key_create(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let keys = &mut host.world.library.thread_values;
    keys.push(Address::NULL);
    let key = keys.len() as u32 - 1;
    host.memory().write_u32(call.pointer(0), key)?;
    Ok(SUCCESS)
}

fn pthread_setspecific(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    match host.world.library.thread_values.get_mut(call.int(0) as usize) {
        Some(value) => *value = call.pointer(1),
        None => return Ok(Returned::signed(i64::from(libc::EINVAL))),
    }
    Ok(SUCCESS)
}

fn pthread_getspecific(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let value = host.world.library.thread_values.get(call.int(0) as usize);
    Ok(Returned::pointer(value.copied().unwrap_or(Address::NULL)))
}
