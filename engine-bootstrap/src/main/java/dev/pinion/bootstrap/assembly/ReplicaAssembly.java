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
import dev.pinion.bootstrap.history.publish.SubscriptionStore;
import dev.pinion.bootstrap.placement.IdleStrategies;
import dev.pinion.bootstrap.settings.BrokerKey;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.broker.binding.UnboundSource;
import dev.pinion.core.binding.BindingRules;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.events.InMemoryEvents;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.resource.AllowedDocuments;
import dev.pinion.core.settings.ListenSpec;
import dev.pinion.core.settings.StageLayout;
import dev.pinion.core.spi.BrokerGateway;
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
import java.util.Set;
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
  public RunningEngine start(EffectiveSettings settings, ReplicaGroup replicaGroup)
      throws IOException {
    EngineLimits limits = DescriptorBudget.limits(settings);
    HistoryDatabase database = HistoryProgram.database(settings, limits);
    ThreadSetup threads =
        new ThreadPinning(
            settings.get(ReplicaKey.PINS), CpuSet.parse(settings.get(ReplicaKey.ANCILLARY_CPUS)));
    Path data = settings.get(SettingKey.DATA);
    EventLane events =
        new EventLane(data, replicaGroup.shared(), limits, Clock.system(), threads)
            .deliveringTo(settings.get(SettingKey.EVENT_SINKS), settings.get(SettingKey.SINKS));
    return launcher.launch(
        new EngineLauncher.Options(
            ReplicaGroupProtocol.listenSpec(settings, replicaGroup),
            data.resolve("definitions"),
            settings.get(SettingKey.DURABILITY),
            data.resolve("journal").resolve(settings.get(ReplicaKey.INDEX).toString()),
            settings.get(ReplicaKey.LAYOUT),
            settings.get(ReplicaKey.WAITING),
            limits,
            HandlerAssembly.around(
                HandlerSources.of(settings),
                limits,
                kinds(settings, database, limits).with(new EnrichFactory(events)),
                HandlerCpus.of(settings),
                threads),
            table(settings, limits),
            threads,
            settings.get(SettingKey.TRUST).orElse(null),
            settings.get(SettingKey.PROGRAMS),
            settings.get(SettingKey.DOCUMENTS),
            SecretAssembly.source(
                settings.get(SettingKey.SECRETS_DIRECTORY).orElse(null), System.getenv(), limits),
            database == null ? History.NONE : history(settings, database, limits),
            settings.get(ReplicaKey.RUN_DIRECTORY).isEmpty()
                ? BrokerGateway.NONE
                : BrokerClient.at(BrokerProtocol.socket(settings.get(ReplicaKey.RUN_DIRECTORY))),
            events));
  }

  private static BindingTableFile table(EffectiveSettings settings, EngineLimits limits)
      throws IOException {
    ContractTokenBuckets buckets = buckets(settings, limits.request().contractBurstSeconds());
    BindingTableFile table =
        BindingTableFile.follow(
                settings.get(SettingKey.DATA),
                settings.get(ReplicaKey.INDEX),
                limits,
                rules(settings),
                settings.get(BrokerKey.CALLBACK_URL))
            .throttledBy(buckets);
    return settings.get(ReplicaKey.RUN_DIRECTORY).isEmpty()
        ? table
        : table.observedBy(
            BrokerProtocol.socket(settings.get(ReplicaKey.RUN_DIRECTORY)),
            settings.get(ReplicaKey.INDEX));
  }

  /** Replicas with one run directory share their contracts. */
  private static ContractTokenBuckets buckets(EffectiveSettings settings, int burstSeconds)
      throws IOException {
    return settings.get(ReplicaKey.RUN_DIRECTORY).isEmpty()
        ? ContractTokenBuckets.own(burstSeconds, Clock.system())
        : ContractTokenBuckets.in(
            Path.of(settings.get(ReplicaKey.RUN_DIRECTORY), "contract-rates"),
            burstSeconds,
            Clock.system());
  }

  /**
   * Starts an engine in this process with all data in memory, on a free loopback port and one event
   * loop.
   *
   * @param trust PEM file of certificates that calls trust besides the system's, or null
   * @param programs kinds of programs that tasks may run
   * @param documents where the documents may be to which definitions refer
   * @throws IOException when it cannot listen
   */
  public RunningEngine startInMemory(
      EngineLimits limits,
      @Nullable Path trust,
      Set<Program.Kind> programs,
      AllowedDocuments documents)
      throws IOException {
    return launcher.launch(
        new EngineLauncher.Options(
            ListenSpec.own(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
            null,
            Durability.NONE,
            null,
            new StageLayout.Fused(1),
            IdleStrategies.PARK,
            limits,
            Interceptor.NONE,
            new UnboundSource(),
            ThreadSetup.NONE,
            trust,
            programs,
            documents,
            SecretAssembly.source(null, System.getenv(), limits),
            History.NONE,
            BrokerGateway.NONE,
            new InMemoryEvents(limits, Clock.system())));
  }

  private static BindingRules rules(EffectiveSettings settings) {
    return new BindingRules(
        settings.get(BrokerKey.CALLERS),
        settings.get(BrokerKey.CALLER_HEADER),
        settings.get(BrokerKey.UNSERVED),
        settings.get(BrokerKey.THROTTLE));
  }

  /** Handlers can notify subscribers where events are published. */
  private static HandlerKinds kinds(
      EffectiveSettings settings, @Nullable HistoryDatabase database, EngineLimits limits) {
    NotificationSink sink = null;
    if (database != null) {
      PayloadCodec codec = new PayloadCodec(limits.json());
      sink =
          new NoticeOutbox(database, subscriptions(settings, limits), codec, Clock.system())
              ::append;
    }
    return HandlerKinds.installed(
            HandlerAssembly.class.getClassLoader(), settings.get(SettingKey.HANDLERS_PATH))
        .with(new NotifyFactory(Clock.system(), sink));
  }

  private static History history(
      EffectiveSettings settings, HistoryDatabase database, EngineLimits limits) {
    return new HistoryReader(
        database,
        limits,
        subscriptions(settings, limits),
        new JournalEndPositions(settings.get(SettingKey.DATA)));
  }

  private static SubscriptionStore subscriptions(EffectiveSettings settings, EngineLimits limits) {
    return new SubscriptionStore(
        settings.get(SettingKey.DATA), limits, settings.get(SettingKey.SINKS), Clock.system());
  }
}
