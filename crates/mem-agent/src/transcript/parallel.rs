//! A transcript read on all cores: lines are taken apart on any of them, and what is made of them is handed on in
//! their order.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::num::NonZero;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, Scope};

use super::lines::LineReader;
use super::record::TranscriptRecord;

/// Lines are handed out by blocks of this size. What is smaller altogether is read by one: a thread costs more.
const BLOCK_BYTES: usize = 512 * 1024;
/// Blocks for each worker that may be under way.
const BLOCKS: usize = 3;
/// More workers have nothing to do: one core reads the file and gathers what they made.
const WORKERS_MAX: usize = 8;

/// Lines one after the other, each with its line break.
#[derive(Debug, Default)]
struct LineBlock {
    lines: Vec<u8>,
    /// The bytes they took in the file, those of lines that are too long among them.
    taken: u64,
}

/// What was made of a block.
#[derive(Debug)]
pub(super) struct BlockOutput<T> {
    /// Of each of its records, in their order.
    pub(super) of_records: Vec<T>,
    /// The last `uuid` among them.
    pub(super) uuid: Option<String>,
    /// The bytes it took in the file.
    pub(super) taken: u64,
}

/// A block, and where what is made of it is waited for.
type Order<T> = (LineBlock, SyncSender<BlockOutput<T>>);

/// Makes something of every record, on any core, and hands it on in the order of the records.
pub(super) fn read<T: Send>(
    lines: &mut LineReader<impl Read>,
    make: impl Fn(&TranscriptRecord<'_>) -> T + Sync,
    mut take: impl FnMut(BlockOutput<T>),
) -> io::Result<()> {
    let make = &make;
    thread::scope(|scope| {
        let mut block = LineBlock::default();
        let mut under_way: VecDeque<Receiver<BlockOutput<T>>> = VecDeque::new();
        let mut workers: VecDeque<SyncSender<Order<T>>> = VecDeque::new();
        let mut workers_max = 0;
        let read = lines.each_line(|line, bytes| {
            block.add_line(line, bytes);
            if block.lines.len() < BLOCK_BYTES {
                return;
            }
            if workers.is_empty() {
                workers_max = thread::available_parallelism().map_or(1, NonZero::get);
                workers_max = workers_max.min(WORKERS_MAX);
            }
            // Blocks are of one size: each worker has its turn.
            match workers.len() < workers_max {
                true => workers.push_front(start_worker(scope, make)),
                false => workers.rotate_right(1),
            }
            let (made, awaited) = sync_channel(1);
            // A worker that is gone has panicked, which the scope tells.
            let _ = workers[0].send((std::mem::replace(&mut block, LineBlock::with_room()), made));
            under_way.push_back(awaited);
            if under_way.len() > workers.len() * BLOCKS {
                take_first(&mut under_way, &mut take);
            }
        });
        drop(workers);
        while !under_way.is_empty() {
            take_first(&mut under_way, &mut take);
        }
        take(block.map_records(make));
        read
    })
}

/// Starts a worker that makes something of blocks until there are no more.
fn start_worker<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    make: &'scope (impl Fn(&TranscriptRecord<'_>) -> T + Sync),
) -> SyncSender<Order<T>> {
    let (orders, waiting) = sync_channel::<Order<T>>(BLOCKS);
    scope.spawn(move || {
        for (block, made) in waiting {
            // Nobody waits for it any more only where all of this ends with a panic.
            let _ = made.send(block.map_records(make));
        }
    });
    orders
}

/// Hands on what was made of the first block; nothing was where a worker has panicked.
fn take_first<T>(
    under_way: &mut VecDeque<Receiver<BlockOutput<T>>>,
    take: &mut impl FnMut(BlockOutput<T>),
) {
    let first = under_way.pop_front();
    if let Some(made) = first.and_then(|first| first.recv().ok()) {
        take(made);
    }
}

impl LineBlock {
    fn with_room() -> Self {
        Self {
            lines: Vec::with_capacity(BLOCK_BYTES + BLOCK_BYTES / 8),
            taken: 0,
        }
    }

    fn add_line(&mut self, line: Option<&[u8]>, bytes: u64) {
        self.taken += bytes;
        if let Some(line) = line {
            self.lines.extend_from_slice(line);
            self.lines.push(b'\n');
        }
    }

    fn map_records<T>(&self, make: impl Fn(&TranscriptRecord<'_>) -> T) -> BlockOutput<T> {
        let mut made = BlockOutput {
            of_records: Vec::new(),
            uuid: None,
            taken: self.taken,
        };
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', &self.lines) {
            if let Some(record) = TranscriptRecord::parse(&self.lines[start..end]) {
                if let Some(uuid) = &record.uuid {
                    made.uuid.get_or_insert_default().replace_range(.., uuid);
                }
                made.of_records.push(make(&record));
            }
            start = end + 1;
        }
        made
    }
}
