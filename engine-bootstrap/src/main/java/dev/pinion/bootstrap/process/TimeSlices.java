package dev.pinion.bootstrap.process;

import dev.pinion.bootstrap.topology.FileTree;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Longest uninterrupted run of a thread while others wait for its CPU.
 *
 * <p>Where compilers and event loops share CPUs, an event loop that wakes up waits until the
 * compiler's slice is over, once for each hand-over of a request. A thread with long slices can be
 * interrupted by one with shorter ones as soon as the latter wakes up, and receives as much time in
 * total as before. So the ancillary threads of a replica, and all threads of a starting one, take
 * long slices. The only cost is that such threads can be interrupted; no privilege is needed.
 * Source: sched_setattr(2) and Documentation/scheduler/sched-eevdf.rst of Linux 6.12, which
 * introduced it; earlier kernels accept the request and ignore it.
 *
 * <p>For any thread.
 */
public final class TimeSlices {
  /** Longest slice that Linux grants. */
  public static final Duration LONG = Duration.ofMillis(100);

  /** Prefixes of the names of background threads, as truncated by Linux. */
  private static final List<String> ANCILLARY =
      List.of("C1 Compiler", "C2 Compiler", "deployer-", "evaluator-", "mover-", "snapshot-");

  /** Numbers of sched_setattr and sched_getattr by architecture, in Java's naming. */
  private static final Map<String, List<Long>> CALLS =
      Map.of("amd64", List.of(314L, 315L), "aarch64", List.of(274L, 275L));

  /** Size of the first version of {@code struct sched_attr}, and the offset of the slice in it. */
  private static final int ATTRIBUTES = 48;

  private static final int RUNTIME = 24;

  private final MethodHandle systemCall;
  private final long setNumber;
  private final long getNumber;

  private TimeSlices(MethodHandle systemCall, List<Long> numbers) {
    this.systemCall = systemCall;
    this.setNumber = numbers.get(0);
    this.getNumber = numbers.get(1);
  }

  /**
   * Time slices of this system; empty where they are not supported. Takes some 70 ms the first
   * time.
   */
  @SuppressWarnings("restricted") // native access is granted on the command line
  public static Optional<TimeSlices> ofSystem() {
    List<Long> numbers = CALLS.get(System.getProperty("os.arch"));
    if (numbers == null || !System.getProperty("os.name").equals("Linux")) {
      return Optional.empty();
    }
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor syscall =
        FunctionDescriptor.of(
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT);
    return linker
        .defaultLookup()
        .find("syscall")
        .map(
            address ->
                new TimeSlices(
                    linker.downcallHandle(address, syscall, Linker.Option.firstVariadicArg(1)),
                    numbers));
  }

  /** An action under other slices. */
  @FunctionalInterface
  public interface StartAction<T> {
    /**
     * Performs the action.
     *
     * @throws IOException when that is not possible
     */
    T start() throws IOException;
  }

  /** Starts a process whose threads take long slices until they are changed. */
  public <T> T startLong(StartAction<T> startAction) throws IOException {
    setSlice(0, LONG);
    try {
      return startAction.start();
    } finally {
      setSlice(0, Duration.ZERO);
    }
  }

  /**
   * Sets the slices of all threads of a serving replica: long ones for ancillary threads, the
   * default for all others.
   *
   * @param files the machine
   * @param pid the process
   */
  public void assign(FileTree files, long pid) {
    String tasks = "proc/" + pid + "/task";
    for (String tid : files.names(tasks)) {
      String name = files.read(tasks + "/" + tid + "/comm");
      if (name != null) {
        setSlice(Integer.parseInt(tid), isAncillary(name) ? LONG : Duration.ZERO);
      }
    }
  }

  /**
   * Sets long slices for every thread of a background process; its later threads inherit them.
   *
   * @param files the machine
   * @param pid the process
   */
  public void assignLong(FileTree files, long pid) {
    for (String tid : files.names("proc/" + pid + "/task")) {
      setSlice(Integer.parseInt(tid), LONG);
    }
  }

  private static boolean isAncillary(String name) {
    for (String each : ANCILLARY) {
      if (name.startsWith(each)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Sets a slice.
   *
   * @param thread number of the thread, 0 for the calling one
   * @param slice the slice, zero for the default
   * @return whether the thread exists and the system accepted the request
   */
  boolean setSlice(int thread, Duration slice) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(ATTRIBUTES, Long.BYTES);
      if (call(getNumber, thread, attributes, ATTRIBUTES, 0) < 0) {
        return false;
      }
      attributes.set(ValueLayout.JAVA_LONG, RUNTIME, slice.toNanos());
      return call(setNumber, thread, attributes, 0, 0) == 0;
    }
  }

  /** The slice of a thread; zero where the kernel does not report it. */
  public Duration of(int thread) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(ATTRIBUTES, Long.BYTES);
      long status = call(getNumber, thread, attributes, ATTRIBUTES, 0);
      return Duration.ofNanos(status < 0 ? 0 : attributes.get(ValueLayout.JAVA_LONG, RUNTIME));
    }
  }

  private long call(long number, int thread, MemorySegment attributes, int third, int fourth) {
    try {
      return (long) systemCall.invokeExact(number, thread, attributes, third, fourth);
    } catch (Throwable e) { // a call into the operating system declares everything, throws nothing
      throw new IllegalStateException("expected to call the operating system", e);
    }
  }
}
