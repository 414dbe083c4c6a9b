package dev.pinion.bootstrap.warmup;

import dev.pinion.bootstrap.assembly.CoreEngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher.RunningEngine;
import dev.pinion.bootstrap.assembly.ReplicaAssembly;
import dev.pinion.bootstrap.datadir.DataSubdirectory;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.settings.SettingValues;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.StartLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.partition.ReplicaGroup;
import java.io.IOException;
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
 * Warm-up of a replica before its engine starts, so that first requests find classes loaded and the
 * hot paths compiled: a temporary engine handles definitions, instances and calls from its own HTTP
 * interface to its journal, and is ended before clients are admitted.
 *
 * <p>That engine has a separate port, journal and definitions in a folder that is deleted, so the
 * real engine never sees its instances. No failure here prevents a replica from starting.
 *
 * <p>Limits: {@code start.warmUpMillis}, {@code start.warmUpRequests}. It does not warm parts that
 * each engine has separately: connections to services, for which there is {@code
 * start.connectAhead}, and graphs of definitions, which are compiled when the engine reads them.
 * Chains of handlers do not intercept its messages.
 */
public final class WarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  /**
   * Its engine needs little disk space, and hardly any of its calls finds the connection of the
   * previous one: connecting must be warm, too. Its services are on this machine.
   */
  private static final Map<String, Integer> OWN =
      Map.of(
          "journal.segmentBytes", 1 << 20,
          "invoker.idleTimeoutMillis", 1,
          "invoker.privateAddresses", 1);

  private final ReplicaAssembly assembly;
  private final Clock clock;

  /**
   * A warm-up.
   *
   * @param assembly assembly of the temporary engine
   */
  WarmUp(ReplicaAssembly assembly, Clock clock) {
    this.assembly = assembly;
    this.clock = clock;
  }

  /** A warm-up of this JVM, which continues when the journal of its engine fails. */
  public static WarmUp ofThisProcess() {
    Clock clock = Clock.system();
    EngineLauncher launcher =
        new CoreEngineLauncher(
            e -> LOG.warn("the journal of the warm-up cannot be written", e),
            new AcceleratedClock(clock));
    return new WarmUp(new ReplicaAssembly(launcher), clock);
  }

  /**
   * Warms up according to the limits; returns when the temporary engine has ended.
   *
   * @param toEnd checked between requests: whether the replica was asked to stop meanwhile
   * @return number of successful requests; 0 when it is switched off
   */
  public int run(EffectiveSettings settings, BooleanSupplier toEnd) {
    StartLimits startLimits = EngineLimits.defaults().with(settings.limits()).start();
    Duration time = Duration.ofMillis(startLimits.warmUpMillis());
    if (time.isZero()) {
      return 0;
    }
    Path folder =
        settings.get(SettingKey.DATA).resolve("warm-up-" + settings.get(ReplicaKey.INDEX));
    WarmUpClient talk = new WarmUpClient(clock, startLimits.warmUpRequests(), toEnd);
    try {
      delete(folder); // of a replica that was killed meanwhile
      DataSubdirectory.make(folder);
      try (RunningEngine engine = assembly.start(alone(settings, folder), ReplicaGroup.ALONE)) {
        if (engine.openToClients()) {
          talk.with(engine.port(), time);
          log(talk, time, toEnd);
        }
      } finally {
        delete(folder);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("warming up ended after {} requests: {}", talk.responses(), e.getMessage());
    }
    return talk.responses();
  }

  private static void log(WarmUpClient talk, Duration time, BooleanSupplier toEnd) {
    if (!talk.refusal().isEmpty()) {
      LOG.warn("not all was warmed up: {}", talk.refusal());
    } else if (talk.responses() == 0 && !toEnd.getAsBoolean()) {
      LOG.warn("nothing was warmed up: no answer within {} ms", time.toMillis());
    }
  }

  /** Settings of the real replica, but on loopback, with all data in a separate folder. */
  private static EffectiveSettings alone(EffectiveSettings settings, Path folder) {
    Map<String, Integer> limits = new HashMap<>(settings.limits());
    limits.putAll(OWN);
    return EffectiveSettings.defaults(folder)
        .put(SettingKey.DURABILITY, settings.get(SettingKey.DURABILITY).label())
        .put(SettingKey.HISTORY, SettingValues.NO_HISTORY)
        .put(SettingKey.SHUTDOWN_TIMEOUT, settings.get(SettingKey.SHUTDOWN_TIMEOUT).toSeconds())
        .limits(limits)
        .build();
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
   * A clock for the temporary engine in which each reading is a second after the previous one, so
   * that the text of dates, which an engine caches for a second, is created for each response.
   */
  private static final class AcceleratedClock implements Clock {
    private final Clock clock;
    private final AtomicLong epochMillis;

    AcceleratedClock(Clock clock) {
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
