package dev.pinion.bootstrap.assembly;

import dev.pinion.bootstrap.process.OpenFiles;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.settings.StageLayout;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Divides the file descriptors of a replica, before any of them is used:
 *
 * <pre>
 *   limit of open files = open now + files + loops + other replicas + clients + calls
 * </pre>
 *
 * <p>Connections receive the rest after files, and the limits of the engine are lowered
 * accordingly: clients wait in the backlog and calls for a connection, instead of the journal for a
 * file.
 *
 * @param files open ones, and the need of files
 * @param peers connections to and from all other replicas
 * @param clients connections of clients
 * @param calls connections of all Invokers
 */
record DescriptorBudget(int files, int peers, int clients, int calls) {
  /** Files of journal, snapshots, definitions, claims, events, crash reports; libraries, logs. */
  private static final int FILES = 96;

  /** An event loop has one for epoll and two for wake-ups. */
  private static final int PER_LOOP = 3;

  /** Loops of journal, snapshots, moves and NATS. */
  private static final int OTHER_LOOPS = 4;

  /** A connection of the database of the history: file, log and shared memory. */
  private static final int PER_READER = 4;

  private static final Logger LOG = LoggerFactory.getLogger(DescriptorBudget.class);

  /**
   * The limits of a replica, lowered where the limit of open files requires it.
   *
   * @throws IOException when the limit is too low for any replica
   */
  static EngineLimits limits(EffectiveSettings settings) throws IOException {
    OpenFiles files = OpenFiles.now();
    files.check();
    StageLayout stageLayout = settings.get(ReplicaKey.LAYOUT);
    int loops = stageLayout.loopsOfAStage();
    EngineLimits wanted =
        EngineLimits.forHeap(Runtime.getRuntime().maxMemory(), loops).with(settings.limits());
    DescriptorBudget budget = of(files, wanted, stageLayout, settings.get(ReplicaKey.SLOTS));
    EngineLimits limits = budget.applyTo(wanted, stageLayout, settings.get(ReplicaKey.SLOTS));
    if (limits.request().maxConnections() < wanted.request().maxConnections()) {
      LOG.warn(
          "the limit of {} open files leaves {} connections of clients"
              + " (request.maxConnections {}) and {} of calls: raise it (ulimit -n, or"
              + " LimitNOFILE= of a systemd unit) for more",
          files.limit(),
          budget.clients(),
          wanted.request().maxConnections(),
          budget.calls());
    }
    return limits;
  }

  /**
   * Divides descriptors.
   *
   * @param replicas most replicas, including this one
   */
  static DescriptorBudget of(
      OpenFiles found, EngineLimits limits, StageLayout stageLayout, int replicas) {
    int loops =
        stageLayout.requestHandlers()
            + stageLayout.kernels()
            + stageLayout.invokers()
            + OTHER_LOOPS;
    int files = found.open() + FILES + PER_LOOP * loops + PER_READER * limits.history().readers();
    int rest = Math.max(0, found.limit() - files);
    int peers = replicas == 1 ? 0 : rest / 4;
    int connections = rest - peers;
    int wanted = limits.request().maxConnections();
    int calls = stageLayout.invokers() * limits.invoker().maxConnections();
    int clients = Math.min(wanted, Math.max(connections / 8 * 5, connections - calls));
    return new DescriptorBudget(files, peers, clients, Math.min(calls, connections - clients));
  }

  /**
   * The limits within the budget.
   *
   * @param replicas most replicas, as for {@link #of}
   */
  EngineLimits applyTo(EngineLimits limits, StageLayout stageLayout, int replicas) {
    Map<String, Integer> lowered = new LinkedHashMap<>();
    lowered.put("request.maxConnections", Math.max(1, clients));
    int each = Math.max(1, calls / stageLayout.invokers());
    lowered.put("invoker.maxConnections", each);
    lowered.put(
        "invoker.maxConnectionsPerService",
        Math.min(each, limits.invoker().maxConnectionsPerService()));
    if (replicas > 1) {
      // as many come in from each as go out to it
      int lines = 2 * (replicas - 1) * stageLayout.requestHandlers();
      lowered.put(
          "request.maxPeerConnections",
          Math.clamp(peers / lines, 1, limits.request().maxPeerConnections()));
    }
    return limits.with(lowered);
  }
}
