package dev.pinion.core.settings;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.IdleStrategy;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.model.Clock;
import dev.pinion.core.spi.BrokerGateway;
import dev.pinion.core.spi.DefinitionCatalog;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.spi.History;
import dev.pinion.core.spi.InstanceObserver;
import dev.pinion.core.stage.ThreadSetup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an engine. Made by {@link #of} and changed by the {@code with} methods.
 *
 * @param entrance how clients connect
 * @param layout distribution of stages over event loops
 * @param waiting behaviour of idle event loops, by stage
 * @param transport I/O of event loops
 * @param limits every bound
 * @param definitions deployed definitions, as clients see them
 * @param graphs deployed definitions, as kernels run them
 * @param around handlers of messages
 * @param bindings concrete services for abstract ones
 * @param observer is notified of tasks
 * @param threads prepares threads
 * @param clock source of time
 * @param trustedCertificates PEM file of certificates that calls trust besides the system's, or
 *     null
 * @param safeStore durability of instances, and the place of the journal
 * @param history source of past instances
 * @param broker decides about services and contracts
 * @param events receives external events
 */
public record EngineSettings(
    ListenSpec entrance,
    StageLayout layout,
    StageIdleStrategies waiting,
    Transport transport,
    EngineLimits limits,
    DefinitionCatalog definitions,
    GraphSource graphs,
    Interceptor around,
    BindingSource bindings,
    InstanceObserver observer,
    ThreadSetup threads,
    Clock clock,
    @Nullable Path trustedCertificates,
    SafeStoreSettings safeStore,
    History history,
    BrokerGateway broker,
    ExternalEvents events) {
  /**
   * An engine on a free loopback port with one fused loop and default limits.
   *
   * @param registry deployed definitions
   * @param <T> type that serves both clients and kernels
   */
  public static <T extends DefinitionCatalog & GraphSource> EngineSettings of(T registry) {
    return new EngineSettings(
        ListenSpec.own(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
        new StageLayout.Fused(1),
        StageIdleStrategies.all(IdleStrategy.PARK),
        Transport.best(),
        EngineLimits.defaults(),
        registry,
        registry,
        Interceptor.NONE,
        BindingSource.NONE,
        InstanceObserver.NONE,
        ThreadSetup.NONE,
        Clock.system(),
        null,
        SafeStoreSettings.NONE,
        History.NONE,
        BrokerGateway.NONE,
        ExternalEvents.NONE);
  }

  /** Sets the entrance of clients. */
  public EngineSettings withListen(ListenSpec value) {
    return new EngineSettings(
        value,
        layout,
        waiting,
        transport,
        limits,
        definitions,
        graphs,
        around,
        bindings,
        observer,
        threads,
        clock,
        trustedCertificates,
        safeStore,
        history,
        broker,
        events);
  }

  /** Sets the layout of stages. */
  public EngineSettings withStageLayout(StageLayout value) {
    return new EngineSettings(
        entrance,
        value,
        waiting,
        transport,
        limits,
        definitions,
        graphs,
        around,
        bindings,
        observer,
        threads,
        clock,
        trustedCertificates,
        safeStore,
        history,
        broker,
        events);
  }

  /** Sets the waiting of all loops. */
  public EngineSettings withIdleStrategy(IdleStrategy value) {
    return withIdleStrategy(StageIdleStrategies.all(value));
  }

  /** Sets the waiting of loops by stage. */
  public EngineSettings withIdleStrategy(StageIdleStrategies value) {
    return new EngineSettings(
        entrance,
        layout,
        value,
        transport,
        limits,
        definitions,
        graphs,
        around,
        bindings,
        observer,
        threads,
        clock,
        trustedCertificates,
        safeStore,
        history,
        broker,
        events);
  }

  /** Sets the transport. */
  public EngineSettings withTransport(Transport value) {
    return new EngineSettings(
        entrance,
        layout,
        waiting,
        value,
        limits,
        definitions,
        graphs,
        around,
        bindings,
        observer,
        threads,
        clock,
        trustedCertificates,
        safeStore,
        history,
        broker,
        events);
  }

  /** Sets the limits. */
  public EngineSettings withLimits(EngineLimits value) {
    return new EngineSettings(
        entrance,
        layout,
        waiting,
        transport,
        value,
        definitions,
        graphs,
        around,
        bindings,
        observer,
        threads,
        clock,
        trustedCertificates,
        safeStore,
        history,
        broker,
        events);
  }

  /** Sets the handlers of messages. */
  public EngineSettings withInterceptor(Interceptor value) {
    return new EngineSettings(
        entrance,
        layout,
        waiting,
        transport,
        limits,
        definitions,
        graphs,
        value,
        bindings,
        observer,
        threads,
        clock,
        trustedCertificates,
        safeStore,
        history,
        broker,
        events);
  }

  /** Sets the source of bindings. */
  public EngineSettings withBindings(BindingSource value) {
    return new EngineSettings(
        entrance,
        layout,
        waiting,
        transport,
        limits,
        definitions,
        graphs,
        around,
        value,
        observer,
        threads,
        clock,
        trustedCertificates,
        safeStore,
        history,
        broker,
        events);
  }

  /** Sets the observer of tasks. */
  public EngineSettings withObserver(InstanceObserver value) {
    return new EngineSettings(
        entrance,
        layout,
        waiting,
        transport,
        limits,
        definitions,
        graphs,
        around,
        bindings,
        value,
        threads,
        clock,
        trustedCertificates,
        safeStore,
        history,
        broker,
        events);
  }

  /** Sets the preparation of threads. */
  public EngineSettings withThreads(ThreadSetup value) {
    return new EngineSettings(
        entrance,
        layout,
        waiting,
        transport,
        limits,
        definitions,
        graphs,
        around,
        bindings,
        observer,
        value,
        clock,
        trustedCertificates,
        safeStore,
        history,
        broker,
        events);
  }

  /** Sets the source of time. */
  public EngineSettings withClock(Clock value) {
    return new EngineSettings(
        entrance,
        layout,
        waiting,
        transport,
        limits,
        definitions,
        graphs,
        around,
        bindings,
        observer,
        threads,
        value,
        trustedCertificates,
        safeStore,
        history,
        broker,
        events);
  }

  /** Sets further certificates that calls trust. */
  public EngineSettings withTrustedCertificates(@Nullable Path value) {
    return new EngineSettings(
        entrance,
        layout,
        waiting,
        transport,
        limits,
        definitions,
        graphs,
        around,
        bindings,
        observer,
        threads,
        clock,
        value,
        safeStore,
        history,
        broker,
        events);
  }

  /** Sets the durability of instances. */
  public EngineSettings withSafeStore(SafeStoreSettings value) {
    return new EngineSettings(
        entrance,
        layout,
        waiting,
        transport,
        limits,
        definitions,
        graphs,
        around,
        bindings,
        observer,
        threads,
        clock,
        trustedCertificates,
        value,
        history,
        broker,
        events);
  }

  /** Sets the source of past instances. */
  public EngineSettings withHistory(History value) {
    return new EngineSettings(
        entrance,
        layout,
        waiting,
        transport,
        limits,
        definitions,
        graphs,
        around,
        bindings,
        observer,
        threads,
        clock,
        trustedCertificates,
        safeStore,
        value,
        broker,
        events);
  }

  /** Sets the broker. */
  public EngineSettings withBroker(BrokerGateway value) {
    return new EngineSettings(
        entrance,
        layout,
        waiting,
        transport,
        limits,
        definitions,
        graphs,
        around,
        bindings,
        observer,
        threads,
        clock,
        trustedCertificates,
        safeStore,
        history,
        value,
        events);
  }

  /** Sets the receiver of external events. */
  public EngineSettings withEvents(ExternalEvents value) {
    return new EngineSettings(
        entrance,
        layout,
        waiting,
        transport,
        limits,
        definitions,
        graphs,
        around,
        bindings,
        observer,
        threads,
        clock,
        trustedCertificates,
        safeStore,
        history,
        broker,
        value);
  }
}
