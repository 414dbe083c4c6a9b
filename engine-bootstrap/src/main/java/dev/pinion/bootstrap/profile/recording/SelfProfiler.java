package dev.pinion.bootstrap.profile.recording;

import dev.pinion.bootstrap.protocol.ProfileRequest;
import dev.pinion.bootstrap.protocol.ProfiledProcess;
import dev.pinion.core.model.Clock;
import dev.pinion.core.spi.ProfilingHook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Profiles this process at the order of its parent, on a thread that exists only for that.
 *
 * <p>The flight recorder is loaded on first use: a process that is never profiled does not pay for
 * it.
 */
public final class SelfProfiler {
  private static final Logger LOG = LoggerFactory.getLogger(SelfProfiler.class);

  /** Polls between two checks whether the client still waits. */
  private static final int LOOKS_PER_CHECK = 20;

  private final ProfiledProcess process;
  private final Clock clock = Clock.system();
  private final AtomicBoolean busy = new AtomicBoolean();

  /**
   * Creates the duty of a process.
   *
   * @param process this process
   */
  public SelfProfiler(ProfiledProcess process) {
    this.process = process;
  }

  /** Receives a line of the parent; returns whether it is an order. Returns immediately. */
  public boolean handle(String line) {
    ProfileRequest order = ProfileRequest.parse(line);
    if (order == null) {
      return false;
    }
    if (busy.compareAndSet(false, true)) {
      Thread thread = new Thread(() -> fulfil(order), "profile");
      thread.setDaemon(true);
      thread.start();
    } else {
      refuse(order, "expected no other profile of this process at the same time, found one");
    }
    return true;
  }

  private void fulfil(ProfileRequest order) {
    Path own = order.recorder(process);
    try {
      Files.createDirectory(own);
      FlightRecording.prepare(own);
      record(order, own);
    } catch (IOException | RuntimeException e) {
      LOG.warn("this process could not be profiled", e);
      refuse(order, "expected to record this process, found " + e);
    } finally {
      delete(isAwaited(order) ? own : order.folder());
      busy.set(false);
    }
  }

  private void record(ProfileRequest order, Path own) throws IOException {
    try (FlightRecording recording = new FlightRecording()) {
      LOG.info("records a profile for {} s", order.seconds());
      recording.begin();
      if (awaitEnd(order)) {
        Path part = own.resolve("recording.jfr");
        recording.end(part);
        Files.move(part, order.recording(process), StandardCopyOption.ATOMIC_MOVE);
      } else {
        LOG.info("no client waits for the profile any more");
      }
    }
  }

  /** Polls until the time is up; returns whether the client still waits then. */
  private boolean awaitEnd(ProfileRequest order) {
    long end = clock.nanoTime() + TimeUnit.SECONDS.toNanos(order.seconds());
    long period = FlightRecording.WORK_POLL_PERIOD.toNanos();
    for (int look = 1; clock.nanoTime() - end < 0; look++) {
      LockSupport.parkNanos(this, period);
      ProfilingHook.tick();
      if (look % LOOKS_PER_CHECK == 0 && !isAwaited(order)) {
        return false;
      }
    }
    return isAwaited(order);
  }

  private static boolean isAwaited(ProfileRequest order) {
    return Files.isDirectory(order.folder(), LinkOption.NOFOLLOW_LINKS)
        && ProcessHandle.of(order.client()).map(ProcessHandle::isAlive).orElse(false);
  }

  private void refuse(ProfileRequest order, String reason) {
    try {
      Path part = order.folder().resolve(order.refusal(process).getFileName() + ".part");
      Files.writeString(part, reason);
      Files.move(part, order.refusal(process), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      LOG.warn("could not notify the client of a profile: {}", reason, e);
    }
  }

  private static void delete(Path folder) {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(folder)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("{} could not be deleted", folder, e);
    }
  }
}
