package dev.pinion.core.settings;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.diagram.PictureRenderer;
import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.invoker.ProtocolClient;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.IdleStrategy;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.secret.SecretSource;
import dev.pinion.core.spi.BrokerGateway;
import dev.pinion.core.spi.DefinitionCatalog;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.spi.History;
import dev.pinion.core.spi.InstanceObserver;
import dev.pinion.core.stage.ThreadSetup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an engine. Made by {@link #of} and changed by the {@code with} methods, each of
 * which returns changed settings. Immutable; for any thread.
 */
public final class EngineSettings {
  /** Not changed any more. */
  private final Values values;

  private EngineSettings(Values values) {
    this.values = values;
  }

  /**
   * An engine on a free loopback port with one fused loop and default limits.
   *
   * @param registry deployed definitions
   * @param <T> type that serves both clients and kernels
   */
  public static <T extends DefinitionCatalog & GraphSource> EngineSettings of(T registry) {
    return new EngineSettings(new Values(registry, registry));
  }

  private EngineSettings with(Consumer<Values> change) {
    Values changed = values.copy();
    change.accept(changed);
    return new EngineSettings(changed);
  }

  /** Sets the entrance of clients. */
  public EngineSettings withListen(ListenSpec value) {
    return with(changed -> changed.entrance = value);
  }

  /** Sets the layout of stages. */
  public EngineSettings withStageLayout(StageLayout value) {
    return with(changed -> changed.layout = value);
  }

  /** Sets the waiting of all loops. */
  public EngineSettings withIdleStrategy(IdleStrategy value) {
    return withIdleStrategy(StageIdleStrategies.all(value));
  }

  /** Sets the waiting of loops by stage. */
  public EngineSettings withIdleStrategy(StageIdleStrategies value) {
    return with(changed -> changed.waiting = value);
  }

  /** Sets the transport. */
  public EngineSettings withTransport(Transport value) {
    return with(changed -> changed.transport = value);
  }

  /** Sets the limits. */
  public EngineSettings withLimits(EngineLimits value) {
    return with(changed -> changed.limits = value);
  }

  /** Sets the handlers of messages. */
  public EngineSettings withInterceptor(Interceptor value) {
    return with(changed -> changed.around = value);
  }

  /** Sets the source of bindings. */
  public EngineSettings withBindings(BindingSource value) {
    return with(changed -> changed.bindings = value);
  }

  /** Sets the observer of tasks. */
  public EngineSettings withObserver(InstanceObserver value) {
    return with(changed -> changed.observer = value);
  }

  /** Sets the preparation of threads. */
  public EngineSettings withThreads(ThreadSetup value) {
    return with(changed -> changed.threads = value);
  }

  /** Sets the source of time. */
  public EngineSettings withClock(Clock value) {
    return with(changed -> changed.clock = value);
  }

  /** Sets further certificates that calls trust. */
  public EngineSettings withTrustedCertificates(@Nullable Path value) {
    return with(changed -> changed.trustedCertificates = value);
  }

  /** Sets the kinds of programs that tasks may run. */
  public EngineSettings withPrograms(Set<Program.Kind> value) {
    return with(changed -> changed.programs = Set.copyOf(value));
  }

  /** Sets the source of secrets. */
  public EngineSettings withSecrets(SecretSource value) {
    return with(changed -> changed.secrets = value);
  }

  /** Sets the client of protocols besides plain HTTP; the engine closes it. */
  public EngineSettings withProtocols(ProtocolClient value) {
    return with(changed -> changed.protocols = value);
  }

  /** Sets the durability of instances. */
  public EngineSettings withSafeStore(SafeStoreSettings value) {
    return with(changed -> changed.safeStore = value);
  }

  /** Sets the source of past instances. */
  public EngineSettings withHistory(History value) {
    return with(changed -> changed.history = value);
  }

  /** Sets the broker. */
  public EngineSettings withBroker(BrokerGateway value) {
    return with(changed -> changed.broker = value);
  }

  /** Sets what draws definitions as pictures. */
  public EngineSettings withPictures(PictureRenderer value) {
    return with(changed -> changed.pictures = value);
  }

  /** Sets the receiver of external events. */
  public EngineSettings withEvents(ExternalEvents value) {
    return with(changed -> changed.events = value);
  }

  /** How clients connect. */
  public ListenSpec entrance() {
    return values.entrance;
  }

  /** Distribution of stages over event loops. */
  public StageLayout layout() {
    return values.layout;
  }

  /** Behaviour of idle event loops, by stage. */
  public StageIdleStrategies waiting() {
    return values.waiting;
  }

  /** I/O of event loops. */
  public Transport transport() {
    return values.transport;
  }

  /** Every bound. */
  public EngineLimits limits() {
    return values.limits;
  }

  /** Deployed definitions, as clients see them. */
  public DefinitionCatalog definitions() {
    return values.definitions;
  }

  /** Deployed definitions, as kernels run them. */
  public GraphSource graphs() {
    return values.graphs;
  }

  /** Handlers of messages. */
  public Interceptor around() {
    return values.around;
  }

  /** Concrete services for abstract ones. */
  public BindingSource bindings() {
    return values.bindings;
  }

  /** Notified of tasks. */
  public InstanceObserver observer() {
    return values.observer;
  }

  /** Prepares threads. */
  public ThreadSetup threads() {
    return values.threads;
  }

  /** Source of time. */
  public Clock clock() {
    return values.clock;
  }

  /** PEM file of certificates that calls trust besides the system's, or null. */
  public @Nullable Path trustedCertificates() {
    return values.trustedCertificates;
  }

  /** Kinds of programs that tasks may run. */
  public Set<Program.Kind> programs() {
    return values.programs;
  }

  /** Source of secrets. */
  public SecretSource secrets() {
    return values.secrets;
  }

  /** Client of protocols besides plain HTTP. */
  public ProtocolClient protocols() {
    return values.protocols;
  }

  /** Durability of instances, and the place of the journal. */
  public SafeStoreSettings safeStore() {
    return values.safeStore;
  }

  /** Source of past instances. */
  public History history() {
    return values.history;
  }

  /** Decides about services and contracts. */
  public BrokerGateway broker() {
    return values.broker;
  }

  /** Draws definitions as pictures; null for none. */
  public @Nullable PictureRenderer pictures() {
    return values.pictures;
  }

  /** Receives external events. */
  public ExternalEvents events() {
    return values.events;
  }

  /** The values; changed only between a copy and its first use. */
  private static final class Values implements Cloneable {
    private ListenSpec entrance =
        ListenSpec.own(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    private StageLayout layout = new StageLayout.Fused(1);
    private StageIdleStrategies waiting = StageIdleStrategies.all(IdleStrategy.PARK);
    private Transport transport = Transport.best();
    private EngineLimits limits = EngineLimits.defaults();
    private final DefinitionCatalog definitions;
    private final GraphSource graphs;
    private Interceptor around = Interceptor.NONE;
    private BindingSource bindings = BindingSource.NONE;
    private InstanceObserver observer = InstanceObserver.NONE;
    private ThreadSetup threads = ThreadSetup.NONE;
    private Clock clock = Clock.system();
    private @Nullable Path trustedCertificates;
    private Set<Program.Kind> programs = Set.of();
    private SecretSource secrets = SecretSource.NONE;
    private ProtocolClient protocols = ProtocolClient.NONE;
    private SafeStoreSettings safeStore = SafeStoreSettings.NONE;
    private History history = History.NONE;
    private BrokerGateway broker = BrokerGateway.NONE;
    private ExternalEvents events = ExternalEvents.NONE;
    private @Nullable PictureRenderer pictures;

    Values(DefinitionCatalog definitions, GraphSource graphs) {
      this.definitions = definitions;
      this.graphs = graphs;
    }

    Values copy() {
      try {
        return (Values) clone();
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
