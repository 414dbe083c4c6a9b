package dev.pinion.bootstrap.serve;

import dev.pinion.bootstrap.admin.AdminRoutes;
import dev.pinion.bootstrap.admin.MachineStatus;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.ProbeTime;
import dev.pinion.bootstrap.cli.ProgressLine;
import dev.pinion.bootstrap.cli.topology.TopologyJson;
import dev.pinion.bootstrap.datadir.DataDirectory;
import dev.pinion.bootstrap.datadir.DataDirectoryIdentity;
import dev.pinion.bootstrap.datadir.DataDirectoryWatch;
import dev.pinion.bootstrap.datadir.DataSubdirectory;
import dev.pinion.bootstrap.datadir.OwnerOnlyPermissions;
import dev.pinion.bootstrap.logging.LogLineFormat;
import dev.pinion.bootstrap.placement.PlacementPlan;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.CollectorThreads;
import dev.pinion.bootstrap.process.CommandProbe;
import dev.pinion.bootstrap.process.ForkThread;
import dev.pinion.bootstrap.process.OpenFiles;
import dev.pinion.bootstrap.process.PipedProcess;
import dev.pinion.bootstrap.process.ReplicaStarter;
import dev.pinion.bootstrap.process.RunDirectory;
import dev.pinion.bootstrap.process.Signals;
import dev.pinion.bootstrap.process.StandardStreams;
import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.bootstrap.protocol.ReplicaStart;
import dev.pinion.bootstrap.settings.BrokerKey;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.supervise.AuxiliaryHealthChecks;
import dev.pinion.bootstrap.supervise.BrokerSupervisor;
import dev.pinion.bootstrap.supervise.CrashReporter;
import dev.pinion.bootstrap.supervise.CrashReports;
import dev.pinion.bootstrap.supervise.HistorySupervisor;
import dev.pinion.bootstrap.supervise.ScalingSettings;
import dev.pinion.bootstrap.supervise.SupervisionEvents;
import dev.pinion.bootstrap.supervise.Supervisor;
import dev.pinion.bootstrap.supervise.SupervisorListener;
import dev.pinion.bootstrap.supervise.SupervisorLog;
import dev.pinion.bootstrap.supervise.SupervisorSettings;
import dev.pinion.bootstrap.topology.DirectoryTree;
import dev.pinion.bootstrap.topology.MachineProbe;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.core.limits.EngineLimits;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parent process of {@code serve}: probes, plans, starts replicas and supervises them. */
final class ServeProgram {
  /** Main class of a replica; by name, so that the parent loads nothing of the engine. */
  static final String REPLICA_MAIN = "dev.pinion.bootstrap.replica.ReplicaMain";

  private final EffectiveSettings settings;
  private final String replicaMain;
  private final boolean keepsPort;
  private final ReadyLine readyLine;
  private final StandardStreams streams;
  private final ForkThread forks = new ForkThread();
  private final SupervisorLog log =
      new SupervisorLog(System.err, LogLineFormat.current() == LogLineFormat.JSON, Instant::now);
  private final SupervisionEvents events = new SupervisionEvents(log, Instant::now);

  /**
   * A program.
   *
   * @param replicaMain main class of replicas
   * @param keepsPort whether the port of a single replica stays open while the replica is restarted
   * @param streams non-blocking outputs for the log and the ready line
   */
  ServeProgram(
      EffectiveSettings settings,
      String replicaMain,
      boolean keepsPort,
      boolean json,
      StandardStreams streams) {
    this.settings = settings;
    this.streams = streams;
    this.keepsPort = keepsPort;
    this.replicaMain = replicaMain;
    this.readyLine =
        new ReadyLine(
            settings, json, new PrintWriter(System.out, true, System.out.charset()), log::error);
  }

  /** Serves until stopped; returns the exit status. */
  int run() throws CommandException, InterruptedException {
    ProbeTime.TimedResult<Topology> reading = ProbeTime.of(MachineProbe::probe);
    log.info(reading.time().toString());
    Topology topology = reading.value();
    topology.notes().forEach(log::info);
    PlacementPlan placementPlan = plan(topology);
    List<ReplicaSpec> places = placementPlan.replicas();
    placementPlan.decisions().forEach(log::info);
    logPlan(places);
    try (DataDirectory data = DataDirectory.open(settings.get(SettingKey.DATA), log::warn);
        RunDirectory meeting = RunDirectory.create(Path.of(System.getProperty("java.io.tmpdir")));
        ClientPort port =
            ClientPort.bind(
                dispatch(places), address(), meeting.path(), System::nanoTime, log::warn)) {
      int status = supervise(topology, placementPlan, port, meeting.path(), data.identity());
      log.info("stopped");
      return status;
    } catch (FileSystemException e) {
      throw new CommandException(
          ExitStatus.FAILURE,
          "expected a directory for data that can be written (--data), found that %s cannot: %s"
              .formatted(
                  e.getFile(),
                  e.getReason() == null ? e.getClass().getSimpleName() : e.getReason()));
    } catch (IOException e) {
      throw new CommandException(ExitStatus.FAILURE, String.valueOf(e.getMessage()));
    }
  }

  private int supervise(
      Topology topology,
      PlacementPlan placementPlan,
      ClientPort port,
      Path runDirectory,
      DataDirectoryIdentity identity)
      throws IOException, InterruptedException {
    OpenFiles.now().check();
    List<ReplicaSpec> places = placementPlan.replicas();
    logRepairedPermissions();
    Path crashes = DataSubdirectory.make(settings.get(SettingKey.DATA).resolve("crash"));
    ChildSettings planned =
        new ChildSettings(settings, identity, places, dispatch(places), port.port(), runDirectory);
    ChildCommandLines commands =
        forks.start(() -> new ChildCommandLines(settings, replicaMain, log::warn));
    HistorySupervisor keeper = history(commands, planned.ofOthers().lines(), places, crashes);
    CpuSharing sharing = new CpuSharing(DirectoryTree.live(), () -> keeper.status().pid());
    SupervisionListener supervisionListener = new SupervisionListener(port, places, sharing);
    CrashReporter reporter = new CrashReporter(new CrashReports(crashes), events);
    Supervisor supervisor =
        new Supervisor(
            planned.starts(),
            SupervisorSettings.of(
                settings.warmUp(),
                new RecoveryEstimate(settings.get(SettingKey.DATA).resolve("journal")),
                settings.get(SettingKey.SHUTDOWN_TIMEOUT),
                settings.get(SettingKey.RESTART_WINDOW),
                ScalingSettings.between(placementPlan.minReplicas(), places.size())),
            starter(commands, planned, crashes, sharing),
            events,
            reporter,
            supervisionListener,
            new Supervisor.Clocks(System::nanoTime, Instant::now));
    MachineStatus machine =
        new MachineStatus(
            () -> TopologyJson.of(topology, placementPlan).toString(),
            places,
            DirectoryTree.live());
    supervisionListener.masks =
        new ThreadPlacement(
            DirectoryTree.live(),
            new CollectorThreads(DirectoryTree.live(), new CommandProbe(), log::warn),
            pid -> ProcessHandle.of(pid).isPresent(),
            reason -> onWrongMasks(supervisor, reason));
    BrokerSupervisor broker = broker(commands, planned.ofOthers().lines(), places, crashes);
    boolean brokerRuns = settings.get(BrokerKey.MODE).runs(settings.get(SettingKey.DATA));
    supervisor.addChecks(
        () ->
            List.of(
                AuxiliaryHealthChecks.history(settings.keepsHistory(), keeper.status()),
                AuxiliaryHealthChecks.broker(brokerRuns, broker.status())));
    AdminRoutes pages =
        new AdminRoutes(
            supervisor,
            events,
            machine,
            new AdminRoutes.StatusSources(
                keeper::status,
                broker::status,
                broker::profile,
                port::handover,
                streams::lostLines));
    // closed after the replicas, whose last records the keeper writes
    try (keeper;
        broker;
        reporter;
        DataDirectoryWatch _ =
            DataDirectoryWatch.start(
                settings.get(SettingKey.DATA), identity, supervisor::dataLost, log::warn);
        AdminListener admin =
            AdminListener.open(
                settings.get(SettingKey.ADMIN_PORT),
                pages,
                settings.get(SettingKey.PUBLIC_HOSTS),
                log::info)) {
      supervisionListener.admin = admin.uri();
      Signals.handle("TERM", supervisor::stop);
      Signals.handle("INT", () -> interrupt(supervisor));
      Signals.handle("HUP", supervisor::hangUp); // nothing to reload yet
      if (settings.keepsHistory()) {
        keeper.start();
      }
      if (brokerRuns) {
        broker.start();
      }
      return supervisor.run();
    }
  }

  /** A terminal has printed {@code ^C} where the next line of the log begins. */
  private static void interrupt(Supervisor supervisor) {
    if (ProgressLine.hasTerminal()) {
      System.err.print(ProgressLine.CLEAR);
    }
    supervisor.stop();
  }

  private void logRepairedPermissions() throws IOException {
    String mended = OwnerOnlyPermissions.repair(settings.get(SettingKey.DATA));
    if (mended != null) {
      log.info(mended);
    }
  }

  private HistorySupervisor history(
      ChildCommandLines commands, String told, List<ReplicaSpec> places, Path crashes) {
    List<String> words = commands.ofHistory(places, crashes).words();
    List<String> afterFailure = new ArrayList<>(words);
    afterFailure.add(HistorySupervisor.AFTER_FAILURE);
    return new HistorySupervisor(
        (failed, processListener) -> fork(failed ? afterFailure : words, told, processListener),
        log::warn);
  }

  private BrokerSupervisor broker(
      ChildCommandLines commands, String told, List<ReplicaSpec> places, Path crashes) {
    return new BrokerSupervisor(
        brokerNatives(settings).stream()
            .map(
                natives ->
                    new BrokerSupervisor.BrokerSpec(
                        natives,
                        processListener ->
                            fork(
                                commands.ofBroker(places, crashes, natives).words(),
                                told,
                                processListener)))
            .toList(),
        log::warn);
  }

  private PipedProcess fork(
      List<String> words, String told, ReplicaStarter.ProcessListener processListener)
      throws IOException {
    return forks.start(() -> PipedProcess.start(words, told, processListener));
  }

  /** Folders for native code, one for each running broker: the second one is the standby. */
  static List<Path> brokerNatives(EffectiveSettings settings) {
    Path folder = settings.get(SettingKey.DATA).resolve("broker");
    return settings.get(BrokerKey.STANDBY)
        ? List.of(folder.resolve("native"), folder.resolve("native-standby"))
        : List.of(folder.resolve("native"));
  }

  private void onWrongMasks(Supervisor supervisor, String reason) {
    if (settings.get(SettingKey.BEST_EFFORT)) {
      log.warn(reason);
    } else {
      supervisor.fail(reason);
    }
  }

  private PlacementPlan plan(Topology topology) throws CommandException {
    try {
      PlacementPlan placementPlan = PlacementPlanner.plan(topology, settings.placement());
      for (ReplicaSpec spec : placementPlan.replicas()) {
        int loops = spec.loopsOfAStage();
        EngineLimits.forHeap(spec.heapBytes(), loops)
            .with(settings.limits())
            .requireFit(spec.heapBytes(), loops);
      }
      return placementPlan;
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitStatus.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private void logPlan(List<ReplicaSpec> places) {
    for (ReplicaSpec spec : places) {
      log.info(
          "replica "
              + spec.index()
              + " on CPUs "
              + spec.cpus()
              + ", layout "
              + spec.layout()
              + (spec.pinned() ? " pinned" : "")
              + ", heap "
              + (spec.heapBytes() >> 20)
              + " MB");
    }
  }

  /** One replica owns the port; several share it. */
  private DispatchMode dispatch(List<ReplicaSpec> places) {
    if (places.size() > 1) {
      return settings.get(SettingKey.DISPATCH);
    }
    return keepsPort ? DispatchMode.INHERITED : DispatchMode.DIRECT;
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(settings.get(SettingKey.HOST), settings.get(SettingKey.PORT));
  }

  private ReplicaStarter starter(
      ChildCommandLines commands, ChildSettings planned, Path crashes, CpuSharing sharing)
      throws IOException {
    List<ReplicaSpec> places = planned.places();
    for (ReplicaSpec spec : places) {
      // missing commands are reported before anything starts
      var _ = commands.of(spec, crashes);
    }
    return (ReplicaStart replica, ReplicaStarter.ProcessListener processListener) ->
        forks.start(
            () -> {
              List<String> words = commands.forStart(places.get(replica.index()), crashes).words();
              String settings = planned.of(replica).lines();
              return sharing.start(() -> PipedProcess.start(words, settings, processListener));
            });
  }

  /** Forwards events of the supervisor. */
  private final class SupervisionListener implements SupervisorListener {
    private final ClientPort port;
    private final List<ReplicaSpec> places;
    private final CpuSharing sharing;
    private @Nullable URI admin;
    private @Nullable ThreadPlacement masks;

    /** Used by the supervisor's thread only. */
    private final ReadinessTasks arranging =
        new ReadinessTasks(ReadinessTasks.MAX_WAIT, System::nanoTime);

    SupervisionListener(ClientPort port, List<ReplicaSpec> places, CpuSharing sharing) {
      this.port = port;
      this.places = places;
      this.sharing = sharing;
    }

    @Override
    public void onServing(ServingReplica replica) {
      ReplicaSpec spec = places.get(replica.index());
      if (masks != null && MachineProbe.onLinux()) {
        arranging.add(masks.start(spec, replica.pid()));
      }
      sharing.serves(spec, replica.pid()).ifPresent(arranging::add);
    }

    @Override
    public void onServingChanged(Set<Integer> replicas) {
      port.onServingChanged(replicas);
    }

    @Override
    public void onReady(List<ServingReplica> replicas) {
      int clients = port.port() == 0 ? replicas.getFirst().port() : port.port();
      readyLine.announce(clients, admin, replicas, arranging);
    }
  }
}
