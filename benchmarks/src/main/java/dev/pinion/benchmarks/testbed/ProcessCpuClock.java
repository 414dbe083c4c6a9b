package dev.pinion.benchmarks.testbed;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.Optional;

/**
 * The processor-time clock of another process, user and system, all its threads together, in
 * nanoseconds: {@code /proc/PID/stat} has ticks of 10 ms, too coarse for a single request. Source:
 * clock_getcpuclockid(3), whose clock of a process has the number {@code ~PID << 3 | 2} on Linux.
 * For any thread.
 */
final class ProcessCpuClock {
  /** A clock of a process, not of a thread, that counts the time its threads were scheduled. */
  private static final int SCHEDULED = 2;

  private static final int KIND_BITS = 3;
  private static final long NANOS_AT = Long.BYTES;
  private static final MethodHandle GET_TIME = getTime();

  private ProcessCpuClock() {}

  /** Processor time of a process so far; empty when it has ended. */
  static Optional<Duration> of(long pid) {
    int clock = (int) ~pid << KIND_BITS | SCHEDULED;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(2 * Long.BYTES, Long.BYTES);
      int status = (int) GET_TIME.invokeExact(clock, time);
      return status == 0
          ? Optional.of(
              Duration.ofSeconds(
                  time.get(ValueLayout.JAVA_LONG, 0), time.get(ValueLayout.JAVA_LONG, NANOS_AT)))
          : Optional.empty();
    } catch (Throwable e) { // a call into the operating system declares everything, throws nothing
      throw new IllegalStateException("expected to call the operating system", e);
    }
  }

  @SuppressWarnings("restricted") // native access is granted on the command line
  private static MethodHandle getTime() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("clock_gettime"),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
  }
}
