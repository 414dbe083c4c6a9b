package dev.pinion.bootstrap.assembly;

import dev.pinion.bootstrap.client.ProtocolClients;
import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.bootstrap.diagram.SvgPicture;
import dev.pinion.bootstrap.placement.IdleStrategies.IdleMode;
import dev.pinion.bootstrap.protocol.HealthCheck;
import dev.pinion.bootstrap.protocol.Heartbeat;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.core.api.port.Readiness;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.DefinitionResources;
import dev.pinion.core.definition.DefinitionStore;
import dev.pinion.core.definition.DirectoryDefinitionStore;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.engine.Engine;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.invoker.http.ClientTls;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.IdleStrategy;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.Clock;
import dev.pinion.core.resource.AllowedDocuments;
import dev.pinion.core.resource.DocumentFetcher;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.SafeStoreSettings;
import dev.pinion.core.settings.StageIdleStrategies;
import dev.pinion.core.spi.DefinitionCatalog;
import dev.pinion.core.spi.ExternalEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Launches {@link Engine}. */
public final class CoreEngineLauncher implements EngineLauncher {
  /** Longest time in which every event loop of a healthy engine turns. */
  private static final Duration HEALTHY_ROUND = Duration.ofSeconds(3);

  /** Time between two checks for work under way. */
  private static final Duration DRAIN_LOOK = Duration.ofMillis(20);

  /** Most checks for the last responses to be sent after draining ran out of time. */
  private static final long LAST_LOOKS = 25;

  private final Consumer<IOException> onJournalFailure;
  private final Clock clock;

  /** Creates launchers of engines whose process ends when a journal can no longer be written. */
  public CoreEngineLauncher() {
    this(CoreEngineLauncher::onFailure, Clock.system());
  }

  /**
   * Creates a launcher.
   *
   * @param onJournalFailure called, on any thread, when a journal can no longer be written; its
   *     engine acknowledges nothing from then on
   * @param clock source of time of its engines
   */
  public CoreEngineLauncher(Consumer<IOException> onJournalFailure, Clock clock) {
    this.onJournalFailure = onJournalFailure;
    this.clock = clock;
  }

  @Override
  public RunningEngine launch(Options options) throws IOException {
    return new LaunchedEngine(
        Engine.start(settings(options)), options.bindings(), options.events(), options.around());
  }

  @Override
  public DefinitionCatalog definitions(EngineLimits limits, AllowedDocuments documents) {
    try {
      DocumentFetcher fetcher = new DocumentFetcher(limits, documents, ClientTls.load(null), clock);
      return new DefinitionRegistry(
          limits,
          new InMemoryDefinitionStore(),
          ChainCatalog.UNKNOWN,
          BindingSource.NONE,
          DefinitionResources.DEFAULT.withDocuments(fetcher::open),
          clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // there is no file to read
    }
  }

  private EngineSettings settings(Options options) throws IOException {
    return EngineSettings.of(registry(options))
        .withClock(clock)
        .withListen(options.entrance())
        .withStageLayout(options.layout())
        .withIdleStrategy(waiting(options))
        .withLimits(options.limits())
        .withInterceptor(options.around())
        .withBindings(options.bindings())
        .withThreads(options.threads())
        .withPrograms(options.programs())
        .withHistory(options.history())
        .withBroker(options.broker())
        .withEvents(options.events())
        .withPictures(new SvgPicture())
        .withSafeStore(
            new SafeStoreSettings(
                options.durability(), options.journalDirectory(), onJournalFailure))
        .withTrustedCertificates(options.trustedCertificates())
        .withSecrets(options.secrets())
        .withProtocols(
            new ProtocolClients(
                new ProtocolSettings(
                    options.limits(),
                    ClientTls.load(options.trustedCertificates()),
                    options.programs(),
                    options.threads(),
                    clock)));
  }

  /**
   * Ends the process at once: acknowledged records are on disk, and the next process continues from
   * there.
   */
  private static void onFailure(IOException failure) {
    Runtime.getRuntime().halt(ReplicaProtocol.EXIT_JOURNAL_FAILED);
  }

  private static StageIdleStrategies waiting(Options options) {
    int cpus = Runtime.getRuntime().availableProcessors();
    boolean crowded = options.layout().loops() > cpus;
    return new StageIdleStrategies(
        waiting(options.waiting().request(), crowded),
        waiting(options.waiting().kernel(), crowded),
        waiting(options.waiting().invoker(), crowded));
  }

  /** Event loops that sleep share CPUs if there are more loops than CPUs of this replica. */
  private static IdleStrategy waiting(IdleMode idleMode, boolean crowded) {
    return switch (idleMode) {
      case PARK -> crowded ? IdleStrategy.SHARE : IdleStrategy.PARK;
      case YIELD -> IdleStrategy.YIELD;
      case SPIN -> IdleStrategy.SPIN;
    };
  }

  private DefinitionRegistry registry(Options options) throws IOException {
    Path directory = options.definitionsDirectory();
    DefinitionStore store =
        directory == null ? new InMemoryDefinitionStore() : new DirectoryDefinitionStore(directory);
    try {
      DocumentFetcher fetcher =
          new DocumentFetcher(
              options.limits(),
              options.documents(),
              ClientTls.load(options.trustedCertificates()),
              clock);
      DefinitionResources resources =
          new DefinitionResources(options.programs(), fetcher::open, options.secrets());
      return new DefinitionRegistry(
          options.limits(), store, options.around(), options.bindings(), resources, clock);
    } catch (IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static final class LaunchedEngine implements RunningEngine {
    private final Engine engine;
    private final BindingSource bindings;
    private final ExternalEvents events;
    private final Interceptor interceptor;

    LaunchedEngine(
        Engine engine, BindingSource bindings, ExternalEvents events, Interceptor interceptor) {
      this.engine = engine;
      this.bindings = bindings;
      this.events = events;
      this.interceptor = interceptor;
    }

    @Override
    public int port() {
      return engine.address().getPort();
    }

    @Override
    public boolean openToClients() throws IOException {
      return engine.openToClients();
    }

    @Override
    public @Nullable Heartbeat heartbeat() {
      try {
        long nanos = engine.ping().get(HEALTHY_ROUND.toMillis(), TimeUnit.MILLISECONDS);
        return new Heartbeat(
            nanos / 1_000,
            engine.running(),
            engine.connections(),
            bindings.current().version(),
            engine.isDiskFull(),
            Objects.requireNonNullElse(engine.refusingLimit(), ""));
      } catch (ExecutionException | TimeoutException e) {
        return null;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return null;
      }
    }

    @Override
    public void addChecks(Supplier<List<HealthCheck>> checks) {
      engine.addReadiness(
          () ->
              checks.get().stream()
                  .map(
                      each ->
                          new Readiness.Check(
                              each.name(), each.ready(), each.required(), each.detail()))
                  .toList());
    }

    @Override
    public void addMetrics(MetricFamilies families) {
      engine.addMetrics(families);
      bindings.addMetrics(families);
      interceptor.addMetrics(families);
      events.addMetrics(families);
    }

    @Override
    public void drain() {
      engine.drain();
    }

    @Override
    public boolean awaitDrained(Duration atMost) throws InterruptedException {
      long looks = Math.max(1, atMost.dividedBy(DRAIN_LOOK));
      CountDownLatch never = new CountDownLatch(1);
      for (long look = 0; look < looks; look++) {
        if (engine.isDrained()) {
          return true;
        }
        never.await(DRAIN_LOOK.toMillis(), TimeUnit.MILLISECONDS);
      }
      engine.endWaits();
      for (long look = 0; look < LAST_LOOKS && engine.answering() > 0; look++) {
        never.await(DRAIN_LOOK.toMillis(), TimeUnit.MILLISECONDS);
      }
      return false;
    }

    @Override
    public void close() {
      engine.close();
      bindings.close();
      events.close();
    }
  }
}
