package dev.pinion.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.infra.Control;

/**
 * Hand-over of messages from one stage to another.
 *
 * <pre>
 *   sameThread:   loop ──offer 64──▶ lane ──drain──▶ the same loop      (fused layout)
 *   crossThread:  writer ──offer──▶ lane ──drain──▶ reader              (pipelined layout)
 * </pre>
 *
 * <p>The figure for {@code crossThread} is {@code taken}: messages that arrived. It needs two free
 * cores to be meaningful.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class LaneBenchmark {
  private static final int CAPACITY = 1 << 13;
  private static final int BATCH = 64;
  private static final Object MESSAGE = new Object();

  /** The queue under test. */
  @State(Scope.Group)
  public static class Queue {
    /** Implementation of the queue. */
    @Param public QueueKind kind = QueueKind.LANE;

    QueueKind.Handover lane = QueueKind.LANE.create(2);

    /** Creates a fresh queue for each iteration. */
    @Setup(Level.Iteration)
    public void create() {
      lane = kind.create(CAPACITY);
    }

    /** Frees remaining messages of a writer. */
    @TearDown(Level.Iteration)
    public void drop() {
      lane = QueueKind.LANE.create(2);
    }
  }

  /** Messages received by the reader. */
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  @State(Scope.Thread)
  public static class Arrivals {
    /** Messages taken. */
    public long taken;

    /** Resets the count for each iteration. */
    @Setup(Level.Iteration)
    public void reset() {
      taken = 0;
    }
  }

  /** A batch in and out on one thread. */
  @Benchmark
  @Group("sameThread")
  @GroupThreads(1)
  @OperationsPerInvocation(BATCH)
  public int sameThread(Queue queue, Blackhole hole) {
    for (int i = 0; i < BATCH; i++) {
      queue.lane.offer(MESSAGE);
    }
    return queue.lane.drain(hole::consume, BATCH);
  }

  /** The writer: waits for space until the iteration ends. */
  @Benchmark
  @Group("crossThread")
  @GroupThreads(1)
  public void offer(Queue queue, Control control) {
    while (!queue.lane.offer(MESSAGE) && !control.stopMeasurement) {
      Thread.onSpinWait();
    }
  }

  /** The reader: takes available messages. */
  @Benchmark
  @Group("crossThread")
  @GroupThreads(1)
  public void drain(Queue queue, Arrivals arrivals, Blackhole hole) {
    int taken = queue.lane.drain(hole::consume, BATCH);
    arrivals.taken += taken;
    if (taken == 0) {
      Thread.onSpinWait();
    }
  }
}
