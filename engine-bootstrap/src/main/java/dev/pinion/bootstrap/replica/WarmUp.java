package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.process.DataSubfolder;
import dev.pinion.bootstrap.process.Dispatch;
import dev.pinion.bootstrap.process.ReplicaSettings;
import dev.pinion.bootstrap.replica.EngineLauncher.RunningEngine;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.peer.Neighbourhood;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a replica does before its engine starts, so that first requests find classes loaded and the
 * hot paths compiled: an engine beside the one to come takes definitions, instances and calls from
 * its own HTTP interface to its journal, and is ended before clients are let in.
 *
 * <p>That engine has a port, a journal and definitions of its own in a folder that is deleted, so
 * the engine to come never knows of its instances. Nothing that goes wrong here keeps a replica
 * from starting.
 *
 * <p>Limits: {@code start.warmUpMillis}, {@code start.warmUpRequests}. It does not warm what is
 * apart in each engine: connections to services, for which there is {@code start.connectAhead}, and
 * graphs of definitions, which are compiled when the engine reads them. Chains of handlers are not
 * around its messages.
 */
final class WarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  /**
   * What its engine needs on the disk is small, and hardly any of its calls finds the connection of
   * the one before: connecting is to be warm.
   */
  private static final Map<String, Integer> OWN =
      Map.of("journal.segmentBytes", 1 << 20, "invoker.idleTimeoutMillis", 1);

  private final ReplicaAssembly assembly;
  private final Clock clock;

  /**
   * A warm-up.
   *
   * @param assembly puts the engine together that is ended again
   */
  WarmUp(ReplicaAssembly assembly, Clock clock) {
    this.assembly = assembly;
    this.clock = clock;
  }

  /** A warm-up of this JVM, which goes on when the journal of the engine for it fails. */
  static WarmUp ofThisProcess() {
    Clock clock = Clock.system();
    EngineLauncher launcher =
        new CoreEngineLauncher(
            e -> LOG.warn("the journal of the warm-up cannot be written", e),
            new RushingClock(clock));
    return new WarmUp(new ReplicaAssembly(launcher), clock);
  }

  /**
   * Warms up as the limits say; returns when the engine for it is gone.
   *
   * @param toEnd looked at between requests: whether the replica is told to stop meanwhile
   * @return requests answered well; 0 when it is switched off
   */
  int run(ReplicaSettings settings, BooleanSupplier toEnd) {
    EngineLimits.Start start = EngineLimits.defaults().with(settings.limits()).start();
    Duration time = Duration.ofMillis(start.warmUpMillis());
    if (time.isZero()) {
      return 0;
    }
    Path folder = Path.of(settings.dataDirectory(), "warm-up-" + settings.index());
    WarmUpTalk talk = new WarmUpTalk(clock, start.warmUpRequests(), toEnd);
    try {
      delete(folder); // of a replica that was killed meanwhile
      DataSubfolder.make(folder);
      try (RunningEngine engine =
          assembly.start(alone(settings, folder.toString()), Neighbourhood.ALONE)) {
        if (engine.letClientsIn()) {
          talk.with(engine.port(), time);
          tellOf(talk, time, toEnd);
        }
      } finally {
        delete(folder);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("warming up ended after {} requests: {}", talk.answered(), e.getMessage());
    }
    return talk.answered();
  }

  private static void tellOf(WarmUpTalk talk, Duration time, BooleanSupplier toEnd) {
    if (!talk.refusal().isEmpty()) {
      LOG.warn("not all was warmed up: {}", talk.refusal());
    } else if (talk.answered() == 0 && !toEnd.getAsBoolean()) {
      LOG.warn("nothing was warmed up: no answer within {} ms", time.toMillis());
    }
  }

  /** Of the replica to come, but on loopback, with everything in a folder of its own. */
  private static ReplicaSettings alone(ReplicaSettings settings, String folder) {
    Map<String, Integer> limits = new HashMap<>(settings.limits());
    limits.putAll(OWN);
    return new ReplicaSettings(
        0,
        1,
        "",
        Dispatch.DIRECT,
        "",
        InetAddress.getLoopbackAddress().getHostAddress(),
        0,
        folder,
        settings.durability(),
        "fused:1",
        "park",
        Map.of(),
        "",
        "",
        settings.shutdownMillis(),
        limits);
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  /**
   * By the wall clock of the engine for it each look comes a second after the one before, so that
   * text of dates, which an engine keeps for a second, is made for each answer.
   */
  private static final class RushingClock implements Clock {
    private final Clock clock;
    private final AtomicLong epochMillis;

    RushingClock(Clock clock) {
      this.clock = clock;
      this.epochMillis = new AtomicLong(clock.epochMillis());
    }

    @Override
    public long nanoTime() {
      return clock.nanoTime();
    }

    @Override
    public long epochMillis() {
      return epochMillis.addAndGet(1_000);
    }

    @Override
    public String scale() {
      return clock.scale();
    }
  }
}
