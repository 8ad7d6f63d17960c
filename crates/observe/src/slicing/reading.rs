//! A process's trace from its end, chunk by chunk: which segments ran, and their words. Chunks are decoded by a thread of
//! their own, a few ahead of who asks for them, so that there are never more than a few in memory.

use std::sync::mpsc::{Receiver, sync_channel};

use super::flat::Flat;
use super::symptom::{Told, crashed, missing};
use crate::Error;
use crate::recording::{Executed, Process, Recipes, Record, Sites, ThreadTrace, Words, traces};

/// Decoded chunks that wait.
const AHEAD: usize = 2;

/// A chunk of a thread.
pub struct Chunk {
    pub thread: usize,
    pub executed: Executed,
    /// If it is the last of its thread: how many segments of its last record were reached.
    pub reached: Option<usize>,
}

pub struct Reading<'a> {
    flat: &'a Flat<'a>,
    pub recipes: Recipes<'a>,
    pub threads: Vec<ThreadTrace>,
    /// The number of the thread with the symptom, and what it could not access.
    pub symptom: u64,
    address: Option<u64>,
}

impl<'a> Reading<'a> {
    pub fn new(process: &Process, sites: &'a Sites, flat: &'a Flat<'a>) -> Result<Reading<'a>, Error> {
        let threads = traces(process, sites)?;
        let last = process.death.map(|it| it.thread).filter(|thread| threads.iter().any(|it| it.thread == *thread));
        let last = last.or_else(|| threads.iter().map(|it| it.thread).find(|it| *it == process.number));
        let last = last.or_else(|| threads.first().map(|it| it.thread));
        let symptom =
            last.ok_or_else(|| Error::NoSymptom("the process has executed nothing that was observed".into()))?;
        Ok(Reading {
            flat,
            recipes: Recipes::new(sites),
            threads,
            symptom,
            address: process.death.and_then(|it| it.address),
        })
    }

    pub fn is_symptoms(&self, thread: usize) -> bool {
        self.threads[thread].thread == self.symptom
    }

    /// Hands out chunks from the last to the first, until it is told that this is enough.
    pub fn each(&self, mut take: impl FnMut(&Chunk) -> bool) -> Result<(), Error> {
        let order = self.order();
        let mut chunks = order.iter().map(|&(thread, chunk)| self.chunk(thread, chunk));
        std::thread::scope(|scope| {
            let (give, taken): (_, Receiver<Result<Chunk, Error>>) = sync_channel(AHEAD);
            let ahead = chunks.clone();
            // Where sending fails, nobody wants more.
            let read = move || ahead.map(|it| give.send(it)).all(|it| it.is_ok());
            let reader = std::thread::Builder::new().spawn_scoped(scope, read);
            let mut taken = taken.into_iter();
            // Without a thread that reads ahead, chunks are read when they are wanted.
            let mut next = || if reader.is_ok() { taken.next() } else { chunks.next() };
            while let Some(chunk) = next() {
                if take(&chunk?) {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Threads are interleaved by when their chunks began; the last of the symptom's thread has the symptom.
    fn order(&self) -> Vec<(usize, usize)> {
        let mut order = Vec::new();
        for (thread, trace) in self.threads.iter().enumerate() {
            for chunk in 0..trace.chunk_count() {
                let has_symptom = self.is_symptoms(thread) && chunk + 1 == trace.chunk_count();
                order.push((has_symptom, trace.begin_of(chunk), thread, chunk));
            }
        }
        order.sort_unstable();
        order.into_iter().rev().map(|(_, _, thread, chunk)| (thread, chunk)).collect()
    }

    fn chunk(&self, thread: usize, chunk: usize) -> Result<Chunk, Error> {
        let trace = &self.threads[thread];
        let executed = trace.read(chunk, &self.recipes)?;
        let is_last = chunk + 1 == trace.chunk_count();
        let reached = executed.records.last().filter(|_| is_last).map(|it| self.reached(thread, &executed, it));
        Ok(Chunk { thread, executed, reached })
    }

    /// How many segments of the last record were reached: up to a word that was not written, or to where it crashed.
    fn reached(&self, thread: usize, executed: &Executed, record: &Record) -> usize {
        let (recipe, written) = (self.recipes.get(record.path), executed.words(record));
        let parts = || {
            recipe.segments.iter().map(|&(segment, before)| {
                let words = Words::of(recipe, before, written);
                (self.flat.accesses(&self.flat.segments[segment as usize]), Told { words, is_last: true })
            })
        };
        let end = parts().position(|(accesses, told)| missing(accesses, told).is_some());
        let end = end.map_or(recipe.segments.len(), |it| it + 1);
        let written = parts().take(end).collect::<Vec<_>>();
        let written = written
            .iter()
            .rposition(|(accesses, told)| accesses.iter().any(|it| told.is_written(it) && it.address(told.words) != 0));
        let written = written.unwrap_or(0);
        let address = self.address.filter(|_| self.is_symptoms(thread));
        let mut open = parts().take(end).skip(written);
        let crash = open.position(|(accesses, told)| crashed(address, accesses, told).is_some());
        crash.map_or(end, |it| written + it + 1)
    }
}
