package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.assembly.EngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher.RunningEngine;
import dev.pinion.bootstrap.assembly.ReplicaAssembly;
import dev.pinion.bootstrap.assembly.ReplicaGroupProtocol;
import dev.pinion.bootstrap.child.ChildProcess;
import dev.pinion.bootstrap.child.DataDirectoryCheck;
import dev.pinion.bootstrap.child.ParentPipe;
import dev.pinion.bootstrap.datadir.DataDirectoryIdentity;
import dev.pinion.bootstrap.profile.recording.SelfProfiler;
import dev.pinion.bootstrap.protocol.HealthCheck;
import dev.pinion.bootstrap.protocol.Heartbeat;
import dev.pinion.bootstrap.protocol.MetricsLine;
import dev.pinion.bootstrap.protocol.ProfiledProcess;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.warmup.WarmUp;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.partition.ReplicaGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Life of a replica; its side of {@link ReplicaProtocol}. */
public final class ReplicaProgram {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaProgram.class);

  /** Time between two checks for the partitions of the own slot. */
  private static final Duration SLOT_POLL = Duration.ofMillis(5);

  private final ReplicaAssembly assembly;
  private final WarmUp warmUp;
  private final ParentPipe parent;
  private final LongSupplier lostLines;
  private final Map<String, HealthCheck> checks = new ConcurrentSkipListMap<>();

  /**
   * A program.
   *
   * @param launcher launcher of the engine
   * @param warmUp warm-up before it
   * @param parent connection to the parent
   * @param lostLines lost lines of the log
   */
  ReplicaProgram(
      EngineLauncher launcher, WarmUp warmUp, ParentPipe parent, LongSupplier lostLines) {
    this.lostLines = lostLines;
    this.warmUp = warmUp;
    this.assembly = new ReplicaAssembly(launcher);
    this.parent = parent;
  }

  /**
   * Runs this JVM as a replica until it is asked to drain.
   *
   * @param launcher launcher of the engine
   * @param warmUp warm-up before it
   * @return exit status
   */
  static int execute(EngineLauncher launcher, WarmUp warmUp) throws InterruptedException {
    return ChildProcess.run(
        (parent, lostLines) -> {
          parent.drain().giveBy("TERM");
          return new ReplicaProgram(launcher, warmUp, parent, lostLines).run();
        });
  }

  /** Runs until asked to drain; returns the exit status. */
  int run() throws InterruptedException {
    EffectiveSettings settings;
    try {
      settings = parent.settings();
    } catch (IOException e) {
      return refuse(e);
    }
    if (settings == null) {
      return ReplicaProtocol.EXIT_ORPHANED;
    }
    ReplicaGroup replicaGroup = ReplicaGroupProtocol.group(settings);
    SelfProfiler profiles =
        new SelfProfiler(ProfiledProcess.replica(settings.get(ReplicaKey.INDEX)));
    parent.follow(line -> handle(line, replicaGroup) || profiles.handle(line));
    try (RunningEngine engine = warmed(settings, replicaGroup)) {
      engine.addChecks(() -> List.copyOf(checks.values()));
      parent.send(ReplicaProtocol.JOINS);
      if (awaitSlotAndOpen(engine)) {
        parent.send(ReplicaProtocol.READY + " " + engine.port());
        sendHeartbeats(engine);
      }
      engine.drain();
      Duration patience = settings.get(SettingKey.SHUTDOWN_TIMEOUT);
      boolean finished = engine.awaitDrained(patience);
      if (!finished) {
        LOG.warn("instances were still under way after {} ms", patience.toMillis());
      }
      return 0;
    } catch (IOException
        | UncheckedIOException
        | IllegalArgumentException
        | IllegalStateException e) {
      return refuse(e);
    }
  }

  private RunningEngine warmed(EffectiveSettings settings, ReplicaGroup replicaGroup)
      throws IOException {
    DataDirectoryCheck.check(settings);
    int answered = warmUp.run(settings, parent.drain()::isGiven);
    LOG.debug("requests of the warm-up: {}", answered);
    return assembly.start(settings, replicaGroup);
  }

  private int refuse(Exception e) {
    LOG.debug("replica cannot start", e);
    parent.send(
        ReplicaProtocol.REFUSED + " " + String.valueOf(e.getMessage()).replaceAll("\\R", " "));
    return e instanceof DataDirectoryIdentity.DataDirectoryLostException
        ? ReplicaProtocol.EXIT_DATA_LOST
        : ReplicaProtocol.EXIT_CANNOT_START;
  }

  /** Waits until the engine can serve; returns whether that came before the order to drain. */
  private boolean awaitSlotAndOpen(RunningEngine engine) throws IOException, InterruptedException {
    boolean drained = parent.drain().isGiven();
    while (!drained && !engine.openToClients()) {
      drained = parent.drain().await(SLOT_POLL);
    }
    return !drained;
  }

  private void sendHeartbeats(RunningEngine engine) throws InterruptedException {
    ProcessMetrics process = new ProcessMetrics();
    while (!parent.drain().await(ReplicaProtocol.HEARTBEAT_INTERVAL)) {
      Heartbeat heartbeat = engine.heartbeat();
      if (heartbeat != null) {
        parent.send(heartbeat.line());
        MetricFamilies families = new MetricFamilies();
        engine.addMetrics(families);
        process.addMetrics(lostLines.getAsLong(), families);
        parent.send(MetricsLine.of(families.text()));
      }
    }
  }

  private void check(String line) {
    HealthCheck check = HealthCheck.parse(line);
    if (check != null) {
      checks.put(check.name(), check);
    }
  }

  private boolean handle(String line, ReplicaGroup replicaGroup) {
    if (line.startsWith(ReplicaProtocol.PEERS)) {
      ReplicaGroupProtocol.updatePeers(replicaGroup, line);
    } else if (line.startsWith(ReplicaProtocol.SLOTS)) {
      ReplicaGroupProtocol.updateSlots(replicaGroup, line);
    } else if (line.startsWith(ReplicaProtocol.CHECK)) {
      check(line);
    } else {
      return false;
    }
    return true;
  }
}
