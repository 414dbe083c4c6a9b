package dev.pinion.core.engine;

import dev.pinion.core.ir.GraphSource;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.loop.Waiting;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.spi.Around;
import dev.pinion.core.spi.BindingSource;
import dev.pinion.core.spi.BrokerFront;
import dev.pinion.core.spi.Definitions;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.spi.History;
import dev.pinion.core.spi.TaskObserver;
import dev.pinion.core.stage.ThreadSetup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What an engine is made of. Made by {@link #of} and changed by the {@code with} methods.
 *
 * @param entrance how clients come in
 * @param layout how stages are laid on event loops
 * @param waiting what idle event loops do, by stage
 * @param transport how event loops wait for I/O
 * @param limits every bound
 * @param definitions deployed definitions, as clients see them
 * @param graphs deployed definitions, as kernels run them
 * @param around what happens around messages
 * @param bindings concrete services for abstract ones
 * @param observer hears of tasks
 * @param threads prepares threads
 * @param clock where time comes from
 * @param trustedCertificates PEM file of certificates that calls trust besides the system's, or
 *     null
 * @param safeStore what of instances survives a crash, and where it is kept
 * @param history what is known of the past
 * @param broker decides about services and contracts
 * @param events takes what happened outside
 */
public record EngineSettings(
    Entrance entrance,
    Layout layout,
    StageWaiting waiting,
    Transport transport,
    EngineLimits limits,
    Definitions definitions,
    GraphSource graphs,
    Around around,
    BindingSource bindings,
    TaskObserver observer,
    ThreadSetup threads,
    Clock clock,
    @Nullable Path trustedCertificates,
    SafeStoreSettings safeStore,
    History history,
    BrokerFront broker,
    ExternalEvents events) {
  /**
   * An engine on a free loopback port with one fused loop and default limits.
   *
   * @param registry deployed definitions
   * @param <T> what serves clients and kernels alike
   */
  public static <T extends Definitions & GraphSource> EngineSettings of(T registry) {
    return new EngineSettings(
        Entrance.own(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
        new Layout.Fused(1),
        StageWaiting.all(Waiting.PARK),
        Transport.best(),
        EngineLimits.defaults(),
        registry,
        registry,
        Around.NOTHING,
        BindingSource.NONE,
        TaskObserver.NONE,
        ThreadSetup.NONE,
        Clock.system(),
        null,
        SafeStoreSettings.NONE,
        History.NONE,
        BrokerFront.NONE,
        ExternalEvents.NONE);
  }

  /** Lets clients in differently. */
  public EngineSettings withEntrance(Entrance value) {
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

  /** Lays stages differently. */
  public EngineSettings withLayout(Layout value) {
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

  /** Waits differently, every loop the same way. */
  public EngineSettings withWaiting(Waiting value) {
    return withWaiting(StageWaiting.all(value));
  }

  /** Waits differently by stage. */
  public EngineSettings withWaiting(StageWaiting value) {
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

  /** Uses another transport. */
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

  /** Sets other limits. */
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

  /** Puts handlers around messages. */
  public EngineSettings withAround(Around value) {
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

  /** Takes bindings from elsewhere. */
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

  /** Tells an observer of tasks. */
  public EngineSettings withObserver(TaskObserver value) {
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

  /** Prepares threads. */
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

  /** Takes the time from elsewhere. */
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

  /** Trusts further certificates in calls. */
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

  /** Keeps instances elsewhere. */
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

  /** Answers questions about the past from elsewhere. */
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

  /** Asks a broker. */
  public EngineSettings withBroker(BrokerFront value) {
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

  /** Takes external events. */
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
