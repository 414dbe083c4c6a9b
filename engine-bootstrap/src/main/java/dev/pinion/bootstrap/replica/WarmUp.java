package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.placement.Layout;
import dev.pinion.bootstrap.placement.Waiting;
import dev.pinion.bootstrap.process.ReplicaSettings;
import dev.pinion.bootstrap.replica.EngineLauncher.RunningEngine;
import dev.pinion.broker.UnboundSource;
import dev.pinion.core.engine.Entrance;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.spi.Around;
import dev.pinion.core.spi.BrokerFront;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.spi.History;
import dev.pinion.core.stage.ThreadSetup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
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

  private final EngineLauncher launcher;
  private final Clock clock;

  /**
   * A warm-up.
   *
   * @param launcher starts the engine that is ended again
   */
  WarmUp(EngineLauncher launcher, Clock clock) {
    this.launcher = launcher;
    this.clock = clock;
  }

  /** A warm-up of this JVM, which goes on when the journal of the engine for it fails. */
  static WarmUp ofThisProcess() {
    return new WarmUp(
        new CoreEngineLauncher(e -> LOG.warn("the journal of the warm-up cannot be written", e)),
        Clock.system());
  }

  /**
   * Warms up as the limits say; returns when the engine for it is gone.
   *
   * @return requests answered; 0 when it is switched off
   */
  int run(ReplicaSettings settings) {
    EngineLimits limits = EngineLimits.defaults().with(settings.limits());
    Duration time = Duration.ofMillis(limits.start().warmUpMillis());
    if (time.isZero()) {
      return 0;
    }
    Path folder = Path.of(settings.dataDirectory(), "warm-up-" + settings.index());
    WarmUpTalk talk = new WarmUpTalk(clock, limits.start().warmUpRequests());
    try {
      delete(folder); // of a replica that was killed meanwhile
      Files.createDirectories(folder);
      try (RunningEngine engine = launcher.launch(options(settings, limits, folder))) {
        if (engine.letClientsIn()) {
          talk.with(engine.port(), time);
        }
      } finally {
        delete(folder);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("warming up ended after {} requests: {}", talk.answered(), e.getMessage());
    }
    return talk.answered();
  }

  private static EngineLauncher.Options options(
      ReplicaSettings settings, EngineLimits limits, Path folder) {
    return new EngineLauncher.Options(
        Entrance.own(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
        folder.resolve("definitions"),
        Durability.of(settings.durability()).orElseThrow(),
        folder.resolve("journal"),
        new Layout.Fused(1),
        Waiting.PARK,
        limits.with(OWN),
        Around.NOTHING,
        new UnboundSource(),
        ThreadSetup.NONE,
        null,
        History.NONE,
        BrokerFront.NONE,
        ExternalEvents.NONE);
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
}
