package dev.pinion.core.engine;

import dev.pinion.core.invoker.Invoker;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.settings.EngineSettings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections to services that are opened before clients are admitted: every Invoker opens one to
 * each service that a deployed definition calls by a constant address, up to {@code
 * start.connectAhead} services.
 *
 * <p>A service that does not answer does not keep an engine from starting: a connection that is not
 * open after {@code invoker.connectTimeoutMillis} is left to the first call. A connection that no
 * call uses is closed after {@code invoker.idleTimeoutMillis}, like any other. Used by the thread
 * that starts the engine.
 */
final class ConnectionWarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionWarmUp.class);

  private final List<String> origins;
  private final int patienceMillis;
  private final List<CompletableFuture<Invoker>> settled = new ArrayList<>();

  private ConnectionWarmUp(List<String> origins, int patienceMillis) {
    this.origins = origins;
    this.patienceMillis = patienceMillis;
  }

  /** The connections of an engine, by its settings. */
  static ConnectionWarmUp of(EngineSettings settings) {
    int most = settings.limits().start().connectAhead();
    return new ConnectionWarmUp(
        most == 0 ? List.of() : origins(settings.definitions().list(null, null), most),
        settings.limits().invoker().connectTimeoutMillis());
  }

  /** Origins of the calls of definitions, each once, in the order of the definitions. */
  static List<String> origins(List<DeployedDefinition> definitions, int most) {
    Set<String> all = new LinkedHashSet<>();
    for (DeployedDefinition definition : definitions) {
      all.addAll(definition.origins());
    }
    if (all.size() > most) {
      LOG.info(
          "definitions call {} services; connections ahead of calls are opened to {} of them"
              + " (start.connectAhead)",
          all.size(),
          most);
    }
    return all.stream().limit(most).toList();
  }

  /** Lets an Invoker open its connections. */
  void begin(Invoker invoker, Executor loop) {
    if (!origins.isEmpty()) {
      CompletableFuture<Invoker> done = new CompletableFuture<>();
      settled.add(done);
      loop.execute(() -> invoker.connectAhead(origins, () -> done.complete(invoker)));
    }
  }

  /** Waits until the connections of every Invoker are open or have failed, or for the time-out. */
  void await() {
    try {
      CompletableFuture.allOf(settled.toArray(new CompletableFuture<?>[0]))
          .get(patienceMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.info(
          "connections ahead of calls were not all open after {} ms"
              + " (invoker.connectTimeoutMillis); the rest is left to the first calls",
          patienceMillis);
    } catch (ExecutionException e) {
      LOG.warn("connections ahead of calls could not be opened", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
