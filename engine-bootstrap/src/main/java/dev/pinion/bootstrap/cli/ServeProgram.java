package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.admin.AdminPages;
import dev.pinion.bootstrap.admin.MachinePicture;
import dev.pinion.bootstrap.config.ServeSettings;
import dev.pinion.bootstrap.logging.LogFormat;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.Plan;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.BrokerKeeper;
import dev.pinion.bootstrap.process.DataIdentity;
import dev.pinion.bootstrap.process.DataSubfolder;
import dev.pinion.bootstrap.process.Dispatch;
import dev.pinion.bootstrap.process.ForkThread;
import dev.pinion.bootstrap.process.HistoryKeeper;
import dev.pinion.bootstrap.process.KeptChecks;
import dev.pinion.bootstrap.process.OpenFiles;
import dev.pinion.bootstrap.process.OwnerOnly;
import dev.pinion.bootstrap.process.ReplicaProcess;
import dev.pinion.bootstrap.process.ReplicaSettings;
import dev.pinion.bootstrap.process.ReplicaStarter;
import dev.pinion.bootstrap.process.RunDirectory;
import dev.pinion.bootstrap.process.Signals;
import dev.pinion.bootstrap.process.StandardStreams;
import dev.pinion.bootstrap.supervise.CrashReporter;
import dev.pinion.bootstrap.supervise.CrashReports;
import dev.pinion.bootstrap.supervise.DataFolder;
import dev.pinion.bootstrap.supervise.DataWatch;
import dev.pinion.bootstrap.supervise.EventLog;
import dev.pinion.bootstrap.supervise.ScalingSettings;
import dev.pinion.bootstrap.supervise.SupervisionEvents;
import dev.pinion.bootstrap.supervise.Supervisor;
import dev.pinion.bootstrap.supervise.SupervisorListener;
import dev.pinion.bootstrap.supervise.SupervisorSettings;
import dev.pinion.bootstrap.topology.DirectoryTree;
import dev.pinion.bootstrap.topology.MachineProbe;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.core.model.EngineLimits;
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

  private final ServeSettings settings;
  private final String replicaMain;
  private final boolean keepsPort;
  private final ReadyLine readyLine;
  private final StandardStreams streams;
  private final ForkThread forks = new ForkThread();
  private final EventLog log =
      new EventLog(System.err, LogFormat.current() == LogFormat.JSON, Instant::now);
  private final SupervisionEvents events = new SupervisionEvents(log, Instant::now);

  /**
   * A program.
   *
   * @param replicaMain main class of replicas
   * @param keepsPort whether the port of a single replica stays open while the replica is restarted
   * @param streams non-blocking outputs for the log and the ready line
   */
  ServeProgram(
      ServeSettings settings,
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
  int run() throws CommandFailure, InterruptedException {
    ReadingTime.Timed<Topology> reading = ReadingTime.of(MachineProbe::probe);
    log.info(reading.time().toString());
    Topology topology = reading.value();
    topology.notes().forEach(log::info);
    Plan plan = plan(topology);
    List<ReplicaSpec> places = plan.replicas();
    plan.decisions().forEach(log::info);
    tell(places);
    try (DataFolder data = DataFolder.open(settings.data(), log::warn);
        RunDirectory meeting = RunDirectory.create(Path.of(System.getProperty("java.io.tmpdir")));
        ClientPort port =
            ClientPort.take(
                dispatch(places), address(), meeting.path(), System::nanoTime, log::warn)) {
      int status = supervise(topology, plan, port, meeting.path(), data.identity());
      log.info("stopped");
      return status;
    } catch (FileSystemException e) {
      throw new CommandFailure(
          ExitStatus.FAILURE,
          "expected a directory for data that can be written (--data), found that %s cannot: %s"
              .formatted(
                  e.getFile(),
                  e.getReason() == null ? e.getClass().getSimpleName() : e.getReason()));
    } catch (IOException e) {
      throw new CommandFailure(ExitStatus.FAILURE, String.valueOf(e.getMessage()));
    }
  }

  private int supervise(
      Topology topology, Plan plan, ClientPort port, Path runDirectory, DataIdentity identity)
      throws IOException, InterruptedException {
    OpenFiles.now().check();
    List<ReplicaSpec> places = plan.replicas();
    tellMended();
    Path crashes = DataSubfolder.make(settings.data().resolve("crash"));
    PlannedSettings planned =
        new PlannedSettings(
            settings, identity, places, dispatch(places), port.port(), runDirectory);
    ReplicaCommands commands =
        forks.start(() -> new ReplicaCommands(settings, replicaMain, log::warn));
    HistoryKeeper keeper =
        history(commands, planned.of(places.getFirst()).toJson(), places, crashes);
    CpuSharing sharing = new CpuSharing(DirectoryTree.live(), () -> keeper.picture().pid());
    Told told = new Told(port, places, sharing);
    CrashReporter reporter = new CrashReporter(new CrashReports(crashes), events);
    Supervisor supervisor =
        new Supervisor(
            places.stream().map(planned::of).toList(),
            SupervisorSettings.of(
                new RecoveryTime(settings.data().resolve("journal")),
                settings.shutdownTimeout(),
                settings.restartWindow(),
                ScalingSettings.between(plan.minReplicas(), places.size())),
            starter(commands, places, crashes, sharing),
            events,
            reporter,
            told,
            new Supervisor.Time(System::nanoTime, Instant::now));
    MachinePicture machine =
        new MachinePicture(
            () -> TopologyJson.of(topology, plan).toString(), places, DirectoryTree.live());
    told.masks =
        new MaskCheck(
            DirectoryTree.live(),
            pid -> ProcessHandle.of(pid).isPresent(),
            reason -> misplaced(supervisor, reason));
    BrokerKeeper broker = broker(commands, planned.of(places.getFirst()).toJson(), places, crashes);
    boolean brokerRuns = settings.broker().runs(settings.data());
    supervisor.checksAlso(
        () ->
            List.of(
                KeptChecks.history(settings.history().isKept(), keeper.picture()),
                KeptChecks.broker(brokerRuns, broker.picture())));
    AdminPages pages =
        new AdminPages(
            supervisor,
            events,
            machine,
            new AdminPages.Beside(
                keeper::picture,
                broker::picture,
                broker::profile,
                port::handover,
                streams::lostLines));
    // closed after the replicas, whose last records the keeper writes
    try (keeper;
        broker;
        reporter;
        DataWatch _ = DataWatch.begin(settings.data(), identity, supervisor::dataLost, log::warn);
        AdminListener admin =
            AdminListener.open(settings.adminPort(), pages, settings.publicHosts(), log::info)) {
      told.admin = admin.uri();
      Signals.handle("TERM", supervisor::stop);
      Signals.handle("INT", () -> interrupt(supervisor));
      Signals.handle("HUP", supervisor::hangUp); // nothing to reload yet
      if (settings.history().isKept()) {
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

  private void tellMended() throws IOException {
    String mended = OwnerOnly.mend(settings.data());
    if (mended != null) {
      log.info(mended);
    }
  }

  private HistoryKeeper history(
      ReplicaCommands commands, String told, List<ReplicaSpec> places, Path crashes) {
    List<String> words = commands.ofHistory(places, crashes).words();
    List<String> afterFailure = new ArrayList<>(words);
    afterFailure.add(HistoryKeeper.AFTER_FAILURE);
    return new HistoryKeeper(
        (failed, listener) -> fork(failed ? afterFailure : words, told, listener), log::warn);
  }

  private BrokerKeeper broker(
      ReplicaCommands commands, String told, List<ReplicaSpec> places, Path crashes) {
    return new BrokerKeeper(
        brokerNatives(settings).stream()
            .map(
                natives ->
                    new BrokerKeeper.Place(
                        natives,
                        listener ->
                            fork(
                                commands.ofBroker(places, crashes, natives).words(),
                                told,
                                listener)))
            .toList(),
        log::warn);
  }

  private ReplicaProcess fork(List<String> words, String told, ReplicaStarter.Listener listener)
      throws IOException {
    return forks.start(() -> ReplicaProcess.start(words, told, listener));
  }

  /** Folders for native code, one for each running broker: the second one is the standby. */
  static List<Path> brokerNatives(ServeSettings settings) {
    Path folder = settings.data().resolve("broker");
    return settings.brokerStandby()
        ? List.of(folder.resolve("native"), folder.resolve("native-standby"))
        : List.of(folder.resolve("native"));
  }

  private void misplaced(Supervisor supervisor, String reason) {
    if (settings.bestEffort()) {
      log.warn(reason);
    } else {
      supervisor.fail(reason);
    }
  }

  private Plan plan(Topology topology) throws CommandFailure {
    try {
      Plan plan = PlacementPlanner.plan(topology, settings.placement());
      for (ReplicaSpec spec : plan.replicas()) {
        EngineLimits.forHeap(spec.heapBytes()).with(settings.limits()).requireFit(spec.heapBytes());
      }
      return plan;
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitStatus.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private void tell(List<ReplicaSpec> places) {
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
  private Dispatch dispatch(List<ReplicaSpec> places) {
    if (places.size() > 1) {
      return settings.dispatch();
    }
    return keepsPort ? Dispatch.INHERITED : Dispatch.DIRECT;
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(settings.host(), settings.port());
  }

  private ReplicaStarter starter(
      ReplicaCommands commands, List<ReplicaSpec> places, Path crashes, CpuSharing sharing)
      throws IOException {
    for (ReplicaSpec spec : places) {
      // missing commands are reported before anything starts
      var _ = commands.of(spec, crashes);
    }
    return (ReplicaSettings replica, ReplicaStarter.Listener listener) ->
        forks.start(
            () -> {
              List<String> words = commands.forStart(places.get(replica.index()), crashes).words();
              return sharing.start(() -> ReplicaProcess.start(words, replica.toJson(), listener));
            });
  }

  /** Forwards events of the supervisor. */
  private final class Told implements SupervisorListener {
    private final ClientPort port;
    private final List<ReplicaSpec> places;
    private final CpuSharing sharing;
    private @Nullable URI admin;
    private @Nullable MaskCheck masks;

    /** Used by the supervisor's thread only. */
    private final Arrangements arranging = new Arrangements(Arrangements.LONGEST, System::nanoTime);

    Told(ClientPort port, List<ReplicaSpec> places, CpuSharing sharing) {
      this.port = port;
      this.places = places;
      this.sharing = sharing;
    }

    @Override
    public void onServes(Running replica) {
      ReplicaSpec spec = places.get(replica.index());
      if (masks != null && MachineProbe.onLinux()) {
        arranging.add(masks.begin(spec, replica.pid()));
      }
      sharing.serves(spec, replica.pid()).ifPresent(arranging::add);
    }

    @Override
    public void onServing(Set<Integer> replicas) {
      port.onServing(replicas);
    }

    @Override
    public void onReady(List<Running> replicas) {
      int clients = port.port() == 0 ? replicas.getFirst().port() : port.port();
      readyLine.tell(clients, admin, replicas, arranging);
    }
  }
}
