package dev.pinion.bootstrap.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Resident memory of a process and its children that is not part of a file (proc(5), {@code
 * RssAnon}): pages of files are dropped when the memory is needed.
 */
final class ResidentMemory implements AutoCloseable {
  private static final long PERIOD_MILLIS = 500;
  private static final Pattern RESIDENT = Pattern.compile("RssAnon:\\s+(\\d+) kB");

  private final ProcessHandle parent;
  private final Map<Long, Long> most = new ConcurrentHashMap<>();
  private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor();

  @SuppressWarnings("FutureReturnValueIgnored") // a failed reading is missing in the figures
  ResidentMemory(ProcessHandle parent) {
    this.parent = parent;
    looks.scheduleWithFixedDelay(this::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * Peak resident memory of each running process since the last call, in KiB, by its id. The first
   * call covers the time since the start.
   */
  Map<Long, Long> most() {
    look();
    Map<Long, Long> found = Map.copyOf(most);
    most.clear();
    return found;
  }

  private void look() {
    most.keySet().removeIf(pid -> ProcessHandle.of(pid).isEmpty());
    look(parent);
    parent.children().forEach(this::look);
  }

  private void look(ProcessHandle process) {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    try (Scanner scanner = new Scanner(Files.readString(status))) {
      if (scanner.findWithinHorizon(RESIDENT, 0) != null) {
        most.merge(process.pid(), Long.valueOf(scanner.match().group(1)), Math::max);
      }
    } catch (IOException e) {
      most.remove(process.pid()); // ended meanwhile
    }
  }

  @Override
  public void close() {
    looks.shutdownNow();
  }
}
