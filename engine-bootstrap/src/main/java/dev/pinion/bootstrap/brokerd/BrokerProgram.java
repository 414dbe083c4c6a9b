package dev.pinion.bootstrap.brokerd;

import dev.pinion.bootstrap.assembly.BindingTableFile;
import dev.pinion.bootstrap.brokerd.behaviour.BehaviourModel;
import dev.pinion.bootstrap.brokerd.behaviour.DeployedDefinitionScanner;
import dev.pinion.bootstrap.child.BrokerListener;
import dev.pinion.bootstrap.child.BrokerProtocol;
import dev.pinion.bootstrap.child.ChildProcess;
import dev.pinion.bootstrap.child.DataDirectoryCheck;
import dev.pinion.bootstrap.child.ParentPipe;
import dev.pinion.bootstrap.history.DatabaseTarget;
import dev.pinion.bootstrap.history.HistoryDatabase;
import dev.pinion.bootstrap.profile.recording.SelfProfiler;
import dev.pinion.bootstrap.protocol.ProfiledProcess;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.supervise.BrokerSupervisor;
import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.KnowledgeBase;
import dev.pinion.broker.registry.PlanInForce;
import dev.pinion.broker.service.BrokerService;
import dev.pinion.core.jq.ExpressionCompiler;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.HistoryLimits;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Life of the broker's process. It runs beside the replicas, which never wait for it: its garbage,
 * CPU time, native code and failures do not affect them.
 */
final class BrokerProgram {
  private static final Logger LOG = LoggerFactory.getLogger(BrokerProgram.class);
  private static final Clock CLOCK = Clock.system();

  /** Time between two checks whether another broker is still active. */
  private static final Duration LEASE_LOOK = Duration.ofMillis(100);

  private static final long CHECKS_PER_REPORT =
      BrokerSupervisor.REPORT_INTERVAL.dividedBy(LEASE_LOOK);

  /** Time after which handling changes, including solving, counts as hanging. */
  static final Duration LONGEST_LOOK = Duration.ofMinutes(10);

  /** Time limit of each program and solver. */
  private static final Duration SOLVER_LIMIT = Duration.ofSeconds(10);

  private final ParentPipe parent;

  /** End of the latest check for changes, by {@link #CLOCK}. */
  private volatile long lookedNanos = CLOCK.nanoTime();

  /** The active service; null before it answers any query. */
  private volatile @Nullable BrokerService deciding;

  /** Whether this broker is waiting for its turn: then that loop reports for it. */
  private volatile boolean waits;

  /** Model of the deployed definitions to plan for; null once the service has it. */
  private @Nullable BehaviourModel newlyDeployed;

  private BrokerProgram(ParentPipe parent) {
    this.parent = parent;
  }

  /**
   * Runs this JVM until it is asked to end.
   *
   * @return exit status
   */
  static int execute() throws InterruptedException {
    return ChildProcess.run((parent, _) -> new BrokerProgram(parent).run());
  }

  private int run() throws InterruptedException {
    try {
      EffectiveSettings settings = parent.settings();
      if (settings == null) {
        return ReplicaProtocol.EXIT_ORPHANED;
      }
      parent.follow(new SelfProfiler(ProfiledProcess.BROKER)::handle);
      DataDirectoryCheck.check(settings);
      parent
          .drain()
          .repeatUntilGiven("broker-beat", BrokerSupervisor.REPORT_INTERVAL, this::report);
      VerifiedSolver solver = VerifiedSolver.ofOrTools(Clock.system(), SOLVER_LIMIT);
      solver.warmUp(); // loads the native code, before any query is answered
      BrokerFolder folder = new BrokerFolder(settings.get(SettingKey.DATA));
      try (BrokerFolder.Lease lease = turn(folder)) {
        if (lease == null) {
          return 0;
        }
        lookedNanos = CLOCK.nanoTime();
        waits = false;
        try (KnowledgeBase knowledgeBase = knowledge(settings)) {
          BrokerService brokerService = service(settings, folder, solver, knowledgeBase);
          DeployedDefinitionScanner deployed =
              new DeployedDefinitionScanner(
                  settings.get(SettingKey.DATA).resolve("definitions"),
                  EngineLimits.defaults().with(settings.limits()));
          poll(brokerService, deployed);
          serve(settings, brokerService, deployed);
        }
      }
      return 0;
    } catch (IOException | IllegalArgumentException | IllegalStateException e) {
      LOG.error("the broker cannot work", e);
      return ReplicaProtocol.EXIT_CANNOT_START;
    }
  }

  /**
   * Waits while another broker is active for the folder; null when this one must end before its
   * turn.
   */
  private BrokerFolder.@Nullable Lease turn(BrokerFolder folder)
      throws IOException, InterruptedException {
    BrokerFolder.Lease lease = folder.lease();
    waits = lease == null;
    for (long look = 0; lease == null; look++) {
      if (look % CHECKS_PER_REPORT == 0) {
        parent.send(BrokerSupervisor.STANDBY);
      }
      if (parent.drain().await(LEASE_LOOK)) {
        return null;
      }
      lease = folder.lease();
    }
    return lease;
  }

  private void serve(
      EffectiveSettings settings, BrokerService brokerService, DeployedDefinitionScanner deployed)
      throws IOException, InterruptedException {
    EngineLimits limits = EngineLimits.defaults().with(settings.limits());
    EndpointProbes probes =
        new EndpointProbes(EndpointProbes.PATIENCE, EndpointProbes.callable(limits.invoker()));
    try (BrokerListener _ =
        BrokerListener.open(
            BrokerProtocol.socket(settings.get(ReplicaKey.RUN_DIRECTORY)), brokerService::handle)) {
      deciding = brokerService;
      Thread.ofPlatform().daemon().name("broker-probes").start(() -> probe(brokerService, probes));
      while (!parent.drain().await(BrokerSupervisor.REPORT_INTERVAL)) {
        poll(brokerService, deployed);
        lookedNanos = CLOCK.nanoTime();
      }
    }
  }

  /** The knowledge is stored in the database of the history. */
  private static KnowledgeBase knowledge(EffectiveSettings settings) throws IOException {
    Path data = settings.get(SettingKey.DATA);
    DatabaseTarget target =
        DatabaseTarget.ofKnowledge(
            settings.get(SettingKey.HISTORY),
            data,
            settings.get(SettingKey.HISTORY_USER),
            settings.get(SettingKey.HISTORY_PASSWORD));
    if (target == null) {
      return KnowledgeBase.NONE;
    }
    HistoryLimits limits = EngineLimits.defaults().with(settings.limits()).history();
    return JdbcKnowledge.open(
        new HistoryDatabase(target, limits, HistoryDatabase.SchemaOwner.BROKER),
        new BrokerFolder(data).engine(),
        limits,
        Clock.system());
  }

  private static BrokerService service(
      EffectiveSettings settings,
      BrokerFolder folder,
      VerifiedSolver solver,
      KnowledgeBase knowledgeBase)
      throws IOException {
    EngineLimits limits = EngineLimits.defaults().with(settings.limits());
    ExpressionCompiler compiler = new ExpressionCompiler(limits);
    return BrokerService.open(
        folder,
        new RegistryReader(source -> BindingTableFile.problem(compiler, source)),
        solver,
        Clock.system(),
        knowledgeBase);
  }

  private void poll(BrokerService brokerService, DeployedDefinitionScanner deployed) {
    try {
      deployed.changed().ifPresent(model -> newlyDeployed = model);
      BehaviourModel model = newlyDeployed;
      if (model != null) {
        brokerService.onDeployment(model.process(), model.definitions());
        newlyDeployed = null;
      }
    } catch (IOException e) {
      LOG.warn("deployed definitions cannot be read, or their model written; it is tried again", e);
    }
    try {
      brokerService.tick();
    } catch (IOException e) {
      LOG.warn("documents of the broker cannot be read or written; it is tried again", e);
    }
  }

  /** Probes services once a second, or as often as rounds allow. */
  private void probe(BrokerService brokerService, EndpointProbes probes) {
    try {
      while (!parent.drain().await(BrokerService.PROBE_INTERVAL)) {
        probeOnce(brokerService, probes);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs one round. Its failures do not prevent the next one. */
  private static void probeOnce(BrokerService brokerService, EndpointProbes probes) {
    try {
      brokerService.probe(probes::round);
    } catch (RuntimeException e) {
      LOG.error("expected a round of probes of services, but it failed; the next one follows", e);
    }
  }

  /**
   * Reports that the process is alive, even while it solves; but not when a check hangs: then the
   * parent starts another process.
   */
  private boolean report() {
    if (!waits && hangs(CLOCK.nanoTime() - lookedNanos)) {
      LOG.error(
          "expected a check of at most {}, found one that has not ended; the broker ends",
          LONGEST_LOOK);
      return false;
    }
    sendStatus();
    return true;
  }

  private void sendStatus() {
    BrokerService brokerService = deciding;
    if (brokerService != null) {
      PlanInForce plan = brokerService.plan();
      parent.send(BrokerSupervisor.PLAN + " " + plan.version() + " " + plan.state().label());
    } else if (!waits) {
      parent.send(BrokerSupervisor.STARTING);
    }
  }

  /** Whether a check that began this many nanoseconds ago hangs. */
  static boolean hangs(long sinceNanos) {
    return sinceNanos > LONGEST_LOOK.toNanos();
  }
}
