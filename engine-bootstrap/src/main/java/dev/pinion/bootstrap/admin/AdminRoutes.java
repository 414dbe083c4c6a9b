package dev.pinion.bootstrap.admin;

import dev.pinion.bootstrap.protocol.HealthCheck;
import dev.pinion.bootstrap.protocol.JsonWriter;
import dev.pinion.bootstrap.protocol.ProfileRequest;
import dev.pinion.bootstrap.supervise.BrokerSupervisor;
import dev.pinion.bootstrap.supervise.HistorySupervisor;
import dev.pinion.bootstrap.supervise.ReplicaState;
import dev.pinion.bootstrap.supervise.ReplicaStatus;
import dev.pinion.bootstrap.supervise.RollingRestartStatus;
import dev.pinion.bootstrap.supervise.ScalingSettings;
import dev.pinion.bootstrap.supervise.SupervisionEvents;
import dev.pinion.bootstrap.supervise.Supervisor;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.metrics.ProcessCollector;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Information and actions for operators: the routes of the admin listener. */
public final class AdminRoutes {
  /** Longest wait for the supervisor; it polls its events twenty times a second. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final String RESTART = "/admin/v1/replicas/restart";
  private static final Pattern LIMIT = Pattern.compile("limit=(\\d{1,4})");
  private static final Pattern LATEST = Pattern.compile("latest=([1-9]\\d{0,3}|10000)");
  private static final Pattern COUNT = Pattern.compile("count=(?:(\\d{1,4})|auto)");

  private final Supervisor supervisor;
  private final SupervisionEvents events;
  private final MachineStatus machine;
  private final StatusSources statusSources;

  /**
   * The parent's parts beside its supervisor. For any thread.
   *
   * @param history state of the history
   * @param broker state of the broker
   * @param brokerProfile makes the broker profile itself; false when none runs
   * @param handover statistics of connections handed over to replicas
   * @param lostLines lost lines of the log
   */
  public record StatusSources(
      Supplier<HistorySupervisor.HistoryStatus> history,
      Supplier<BrokerSupervisor.BrokerStatus> broker,
      Predicate<ProfileRequest> brokerProfile,
      Supplier<Optional<HandoverStatistics>> handover,
      LongSupplier lostLines) {}

  /**
   * Pages about some replicas.
   *
   * @param supervisor owner of the replicas
   * @param events events of the replicas
   * @param machine their machine
   * @param statusSources parts beside them
   */
  public AdminRoutes(
      Supervisor supervisor,
      SupervisionEvents events,
      MachineStatus machine,
      StatusSources statusSources) {
    this.statusSources = statusSources;
    this.supervisor = supervisor;
    this.events = events;
    this.machine = machine;
  }

  List<AdminRoute> routes() {
    return List.of(
        AdminRoute.of("GET", "/livez", (path, query) -> live()),
        AdminRoute.of("GET", "/readyz", (path, query) -> ready()),
        AdminRoute.of("GET", "/admin/v1/replicas", (path, query) -> replicas()),
        AdminRoute.of("PUT", "/admin/v1/replicas", (path, query) -> fix(query)),
        AdminRoute.of("GET", "/admin/v1/topology", (path, query) -> topology()),
        AdminRoute.of("GET", "/admin/v1/events", (path, query) -> events(query)),
        AdminRoute.of("GET", "/admin/v1/history", (path, query) -> history()),
        AdminRoute.of("GET", "/admin/v1/broker", (path, query) -> broker()),
        AdminRoute.of("GET", "/metrics", (path, query) -> metrics()),
        AdminRoute.of("GET", "/admin/v1/handover", (path, query) -> handover(query)),
        AdminRoute.of("GET", RESTART, (path, query) -> latestRestart()),
        AdminRoute.of("POST", "/admin/v1/replicas/{index}/profile", this::profileReplica),
        AdminRoute.of("POST", "/admin/v1/broker/profile", (path, query) -> profileBroker(query)),
        AdminRoute.of("POST", RESTART, (path, query) -> restartAll()),
        AdminRoute.of(
            "POST", "/admin/v1/replicas/{index}/restart", (path, query) -> restart(path)));
  }

  /** The parent is alive while its supervisor's thread responds. */
  private AdminResponse live() throws IOException {
    pictures();
    JsonWriter json = new JsonWriter();
    return AdminResponse.json(200, json.object(() -> json.put("live", true)));
  }

  private AdminResponse ready() throws IOException {
    List<ReplicaStatus> pictures = pictures();
    List<HealthCheck> checks = query(supervisor.checks());
    boolean ready = checks.stream().allMatch(each -> each.ready() || !each.required());
    long serving = count(pictures, Set.of(ReplicaState.READY));
    long wanted = pictures.size() - count(pictures, Set.of(ReplicaState.STOPPED));
    JsonWriter json = new JsonWriter();
    json.object(
        () ->
            json.put("ready", ready)
                .put("serving", serving)
                .put("replicas", wanted)
                .put("plan", statusSources.broker().get().plan().state())
                .name("checks")
                .array(checks, AdminJson::check));
    return AdminResponse.json(ready ? 200 : 503, json);
  }

  private static long count(List<ReplicaStatus> pictures, Set<ReplicaState> states) {
    return pictures.stream().filter(each -> states.contains(each.state())).count();
  }

  private AdminResponse replicas() throws IOException {
    return AdminResponse.json(200, AdminJson.replicas(pictures(), machine));
  }

  private AdminResponse fix(String query) throws IOException {
    Matcher count = COUNT.matcher(query);
    boolean understood = count.matches();
    String number = understood ? count.group(1) : null;
    OptionalInt wanted =
        number == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(number));
    if (!understood || !query(supervisor.fix(wanted))) {
      ScalingSettings bounds = supervisor.bounds();
      return AdminResponse.problem(
          400,
          "Wrong number of replicas",
          String.format(
              Locale.ROOT,
              "expected ?count= and a number from %d to %d (--replicas), or auto, of an engine that"
                  + " does not stop, found ?%s",
              bounds.min(),
              bounds.max(),
              query));
    }
    return AdminResponse.json(202, AdminJson.replicas(pictures(), machine));
  }

  private AdminResponse topology() throws IOException {
    return AdminResponse.json(200, AdminJson.topology(pictures(), machine));
  }

  private AdminResponse events(String query) {
    Matcher limit = LIMIT.matcher(query);
    if (!query.isEmpty() && !limit.matches()) {
      return AdminResponse.problem(
          400, "Wrong query", "expected ?limit= and a number up to 9999, found ?" + query);
    }
    int most = query.isEmpty() ? SupervisionEvents.MAX_EVENTS : Integer.parseInt(limit.group(1));
    return AdminResponse.json(200, AdminJson.events(events.latest(most)));
  }

  private AdminResponse latestRestart() throws IOException {
    Optional<RollingRestartStatus> latest = query(supervisor.latestRestart());
    return latest.isPresent()
        ? AdminResponse.json(200, AdminJson.restart(latest.get()))
        : AdminResponse.problem(
            404, "No restart", "expected a restart that was asked for, found none");
  }

  private AdminResponse history() {
    HistorySupervisor.HistoryStatus now = statusSources.history().get();
    JsonWriter json = new JsonWriter();
    json.object(
        () ->
            json.put("running", now.pid() >= 0)
                .put("pid", now.pid())
                .put("starts", now.starts())
                .put("lagRecords", now.lagRecords())
                .put("passedOver", now.skippedInstances())
                .put("failure", now.failure()));
    return AdminResponse.json(200, json);
  }

  private AdminResponse broker() {
    return AdminResponse.json(200, AdminJson.broker(statusSources.broker().get()));
  }

  private AdminResponse metrics() throws IOException {
    List<ReplicaStatus> pictures = pictures();
    MetricFamilies families = new MetricFamilies();
    ParentMetrics parent = new ParentMetrics(families);
    parent.replicas(pictures);
    parent.restarts(query(supervisor.restartsByReason()));
    parent.broker(statusSources.broker().get());
    parent.history(statusSources.history().get());
    statusSources.handover().get().ifPresent(parent::handover);
    parent.log(statusSources.lostLines().getAsLong());
    new ProcessCollector().addMetrics(families);
    return AdminResponse.text(MergedReplicaMetrics.of(families.text(), pictures));
  }

  private AdminResponse handover(String query) {
    Matcher latest = LATEST.matcher(query);
    if (!query.isEmpty() && !latest.matches()) {
      return AdminResponse.problem(
          400, "Wrong query", "expected ?latest= and a number from 1 to 10000, found ?" + query);
    }
    int most = query.isEmpty() ? HandoverLatencies.LATEST : Integer.parseInt(latest.group(1));
    return statusSources
        .handover()
        .get()
        .map(now -> handover(now, now.times().latest(most)))
        .orElseGet(
            () ->
                AdminResponse.problem(
                    404,
                    "No hand-over",
                    "expected several replicas whose connections the parent accepts (--dispatch"
                        + " handover, round-robin or least-loaded), found none"));
  }

  private static AdminResponse handover(
      HandoverStatistics all, HandoverLatencies.Percentiles latest) {
    JsonWriter json = new JsonWriter();
    json.object(
        () ->
            json.put("connections", latest.connections())
                .put("medianMicros", latest.medianMicros())
                .put("p99Micros", latest.p99Micros())
                .put("handedOver", all.handedOver().getAsLong())
                .put("dropped", all.dropped().getAsLong())
                .put("acceptFailures", all.acceptFailures().getAsLong()));
    return AdminResponse.json(200, json);
  }

  private AdminResponse restartAll() throws IOException {
    return restart(pictures().stream().map(ReplicaStatus::index).collect(Collectors.toSet()));
  }

  private AdminResponse restart(Matcher path) throws IOException {
    int index = Integer.parseInt(path.group(1));
    Set<Integer> running =
        pictures().stream()
            .filter(each -> each.state() != ReplicaState.STOPPED)
            .map(ReplicaStatus::index)
            .collect(Collectors.toSet());
    if (!running.contains(index)) {
      return AdminResponse.problem(
          404,
          "No such replica",
          running.isEmpty()
              ? "expected a replica that runs, found that none does"
              : "expected one of replicas " + running + ", found " + index);
    }
    return restart(Set.of(index));
  }

  private AdminResponse restart(Set<Integer> indexes) throws IOException {
    Optional<RollingRestartStatus> begun = query(supervisor.restart(indexes));
    return begun.isPresent()
        ? AdminResponse.json(202, AdminJson.restart(begun.get())).with("Location", RESTART)
        : AdminResponse.problem(
            409,
            "Not now",
            "expected no restart under way and no stop, found one; see GET " + RESTART);
  }

  private AdminResponse profileReplica(Matcher path, String query) throws IOException {
    int index = Integer.parseInt(path.group(1));
    return profile(
        query,
        order -> query(supervisor.profile(index, order)),
        AdminResponse.problem(
            404,
            "No such replica",
            "expected a replica that serves, found that " + index + " does not"));
  }

  private AdminResponse profileBroker(String query) throws IOException {
    return profile(
        query,
        statusSources.brokerProfile()::test,
        AdminResponse.problem(
            404, "No broker", "expected a broker that runs (serve --broker on), found none"));
  }

  /** A process that can profile itself. */
  @FunctionalInterface
  private interface ProfileTarget {
    boolean profile(ProfileRequest order) throws IOException;
  }

  private static AdminResponse profile(String query, ProfileTarget process, AdminResponse nobody)
      throws IOException {
    ProfileRequest order;
    try {
      order = ProfileEndpoint.request(query);
    } catch (IllegalArgumentException e) {
      return AdminResponse.problem(400, "Wrong profile", String.valueOf(e.getMessage()));
    }
    if (!process.profile(order)) {
      return nobody;
    }
    JsonWriter json = new JsonWriter();
    return AdminResponse.json(202, json.object(() -> json.put("seconds", order.seconds())));
  }

  private List<ReplicaStatus> pictures() throws IOException {
    return query(supervisor.replicas());
  }

  private static <T> T query(CompletableFuture<T> question) throws IOException {
    try {
      return question.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new IOException(
          "expected the supervisor to answer within " + PATIENCE.toSeconds() + " s, it did not", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("expected the supervisor to answer, found that this listener ends", e);
    }
  }
}
