package dev.pinion.bootstrap.assembly;

import dev.pinion.bootstrap.assembly.EngineLauncher.RunningEngine;
import dev.pinion.bootstrap.child.BrokerClient;
import dev.pinion.bootstrap.child.BrokerProtocol;
import dev.pinion.bootstrap.child.ThreadPinning;
import dev.pinion.bootstrap.events.EventLane;
import dev.pinion.bootstrap.history.HistoryDatabase;
import dev.pinion.bootstrap.history.HistoryProgram;
import dev.pinion.bootstrap.history.HistoryReader;
import dev.pinion.bootstrap.history.JournalEndPositions;
import dev.pinion.bootstrap.history.NoticeOutbox;
import dev.pinion.bootstrap.history.publish.SinkPolicy;
import dev.pinion.bootstrap.history.publish.SubscriptionStore;
import dev.pinion.bootstrap.placement.IdleStrategies;
import dev.pinion.bootstrap.placement.LoopLayout;
import dev.pinion.bootstrap.protocol.BindingSettings;
import dev.pinion.bootstrap.protocol.ReplicaSettings;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.broker.binding.UnboundSource;
import dev.pinion.core.binding.BindingRules;
import dev.pinion.core.binding.CallerRule;
import dev.pinion.core.binding.ThrottleRule;
import dev.pinion.core.binding.UnservedRule;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Durability;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.settings.ListenSpec;
import dev.pinion.core.spi.BrokerGateway;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.spi.History;
import dev.pinion.core.stage.ThreadSetup;
import dev.pinion.handlers.builtin.data.EnrichFactory;
import dev.pinion.handlers.builtin.observe.NotificationSink;
import dev.pinion.handlers.builtin.observe.NotifyFactory;
import dev.pinion.handlers.config.HandlerKinds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Assembles a replica: the one place that knows engine, handlers and broker. */
public final class ReplicaAssembly {
  private final EngineLauncher launcher;

  /** Creates an assembly with a launcher. */
  public ReplicaAssembly(EngineLauncher launcher) {
    this.launcher = launcher;
  }

  /**
   * Starts the engine of a replica.
   *
   * @param replicaGroup its place among the others
   * @throws IOException when the engine cannot start
   */
  public RunningEngine start(ReplicaSettings settings, ReplicaGroup replicaGroup)
      throws IOException {
    EngineLimits limits = DescriptorBudget.limits(settings);
    HistoryDatabase database = HistoryProgram.database(settings, limits);
    ThreadSetup threads =
        new ThreadPinning(settings.pins(), CpuSet.parse(settings.ancillaryCpus()));
    EventLane events =
        new EventLane(Path.of(settings.dataDirectory()), limits, Clock.system(), threads);
    return launcher.launch(
        new EngineLauncher.Options(
            ReplicaGroupProtocol.listenSpec(settings, replicaGroup),
            Path.of(settings.dataDirectory(), "definitions"),
            Durability.of(settings.durability()).orElseThrow(),
            Path.of(settings.dataDirectory(), "journal", Integer.toString(settings.index())),
            LoopLayout.parse(settings.layout()),
            IdleStrategies.parse(settings.waiting()),
            limits,
            HandlerAssembly.around(
                settings.handlers(),
                limits,
                kinds(settings, database, limits).with(new EnrichFactory(events)),
                HandlerCpus.of(settings),
                threads),
            table(settings, limits),
            threads,
            settings.trust().isEmpty() ? null : Path.of(settings.trust()),
            database == null ? History.NONE : history(settings, database, limits),
            settings.runDirectory().isEmpty()
                ? BrokerGateway.NONE
                : BrokerClient.at(BrokerProtocol.socket(settings.runDirectory())),
            events));
  }

  private static BindingTableFile table(ReplicaSettings settings, EngineLimits limits)
      throws IOException {
    ContractTokenBuckets buckets = buckets(settings, limits.request().contractBurstSeconds());
    BindingTableFile table =
        BindingTableFile.follow(
                Path.of(settings.dataDirectory()),
                settings.index(),
                limits,
                rules(settings.binding()),
                settings.binding().callbackUrl())
            .throttledBy(buckets);
    return settings.runDirectory().isEmpty()
        ? table
        : table.observedBy(BrokerProtocol.socket(settings.runDirectory()), settings.index());
  }

  /** Replicas with one run directory share their contracts. */
  private static ContractTokenBuckets buckets(ReplicaSettings settings, int burstSeconds)
      throws IOException {
    return settings.runDirectory().isEmpty()
        ? ContractTokenBuckets.own(burstSeconds, Clock.system())
        : ContractTokenBuckets.in(
            Path.of(settings.runDirectory(), "contract-rates"), burstSeconds, Clock.system());
  }

  /**
   * Starts an engine in this process with all data in memory, on a free loopback port and one event
   * loop.
   *
   * @param trust PEM file of certificates that calls trust besides the system's, or null
   * @throws IOException when it cannot listen
   */
  public RunningEngine startInMemory(EngineLimits limits, @Nullable Path trust) throws IOException {
    return launcher.launch(
        new EngineLauncher.Options(
            ListenSpec.own(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
            null,
            Durability.NONE,
            null,
            new LoopLayout.Fused(1),
            IdleStrategies.PARK,
            limits,
            Interceptor.NONE,
            new UnboundSource(),
            ThreadSetup.NONE,
            trust,
            History.NONE,
            BrokerGateway.NONE,
            ExternalEvents.NONE));
  }

  private static BindingRules rules(BindingSettings choice) {
    return new BindingRules(
        CallerRule.of(choice.callers()).orElseThrow(),
        choice.callerHeader(),
        UnservedRule.of(choice.unserved()).orElseThrow(),
        ThrottleRule.of(choice.throttle()).orElseThrow());
  }

  /** Handlers can notify subscribers where events are published. */
  private static HandlerKinds kinds(
      ReplicaSettings settings, @Nullable HistoryDatabase database, EngineLimits limits) {
    NotificationSink sink = null;
    if (database != null) {
      PayloadCodec codec = new PayloadCodec(limits.json());
      sink =
          new NoticeOutbox(database, subscriptions(settings, limits), codec, Clock.system())
              ::append;
    }
    return installed(settings.handlers().path()).with(new NotifyFactory(Clock.system(), sink));
  }

  private static HandlerKinds installed(String path) {
    List<Path> jars =
        path.isEmpty() ? List.of() : Arrays.stream(path.split(":")).map(Path::of).toList();
    return HandlerKinds.installed(HandlerAssembly.class.getClassLoader(), jars);
  }

  private static History history(
      ReplicaSettings settings, HistoryDatabase database, EngineLimits limits) {
    return new HistoryReader(
        database,
        limits,
        subscriptions(settings, limits),
        new JournalEndPositions(Path.of(settings.dataDirectory())));
  }

  private static SubscriptionStore subscriptions(ReplicaSettings settings, EngineLimits limits) {
    return new SubscriptionStore(
        Path.of(settings.dataDirectory()),
        limits,
        SinkPolicy.parse(settings.history().sinks()),
        Clock.system());
  }
}
