package dev.pinion.bootstrap.admin;

import dev.pinion.bootstrap.process.BrokerKeeper;
import dev.pinion.bootstrap.process.HandoverTimes;
import dev.pinion.bootstrap.process.Handovers;
import dev.pinion.bootstrap.process.HealthCheck;
import dev.pinion.bootstrap.process.HistoryKeeper;
import dev.pinion.bootstrap.process.JsonWriter;
import dev.pinion.bootstrap.process.ProfileOrder;
import dev.pinion.bootstrap.supervise.ReplicaPicture;
import dev.pinion.bootstrap.supervise.ReplicaState;
import dev.pinion.bootstrap.supervise.RestartPicture;
import dev.pinion.bootstrap.supervise.ScalingSettings;
import dev.pinion.bootstrap.supervise.SupervisionEvents;
import dev.pinion.bootstrap.supervise.Supervisor;
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
public final class AdminPages {
  /** Longest wait for the supervisor; it polls its events twenty times a second. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final String RESTART = "/admin/v1/replicas/restart";
  private static final Pattern LIMIT = Pattern.compile("limit=(\\d{1,4})");
  private static final Pattern LATEST = Pattern.compile("latest=([1-9]\\d{0,3}|10000)");
  private static final Pattern COUNT = Pattern.compile("count=(?:(\\d{1,4})|auto)");

  private final Supervisor supervisor;
  private final SupervisionEvents events;
  private final MachinePicture machine;
  private final Beside beside;

  /**
   * The parent's parts beside its supervisor. For any thread.
   *
   * @param history state of the history
   * @param broker state of the broker
   * @param brokerProfile makes the broker profile itself; false when none runs
   * @param handover statistics of connections handed over to replicas
   * @param lostLines lost lines of the log
   */
  public record Beside(
      Supplier<HistoryKeeper.Picture> history,
      Supplier<BrokerKeeper.Picture> broker,
      Predicate<ProfileOrder> brokerProfile,
      Supplier<Optional<Handovers>> handover,
      LongSupplier lostLines) {}

  /**
   * Pages about some replicas.
   *
   * @param supervisor owner of the replicas
   * @param events events of the replicas
   * @param machine their machine
   * @param beside parts beside them
   */
  public AdminPages(
      Supervisor supervisor, SupervisionEvents events, MachinePicture machine, Beside beside) {
    this.beside = beside;
    this.supervisor = supervisor;
    this.events = events;
    this.machine = machine;
  }

  List<Route> routes() {
    return List.of(
        Route.of("GET", "/livez", (path, query) -> live()),
        Route.of("GET", "/readyz", (path, query) -> ready()),
        Route.of("GET", "/admin/v1/replicas", (path, query) -> replicas()),
        Route.of("PUT", "/admin/v1/replicas", (path, query) -> fix(query)),
        Route.of("GET", "/admin/v1/topology", (path, query) -> topology()),
        Route.of("GET", "/admin/v1/events", (path, query) -> events(query)),
        Route.of("GET", "/admin/v1/history", (path, query) -> history()),
        Route.of("GET", "/admin/v1/broker", (path, query) -> broker()),
        Route.of("GET", "/metrics", (path, query) -> metrics()),
        Route.of("GET", "/admin/v1/handover", (path, query) -> handover(query)),
        Route.of("GET", RESTART, (path, query) -> latestRestart()),
        Route.of("POST", "/admin/v1/replicas/{index}/profile", this::profileReplica),
        Route.of("POST", "/admin/v1/broker/profile", (path, query) -> profileBroker(query)),
        Route.of("POST", RESTART, (path, query) -> restartAll()),
        Route.of("POST", "/admin/v1/replicas/{index}/restart", (path, query) -> restart(path)));
  }

  /** The parent is alive while its supervisor's thread responds. */
  private Answer live() throws IOException {
    pictures();
    JsonWriter json = new JsonWriter();
    return Answer.json(200, json.object(() -> json.put("live", true)));
  }

  private Answer ready() throws IOException {
    List<ReplicaPicture> pictures = pictures();
    List<HealthCheck> checks = ask(supervisor.checks());
    boolean ready = checks.stream().allMatch(each -> each.ready() || !each.required());
    long serving = count(pictures, Set.of(ReplicaState.READY));
    long wanted = pictures.size() - count(pictures, Set.of(ReplicaState.STOPPED));
    JsonWriter json = new JsonWriter();
    json.object(
        () ->
            json.put("ready", ready)
                .put("serving", serving)
                .put("replicas", wanted)
                .put("plan", beside.broker().get().plan().state())
                .name("checks")
                .array(checks, AdminJson::check));
    return Answer.json(ready ? 200 : 503, json);
  }

  private static long count(List<ReplicaPicture> pictures, Set<ReplicaState> states) {
    return pictures.stream().filter(each -> states.contains(each.state())).count();
  }

  private Answer replicas() throws IOException {
    return Answer.json(200, AdminJson.replicas(pictures(), machine));
  }

  private Answer fix(String query) throws IOException {
    Matcher count = COUNT.matcher(query);
    boolean understood = count.matches();
    String number = understood ? count.group(1) : null;
    OptionalInt wanted =
        number == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(number));
    if (!understood || !ask(supervisor.fix(wanted))) {
      ScalingSettings bounds = supervisor.bounds();
      return Answer.problem(
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
    return Answer.json(202, AdminJson.replicas(pictures(), machine));
  }

  private Answer topology() throws IOException {
    return Answer.json(200, AdminJson.topology(pictures(), machine));
  }

  private Answer events(String query) {
    Matcher limit = LIMIT.matcher(query);
    if (!query.isEmpty() && !limit.matches()) {
      return Answer.problem(
          400, "Wrong query", "expected ?limit= and a number up to 9999, found ?" + query);
    }
    int most = query.isEmpty() ? SupervisionEvents.MAX_EVENTS : Integer.parseInt(limit.group(1));
    return Answer.json(200, AdminJson.events(events.latest(most)));
  }

  private Answer latestRestart() throws IOException {
    Optional<RestartPicture> latest = ask(supervisor.latestRestart());
    return latest.isPresent()
        ? Answer.json(200, AdminJson.restart(latest.get()))
        : Answer.problem(404, "No restart", "expected a restart that was asked for, found none");
  }

  private Answer history() {
    HistoryKeeper.Picture now = beside.history().get();
    JsonWriter json = new JsonWriter();
    json.object(
        () ->
            json.put("running", now.pid() >= 0)
                .put("pid", now.pid())
                .put("starts", now.starts())
                .put("lagRecords", now.lagRecords())
                .put("passedOver", now.passedOver())
                .put("failure", now.failure()));
    return Answer.json(200, json);
  }

  private Answer broker() {
    return Answer.json(200, AdminJson.broker(beside.broker().get()));
  }

  private Answer metrics() throws IOException {
    List<ReplicaPicture> pictures = pictures();
    return Answer.text(
        BrokerMetrics.of(beside.broker().get(), pictures)
            + beside.handover().get().map(HandoverMetrics::of).orElse("")
            + LogMetrics.of(beside.lostLines().getAsLong())
            + ReplicaMetrics.of(pictures));
  }

  private Answer handover(String query) {
    Matcher latest = LATEST.matcher(query);
    if (!query.isEmpty() && !latest.matches()) {
      return Answer.problem(
          400, "Wrong query", "expected ?latest= and a number from 1 to 10000, found ?" + query);
    }
    int most = query.isEmpty() ? HandoverTimes.LATEST : Integer.parseInt(latest.group(1));
    return beside
        .handover()
        .get()
        .map(now -> handover(now, now.times().latest(most)))
        .orElseGet(
            () ->
                Answer.problem(
                    404,
                    "No hand-over",
                    "expected several replicas whose connections the parent accepts (--dispatch"
                        + " handover, round-robin or least-loaded), found none"));
  }

  private static Answer handover(Handovers all, HandoverTimes.Picture latest) {
    JsonWriter json = new JsonWriter();
    json.object(
        () ->
            json.put("connections", latest.connections())
                .put("medianMicros", latest.medianMicros())
                .put("p99Micros", latest.p99Micros())
                .put("handedOver", all.handedOver().getAsLong())
                .put("dropped", all.dropped().getAsLong())
                .put("acceptFailures", all.acceptFailures().getAsLong()));
    return Answer.json(200, json);
  }

  private Answer restartAll() throws IOException {
    return restart(pictures().stream().map(ReplicaPicture::index).collect(Collectors.toSet()));
  }

  private Answer restart(Matcher path) throws IOException {
    int index = Integer.parseInt(path.group(1));
    Set<Integer> running =
        pictures().stream()
            .filter(each -> each.state() != ReplicaState.STOPPED)
            .map(ReplicaPicture::index)
            .collect(Collectors.toSet());
    if (!running.contains(index)) {
      return Answer.problem(
          404,
          "No such replica",
          running.isEmpty()
              ? "expected a replica that runs, found that none does"
              : "expected one of replicas " + running + ", found " + index);
    }
    return restart(Set.of(index));
  }

  private Answer restart(Set<Integer> indexes) throws IOException {
    Optional<RestartPicture> begun = ask(supervisor.restart(indexes));
    return begun.isPresent()
        ? Answer.json(202, AdminJson.restart(begun.get())).with("Location", RESTART)
        : Answer.problem(
            409,
            "Not now",
            "expected no restart under way and no stop, found one; see GET " + RESTART);
  }

  private Answer profileReplica(Matcher path, String query) throws IOException {
    int index = Integer.parseInt(path.group(1));
    return profile(
        query,
        order -> ask(supervisor.profile(index, order)),
        Answer.problem(
            404,
            "No such replica",
            "expected a replica that serves, found that " + index + " does not"));
  }

  private Answer profileBroker(String query) throws IOException {
    return profile(
        query,
        beside.brokerProfile()::test,
        Answer.problem(
            404, "No broker", "expected a broker that runs (serve --broker on), found none"));
  }

  /** A process that can profile itself. */
  @FunctionalInterface
  private interface Profiled {
    boolean told(ProfileOrder order) throws IOException;
  }

  private static Answer profile(String query, Profiled process, Answer nobody) throws IOException {
    ProfileOrder order;
    try {
      order = ProfileDesk.order(query);
    } catch (IllegalArgumentException e) {
      return Answer.problem(400, "Wrong profile", String.valueOf(e.getMessage()));
    }
    if (!process.told(order)) {
      return nobody;
    }
    JsonWriter json = new JsonWriter();
    return Answer.json(202, json.object(() -> json.put("seconds", order.seconds())));
  }

  private List<ReplicaPicture> pictures() throws IOException {
    return ask(supervisor.replicas());
  }

  private static <T> T ask(CompletableFuture<T> question) throws IOException {
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
