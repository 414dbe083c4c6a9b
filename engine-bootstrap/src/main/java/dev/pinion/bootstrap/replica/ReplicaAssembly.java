package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.history.HistoryDatabase;
import dev.pinion.bootstrap.history.HistoryReader;
import dev.pinion.bootstrap.placement.Layout;
import dev.pinion.bootstrap.placement.Waiting;
import dev.pinion.bootstrap.process.ReplicaSettings;
import dev.pinion.bootstrap.publish.SubscriptionFolder;
import dev.pinion.bootstrap.replica.EngineLauncher.RunningEngine;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.broker.UnboundSource;
import dev.pinion.core.engine.Entrance;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.peer.Neighbourhood;
import dev.pinion.core.spi.Around;
import dev.pinion.core.spi.BrokerFront;
import dev.pinion.core.spi.History;
import dev.pinion.core.stage.ThreadSetup;
import dev.pinion.handlers.config.HandlerKinds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Puts a replica together: the one place that knows engine, handlers and broker. */
public final class ReplicaAssembly {
  private final EngineLauncher launcher;

  /** Assembles with a launcher. */
  public ReplicaAssembly(EngineLauncher launcher) {
    this.launcher = launcher;
  }

  /**
   * Starts the engine of a replica.
   *
   * @param neighbourhood its place among the others
   * @throws IOException when the engine cannot start
   */
  public RunningEngine start(ReplicaSettings settings, Neighbourhood neighbourhood)
      throws IOException {
    EngineLimits limits = EngineLimits.defaults().with(settings.limits());
    HistoryDatabase database = HistoryProgram.database(settings, limits);
    ThreadSetup threads =
        new ThreadPinning(settings.pins(), CpuSet.parse(settings.ancillaryCpus()));
    return launcher.launch(
        new EngineLauncher.Options(
            Neighbours.entrance(settings, neighbourhood),
            Path.of(settings.dataDirectory(), "definitions"),
            Durability.of(settings.durability()).orElseThrow(),
            Path.of(settings.dataDirectory(), "journal", Integer.toString(settings.index())),
            Layout.parse(settings.layout()),
            Waiting.parse(settings.waiting()),
            limits,
            HandlerAssembly.around(
                settings.handlers(),
                limits,
                HandlerKinds.installed(HandlerAssembly.class.getClassLoader()),
                settings.ancillaryCpus(),
                threads),
            table(settings, limits),
            threads,
            settings.trust().isEmpty() ? null : Path.of(settings.trust()),
            database == null ? History.NONE : history(settings, database, limits),
            settings.runDirectory().isEmpty()
                ? BrokerFront.NONE
                : BrokerClient.at(BrokerWire.socket(settings.runDirectory()))));
  }

  private static TableFile table(ReplicaSettings settings, EngineLimits limits) {
    TableFile table = TableFile.follow(Path.of(settings.dataDirectory()), settings.index(), limits);
    return settings.runDirectory().isEmpty()
        ? table
        : table.observedBy(BrokerWire.socket(settings.runDirectory()), settings.index());
  }

  /**
   * Starts an engine in this process that keeps everything in memory, on a free loopback port and
   * one event loop.
   *
   * @param trust PEM file of certificates that calls trust besides the system's, or null
   * @throws IOException when it cannot listen
   */
  public RunningEngine startInMemory(EngineLimits limits, @Nullable Path trust) throws IOException {
    return launcher.launch(
        new EngineLauncher.Options(
            Entrance.own(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
            null,
            Durability.NONE,
            null,
            new Layout.Fused(1),
            Waiting.PARK,
            limits,
            Around.NOTHING,
            new UnboundSource(),
            ThreadSetup.NONE,
            trust,
            History.NONE,
            BrokerFront.NONE));
  }

  private static History history(
      ReplicaSettings settings, HistoryDatabase database, EngineLimits limits) {
    Path data = Path.of(settings.dataDirectory());
    return new HistoryReader(
        database, limits, new SubscriptionFolder(data, limits, Clock.system()));
  }
}
