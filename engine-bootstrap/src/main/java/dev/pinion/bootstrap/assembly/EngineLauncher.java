package dev.pinion.bootstrap.assembly;

import dev.pinion.bootstrap.placement.IdleStrategies;
import dev.pinion.bootstrap.protocol.HealthCheck;
import dev.pinion.bootstrap.protocol.Heartbeat;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.resource.AllowedDocuments;
import dev.pinion.core.secret.SecretSource;
import dev.pinion.core.settings.ListenSpec;
import dev.pinion.core.settings.StageLayout;
import dev.pinion.core.spi.BrokerGateway;
import dev.pinion.core.spi.DefinitionCatalog;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.spi.History;
import dev.pinion.core.stage.ThreadSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts engines: the interface of the engine to the bootstrap, and all that the bootstrap knows of
 * it.
 */
public interface EngineLauncher {
  /**
   * Starts an engine that serves as soon as clients are {@linkplain RunningEngine#openToClients let
   * in}.
   *
   * @throws IOException when it cannot listen or its data cannot be used; the message has the
   *     reason
   */
  RunningEngine launch(Options options) throws IOException;

  /**
   * A store of definitions in memory, for checking them without an engine.
   *
   * @param documents where the documents may be to which they refer
   */
  DefinitionCatalog definitions(EngineLimits limits, AllowedDocuments documents);

  /**
   * Options of an engine.
   *
   * @param entrance entrance of clients
   * @param definitionsDirectory folder of deployed definitions, or null for memory only
   * @param durability durability of instances whose definition states none
   * @param journalDirectory folder of its instances, or null for memory only
   * @param layout its event loops
   * @param waiting behaviour of idle event loops
   * @param limits its limits
   * @param around interception of messages on their way in and out
   * @param bindings binding of abstract services
   * @param threads prepares the threads of the engine
   * @param trustedCertificates PEM file of certificates that calls trust besides the system's, or
   *     null
   * @param programs kinds of programs that tasks may run
   * @param documents where the documents may be to which definitions refer
   * @param secrets source of the secrets of calls
   * @param history history of instances
   * @param broker decides about services and contracts
   * @param events receives external events; closed with the engine
   */
  record Options(
      ListenSpec entrance,
      @Nullable Path definitionsDirectory,
      Durability durability,
      @Nullable Path journalDirectory,
      StageLayout layout,
      IdleStrategies waiting,
      EngineLimits limits,
      Interceptor around,
      BindingSource bindings,
      ThreadSetup threads,
      @Nullable Path trustedCertificates,
      Set<Program.Kind> programs,
      AllowedDocuments documents,
      SecretSource secrets,
      History history,
      BrokerGateway broker,
      ExternalEvents events) {}

  /** A serving engine. For any thread. */
  interface RunningEngine extends AutoCloseable {
    /** Port on which it listens. */
    int port();

    /**
     * Admits clients if it is assigned its own slot and holds all of its partitions, as serving
     * requires.
     *
     * @return whether they are admitted
     * @throws IOException when listening fails
     */
    boolean openToClients() throws IOException;

    /**
     * Status of the engine. Waits until every event loop has turned.
     *
     * @return the heartbeat for the parent, or null when an event loop does not turn
     */
    @Nullable Heartbeat heartbeat();

    /** Adds the present metrics of the engine, its handlers and its bindings. */
    void addMetrics(MetricFamilies families);

    /** Adds the latest checks of other processes to readiness. */
    void addChecks(Supplier<List<HealthCheck>> checks);

    /** Turns readiness to false and refuses starts from now on. */
    void drain();

    /**
     * Waits until no work is under way.
     *
     * @return whether that was reached within the time
     */
    boolean awaitDrained(Duration atMost) throws InterruptedException;

    /** Stops immediately. */
    @Override
    void close();
  }
}
