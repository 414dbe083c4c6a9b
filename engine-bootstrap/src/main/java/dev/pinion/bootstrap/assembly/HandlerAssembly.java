package dev.pinion.bootstrap.assembly;

import dev.pinion.bootstrap.settings.SettingValues;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.stage.ThreadSetup;
import dev.pinion.handlers.ChainDocuments;
import dev.pinion.handlers.ChainInterceptor;
import dev.pinion.handlers.ChainRegistry;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.config.InvalidChainsException;
import dev.pinion.handlers.remote.HostSettings;
import dev.pinion.handlers.remote.RemoteHandlerProvider;
import dev.pinion.handlers.remote.RemoteSettings;
import dev.pinion.handlers.remote.transport.NatsSettings;
import dev.pinion.handlers.remote.transport.NatsTransport;
import dev.pinion.handlers.run.WorkerPool;
import dev.pinion.handlers.run.WorkerSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assembles the chains of handlers of a replica. */
final class HandlerAssembly {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerAssembly.class);

  private final EngineLimits limits;

  /** Started parts, in order; closed in reverse order. */
  private final List<AutoCloseable> begun = new ArrayList<>();

  private HandlerAssembly(EngineLimits limits) {
    this.limits = limits;
  }

  /**
   * The chains of documents, with workers on the CPUs of the plan.
   *
   * @param choice sources of handlers
   * @param kinds available kinds
   * @param cpus CPUs of the workers
   * @throws IOException when a document is refused, with all problems; when the limits require
   *     other workers than the plan; or when no NATS server can be reached
   */
  static Interceptor around(
      HandlerSources choice,
      EngineLimits limits,
      HandlerKinds kinds,
      HandlerCpus cpus,
      ThreadSetup threads)
      throws IOException {
    Path documents = choice.documents();
    if (documents == null) {
      return Interceptor.NONE;
    }
    HandlerAssembly assembly = new HandlerAssembly(limits);
    try {
      return assembly.chains(documents, choice, kinds, workers(limits, cpus, threads));
    } catch (InvalidChainsException e) {
      assembly.close();
      throw new IOException(
          "expected valid chains of handlers in " + documents + ", found " + e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      assembly.close();
      throw e;
    }
  }

  /** Workers according to the limits and the plan. */
  static WorkerSettings workers(EngineLimits limits, HandlerCpus cpus, ThreadSetup threads)
      throws IOException {
    try {
      return cpus.workers(limits, threads);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private Interceptor chains(
      Path documents, HandlerSources choice, HandlerKinds kinds, WorkerSettings workers)
      throws IOException, InvalidChainsException {
    NatsSettings nats = choice.nats();
    RemoteHandlerProvider remote = nats == null ? null : hosts(nats, choice.remote());
    WorkerPool pool = new WorkerPool(workers, Clock.system());
    begun.add(pool);
    return new ChainInterceptor(
        new ChainRegistry(new ChainReader(kinds, limits, remote), pool, limits),
        new ChainDocuments(documents, limits.handlers().maxDocumentBytes()),
        new PayloadCodec(limits.json()),
        begun.reversed(),
        remote == null ? List::of : () -> remote.health().metrics());
  }

  private RemoteHandlerProvider hosts(NatsSettings nats, RemoteSettings remote) throws IOException {
    NatsTransport transport = connect(nats);
    begun.add(transport);
    RemoteHandlerProvider places =
        new RemoteHandlerProvider(transport, HostSettings.PREFIX, limits, remote, Clock.system());
    begun.add(places);
    return places;
  }

  private static NatsTransport connect(NatsSettings nats) throws IOException {
    try {
      return NatsTransport.connect(nats, "pinion replica");
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException(
          "expected a NATS server at the address of --handlers-nats, found: "
              + SettingValues.withoutPasswords(String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while connecting to a NATS server", e);
    }
  }

  private void close() {
    for (AutoCloseable each : begun.reversed()) {
      try {
        each.close();
      } catch (Exception e) {
        LOG.debug("closing the parts that were started for handlers", e);
      }
    }
  }
}
