package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.assembly.EngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher.RunningEngine;
import dev.pinion.bootstrap.assembly.ReplicaAssembly;
import dev.pinion.bootstrap.assembly.ReplicaGroupProtocol;
import dev.pinion.bootstrap.child.DataDirectoryCheck;
import dev.pinion.bootstrap.datadir.DataDirectoryIdentity;
import dev.pinion.bootstrap.logging.LostLinesNotice;
import dev.pinion.bootstrap.process.LogPipe;
import dev.pinion.bootstrap.process.Signals;
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
import dev.pinion.core.partition.ReplicaGroup;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Life of a replica; its side of {@link ReplicaProtocol}.
 *
 * <p>The end of standard input ends the process at once, without shutdown hooks, so that no replica
 * outlives its parent, however busy it is.
 */
public final class ReplicaProgram {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaProgram.class);

  /** Time between two checks for the partitions of the own slot. */
  private static final Duration SLOT_POLL = Duration.ofMillis(5);

  /** Longest time for writing the last lines of the log. */
  private static final Duration LOG_PATIENCE = Duration.ofSeconds(1);

  private final ReplicaAssembly assembly;
  private final WarmUp warmUp;
  private final BufferedReader parent;
  private final PrintStream toParent;
  private final Runnable onParentGone;
  private final LongSupplier lostLines;
  private final Map<String, HealthCheck> checks = new ConcurrentSkipListMap<>();
  private final CountDownLatch drain = new CountDownLatch(1);

  /**
   * A program.
   *
   * @param launcher launcher of the engine
   * @param warmUp warm-up before it
   * @param in messages of the parent
   * @param out messages to the parent; nothing else may write to it
   * @param onParentGone run when the parent has ended
   * @param lostLines lost lines of the log
   */
  ReplicaProgram(
      EngineLauncher launcher,
      WarmUp warmUp,
      InputStream in,
      PrintStream out,
      Runnable onParentGone,
      LongSupplier lostLines) {
    this.lostLines = lostLines;
    this.warmUp = warmUp;
    this.onParentGone = onParentGone;
    this.assembly = new ReplicaAssembly(launcher);
    this.parent = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.toParent = out;
  }

  /**
   * Runs this JVM as a replica until it is asked to drain.
   *
   * @param launcher launcher of the engine
   * @param warmUp warm-up before it
   * @return exit status
   */
  static int execute(EngineLauncher launcher, WarmUp warmUp) throws InterruptedException {
    PrintStream toParent = System.out;
    LogPipe log = LogPipe.to("log", FileDescriptor.err, LostLinesNotice::line);
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    System.setOut(System.err);
    // A terminal sends its signals to every process; only the parent acts on them.
    Signals.handle("INT", () -> {});
    Signals.handle("HUP", () -> {});
    Runnable end = () -> Runtime.getRuntime().halt(ReplicaProtocol.EXIT_ORPHANED);
    ReplicaProgram program =
        new ReplicaProgram(launcher, warmUp, System.in, toParent, end, log::lostLines);
    Signals.handle("TERM", program.drain::countDown);
    int status = program.run();
    log.end(LOG_PATIENCE);
    return status;
  }

  /** Runs until asked to drain; returns the exit status. */
  int run() throws InterruptedException {
    EffectiveSettings settings;
    try {
      settings = EffectiveSettings.read(parent);
    } catch (IOException e) {
      return refuse(e);
    }
    if (settings == null) {
      return ReplicaProtocol.EXIT_ORPHANED;
    }
    ReplicaGroup replicaGroup = ReplicaGroupProtocol.group(settings);
    watchParent(
        replicaGroup, new SelfProfiler(ProfiledProcess.replica(settings.get(ReplicaKey.INDEX))));
    try (RunningEngine engine = warmed(settings, replicaGroup)) {
      engine.addChecks(() -> List.copyOf(checks.values()));
      send(ReplicaProtocol.JOINS);
      if (awaitSlotAndOpen(engine)) {
        send(ReplicaProtocol.READY + " " + engine.port());
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
    int answered = warmUp.run(settings, this::toDrain);
    LOG.debug("requests of the warm-up: {}", answered);
    return assembly.start(settings, replicaGroup);
  }

  private int refuse(Exception e) {
    LOG.debug("replica cannot start", e);
    send(ReplicaProtocol.REFUSED + " " + String.valueOf(e.getMessage()).replaceAll("\\R", " "));
    return e instanceof DataDirectoryIdentity.DataDirectoryLostException
        ? ReplicaProtocol.EXIT_DATA_LOST
        : ReplicaProtocol.EXIT_CANNOT_START;
  }

  /** Waits until the engine can serve; returns whether that came before the order to drain. */
  private boolean awaitSlotAndOpen(RunningEngine engine) throws IOException, InterruptedException {
    boolean drained = toDrain();
    while (!drained && !engine.openToClients()) {
      drained = drain.await(SLOT_POLL.toMillis(), TimeUnit.MILLISECONDS);
    }
    return !drained;
  }

  private boolean toDrain() {
    return drain.getCount() == 0;
  }

  private void sendHeartbeats(RunningEngine engine) throws InterruptedException {
    long interval = ReplicaProtocol.HEARTBEAT_INTERVAL.toMillis();
    while (!drain.await(interval, TimeUnit.MILLISECONDS)) {
      Heartbeat heartbeat = engine.heartbeat();
      if (heartbeat != null) {
        send(heartbeat.line());
        send(MetricsLine.of(engine.metrics() + ProcessMetrics.of(lostLines.getAsLong())));
      }
    }
  }

  private void send(String line) {
    toParent.println(line);
    toParent.flush();
  }

  private void watchParent(ReplicaGroup replicaGroup, SelfProfiler profiles) {
    Thread watch = new Thread(() -> listen(replicaGroup, profiles), "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private void check(String line) {
    HealthCheck check = HealthCheck.parse(line);
    if (check != null) {
      checks.put(check.name(), check);
    }
  }

  private void listen(ReplicaGroup replicaGroup, SelfProfiler profiles) {
    try {
      String line = parent.readLine();
      while (line != null) {
        if (line.equals(ReplicaProtocol.DRAIN)) {
          drain.countDown();
        } else if (line.startsWith(ReplicaProtocol.PEERS)) {
          ReplicaGroupProtocol.updatePeers(replicaGroup, line);
        } else if (line.startsWith(ReplicaProtocol.SLOTS)) {
          ReplicaGroupProtocol.updateSlots(replicaGroup, line);
        } else if (line.startsWith(ReplicaProtocol.CHECK)) {
          check(line);
        } else if (!profiles.handle(line)) {
          LOG.debug("the parent sent a line that is not understood: {}", line);
        }
        line = parent.readLine();
      }
    } catch (IOException e) {
      // A broken pipe means the same as its end.
    } finally {
      onParentGone.run(); // also when it sends an invalid line
    }
  }
}
