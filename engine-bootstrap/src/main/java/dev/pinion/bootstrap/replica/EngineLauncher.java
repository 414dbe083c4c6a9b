package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.placement.Layout;
import dev.pinion.bootstrap.placement.Waiting;
import dev.pinion.bootstrap.process.Beat;
import dev.pinion.bootstrap.process.HealthCheck;
import dev.pinion.core.engine.Entrance;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.spi.Around;
import dev.pinion.core.spi.BindingSource;
import dev.pinion.core.spi.BrokerFront;
import dev.pinion.core.spi.Definitions;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.spi.History;
import dev.pinion.core.stage.ThreadSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Starts engines. What the bootstrap asks of the engine, and all it knows of it. */
public interface EngineLauncher {
  /**
   * Starts an engine that serves as soon as clients are {@linkplain RunningEngine#letClientsIn let
   * in}.
   *
   * @throws IOException when it cannot listen or its data cannot be used; the message tells why
   */
  RunningEngine launch(Options options) throws IOException;

  /** A place for definitions in memory, for checking documents without an engine. */
  Definitions definitions(EngineLimits limits);

  /**
   * How an engine runs.
   *
   * @param entrance how clients come in
   * @param definitionsDirectory where deployed definitions are kept, or null for memory only
   * @param durability what survives of instances whose definition does not say
   * @param journalDirectory where its instances are kept, or null for memory only
   * @param layout its event loops
   * @param waiting what idle event loops do
   * @param limits its limits
   * @param around what happens to messages on their way in and out
   * @param bindings what binds abstract services
   * @param threads prepares the threads of the engine
   * @param trustedCertificates PEM file of certificates that calls trust besides the system's, or
   *     null
   * @param history what is known of the past
   * @param broker decides about services and contracts
   * @param events takes what happened outside; closed with the engine
   */
  record Options(
      Entrance entrance,
      @Nullable Path definitionsDirectory,
      Durability durability,
      @Nullable Path journalDirectory,
      Layout layout,
      Waiting waiting,
      EngineLimits limits,
      Around around,
      BindingSource bindings,
      ThreadSetup threads,
      @Nullable Path trustedCertificates,
      History history,
      BrokerFront broker,
      ExternalEvents events) {}

  /** An engine that serves. Any thread. */
  interface RunningEngine extends AutoCloseable {
    /** The port it listens on. */
    int port();

    /**
     * Lets clients in if it is assigned its own slot and holds everything of it, as it must to
     * serve.
     *
     * @return whether they are let in
     * @throws IOException when the address cannot be listened to
     */
    boolean letClientsIn() throws IOException;

    /**
     * How it is. Waits for every event loop to come round.
     *
     * @return what to tell the parent, or null when an event loop does not turn
     */
    @Nullable Beat beat();

    /**
     * What it counts beside that, as text of Prometheus (exposition format 0.0.4); empty for
     * nothing.
     */
    String metrics();

    /** Adds checks of other processes, as they were last told, to what readiness tells. */
    void addChecks(Supplier<List<HealthCheck>> checks);

    /** Turns readiness to false and refuses starts from now on. */
    void drain();

    /**
     * Waits until nothing is under way.
     *
     * @return whether that came to pass within the time
     */
    boolean awaitDrained(Duration atMost) throws InterruptedException;

    /** Stops at once. */
    @Override
    void close();
  }
}
