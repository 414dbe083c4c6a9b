package dev.pinion.handlers.run;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.PauseGrace;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that run handlers, and one that watches them.
 *
 * <p>A worker whose handler does not end in time is interrupted and abandoned: another one is
 * started in its place, up to a bound, and continues its task. An abandoned worker ends when its
 * handler returns. Idle threads are parked, the watching one included, but workers may spin before.
 * After a pause of the process, handlers get its length as additional time, up to {@link
 * PauseGrace#MOST_NANOS}.
 */
public final class WorkerPool implements Workers {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerPool.class);
  private static final long WATCH_NANOS = 5_000_000;
  private static final int PROBES = 200;
  private static final int PROBE_ROUNDS = 3;
  private static final long UNMEASURED_NANOS = 20_000;

  private final WorkerSettings settings;
  private final Clock clock;
  // Unbounded itself: its tasks belong to messages under way, which windows bound.
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final List<Worker> workers = new CopyOnWriteArrayList<>();
  private final Set<WatchedCall> replying = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean watching = new AtomicBoolean();
  private final Thread watch;
  private final long handOverNanos;
  private volatile boolean closed;

  // Guarded by this.
  private int stuck;
  private final Queue<String> missing = new ArrayDeque<>();

  /** Starts the workers, and measures the cost of a hand-over: some milliseconds. */
  public WorkerPool(WorkerSettings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
    this.watch = Thread.ofPlatform().daemon().name("handlers-watch").unstarted(this::watch);
    for (int i = 0; i < settings.count(); i++) {
      start("handlers-" + i);
    }
    watch.start();
    this.handOverNanos = measureHandOver();
  }

  @Override
  public int count() {
    return settings.count();
  }

  @Override
  public long handoffNanos() {
    return handOverNanos;
  }

  /** Number of workers that hang in a handler beyond its time-out. */
  public synchronized int stuck() {
    return stuck;
  }

  /** Number of threads, including those that hang. */
  public int threads() {
    return workers.size();
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void executeNext(Runnable task) {
    if (!(Thread.currentThread() instanceof Worker worker && worker.follows(this, task))) {
      execute(task);
    }
  }

  @Override
  public long nanoTime() {
    return clock.nanoTime();
  }

  @Override
  public void watch(WatchedCall call) {
    if (call.isAsync()) {
      replying.add(call);
    } else if (Thread.currentThread() instanceof Worker worker) {
      worker.current = call;
    }
    if (!watching.get() && watching.compareAndSet(false, true)) {
      LockSupport.unpark(watch);
    }
  }

  @Override
  public void unwatch(WatchedCall call) {
    if (call.isAsync()) {
      replying.remove(call);
    } else if (Thread.currentThread() instanceof Worker worker) {
      worker.current = null;
      Thread.interrupted(); // an interrupt by a handler belongs to that handler only
    }
  }

  /** Ends the workers. Calls under way are left as they are; hanging workers are interrupted. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(watch);
    workers.forEach(Thread::interrupt);
  }

  /** Starts a worker; a replacement has the name of the lost one, and its CPU if it has one. */
  private synchronized void start(String name) {
    Worker worker = new Worker(name);
    workers.add(worker);
    worker.start();
  }

  private void watch() {
    PauseGrace grace = new PauseGrace();
    long lookedNanos = clock.nanoTime();
    while (!closed) {
      long nowNanos = clock.nanoTime();
      boolean _ = grace.begin(lookedNanos, nowNanos);
      lookedNanos = nowNanos;
      if (!grace.isUnderWay(nowNanos)) {
        giveUpOverdue(nowNanos);
      }
      if (isWatching()) {
        LockSupport.parkNanos(this, WATCH_NANOS);
      } else {
        awaitCall();
        lookedNanos = clock.nanoTime();
      }
    }
  }

  private void awaitCall() {
    watching.set(false);
    if (!isWatching()) {
      LockSupport.park(this); // until a call begins
    }
    watching.set(true);
  }

  /** Whether there are calls under way. */
  private boolean isWatching() {
    return !replying.isEmpty() || workers.stream().anyMatch(Worker::isCalling);
  }

  private void giveUpOverdue(long nowNanos) {
    for (Worker worker : workers) {
      WatchedCall call = worker.current;
      if (call != null && call.isOverdue(nowNanos) && lose(worker, call, nowNanos)) {
        call.abandon();
      }
    }
    replying.removeIf(call -> call.isOverdue(nowNanos) && call.timeOut(nowNanos) && goOn(call));
  }

  private static boolean goOn(WatchedCall call) {
    call.resume();
    return true;
  }

  /**
   * Abandons a worker, unless its call has ended meanwhile; both atomically, see {@link
   * #clearInterrupt}.
   */
  private synchronized boolean lose(Worker worker, WatchedCall call, long nowNanos) {
    if (!call.timeOut(nowNanos)) {
      return false;
    }
    LOG.warn(
        "the handler \"{}\" did not end within {}; its worker is replaced",
        call.name(),
        call.timeout());
    worker.interrupt();
    if (stuck++ < settings.maxStuck()) {
      start(worker.getName());
    } else {
      missing.add(worker.getName());
    }
    return true;
  }

  /** The thread that abandoned the call has interrupted this one before this gets the lock. */
  @Override
  public synchronized void clearInterrupt() {
    Thread.interrupted();
  }

  private synchronized void back() {
    stuck--;
    String name = missing.poll();
    if (name != null) {
      start(name);
    }
  }

  /** Mean time until a worker begins a task handed to it: the best of some rounds. */
  private long measureHandOver() {
    long best = Long.MAX_VALUE;
    try {
      for (int round = 0; round < PROBE_ROUNDS; round++) {
        long total = 0;
        for (int i = 0; i < PROBES; i++) {
          total += handOver();
        }
        best = Math.min(best, total / PROBES);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // an interrupt asks for a quick start
    }
    return best == Long.MAX_VALUE ? UNMEASURED_NANOS : best;
  }

  private long handOver() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicLong at = new AtomicLong();
    long handed = clock.nanoTime();
    execute(
        () -> {
          at.set(clock.nanoTime());
          begun.countDown();
        });
    begun.await();
    return at.get() - handed;
  }

  /** A thread that runs tasks. */
  private final class Worker extends Thread {
    private volatile @Nullable WatchedCall current;

    /** Its next task, before any that waits. Used by this thread only. */
    private @Nullable Runnable own;

    Worker(String name) {
      super(name);
      setDaemon(true);
    }

    /** Whether it is in a handler, and was not abandoned. */
    boolean isCalling() {
      WatchedCall call = current;
      return call != null && !call.hasEnded();
    }

    /** Keeps a task for after the current one, unless others wait, which came before. */
    boolean follows(WorkerPool pool, Runnable task) {
      if (pool != WorkerPool.this) {
        return false;
      }
      Runnable before = own;
      if (before != null) { // several are handed over: they begin in that order
        own = null;
        tasks.add(before);
        return false;
      }
      if (!tasks.isEmpty()) {
        return false;
      }
      own = task;
      return true;
    }

    @Override
    public void run() {
      settings.atStart().run();
      boolean lost = false;
      while (!closed && !lost) {
        Runnable task = take();
        if (task != null) {
          lost = perform(task);
        }
      }
      workers.remove(this);
      Runnable left = own;
      if (left != null) {
        tasks.add(left);
      }
      if (lost) {
        back();
      }
    }

    /** Runs a task; returns whether this worker was abandoned meanwhile. */
    private boolean perform(Runnable task) {
      try {
        task.run();
      } catch (Throwable e) { // a bug in this package must not cost a worker
        LOG.error("a task of a handler chain failed", e);
      }
      WatchedCall call = current;
      current = null;
      return call != null;
    }

    private @Nullable Runnable take() {
      Runnable next = own;
      if (next != null) {
        own = null;
        return next;
      }
      Runnable task = settings.spins() ? spin() : null;
      if (task != null || closed) {
        return task;
      }
      try {
        return tasks.take();
      } catch (InterruptedException e) {
        return null; // closed, or the late interrupt of a call that ended just then
      }
    }

    /** Looks for a task until there is one, or there has not been any for long. */
    private @Nullable Runnable spin() {
      long began = clock.nanoTime();
      long most = TimeUnit.MILLISECONDS.toNanos(settings.spinMillis());
      Runnable task = tasks.poll();
      while (task == null && !closed && clock.nanoTime() - began < most) {
        Thread.onSpinWait();
        task = tasks.poll();
      }
      return task;
    }
  }
}
