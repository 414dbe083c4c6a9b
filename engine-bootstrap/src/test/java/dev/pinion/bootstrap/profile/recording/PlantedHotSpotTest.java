package dev.pinion.bootstrap.profile.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.assembly.CoreEngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher.RunningEngine;
import dev.pinion.bootstrap.assembly.SlowChain;
import dev.pinion.bootstrap.placement.IdleStrategies;
import dev.pinion.bootstrap.profile.PackageGrouping;
import dev.pinion.bootstrap.profile.PipelineStage;
import dev.pinion.bootstrap.profile.Profile;
import dev.pinion.bootstrap.profile.ProfileKind;
import dev.pinion.bootstrap.profile.ProfileRow;
import dev.pinion.bootstrap.profile.ProfileSummary;
import dev.pinion.bootstrap.profile.RankedShares;
import dev.pinion.bootstrap.profile.RankedShares.Share;
import dev.pinion.bootstrap.profile.RecordingMerger;
import dev.pinion.bootstrap.protocol.ProfiledProcess;
import dev.pinion.broker.binding.UnboundSource;
import dev.pinion.core.interception.HttpMessage;
import dev.pinion.core.interception.InterceptionPoint;
import dev.pinion.core.interception.InterceptionVerdict;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Durability;
import dev.pinion.core.resource.AllowedDocuments;
import dev.pinion.core.secret.SecretSource;
import dev.pinion.core.settings.ListenSpec;
import dev.pinion.core.settings.StageLayout;
import dev.pinion.core.spi.BrokerGateway;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.spi.History;
import dev.pinion.core.spi.ProfilingHook;
import dev.pinion.core.stage.ThreadSetup;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A hot spot is planted into an engine, at a place drawn by the seed, and the profile must list it
 * first, with the share that the JVM itself accounts to it.
 *
 * <pre>
 *   client ─▶ request loop ─ REQUEST_IN ─▶ kernel ─▶ evaluator ─▶ kernel ─ RESPONSE_OUT ─▶ client
 *                               ▲                       ▲                      ▲
 *                       on the loop, or on       the slow expression   on the loop, or on
 *                       a thread beside it       of one of three tasks a thread beside it
 * </pre>
 */
@Tag("long")
class PlantedHotSpotTest {
  private static final long MEASURED_SECONDS = 10;

  /** Fewest requests before the compilers may count as quiet. */
  private static final int WARM_UP_REQUESTS = 60;

  /** Longest warm-up: compilers that are busy after it are part of the profile. */
  private static final long WARM_UP_SECONDS = 60;

  /** Length of a round of the warm-up. */
  private static final long ROUND_MILLIS = 1_000;

  /** Successive rounds in which compilers must be quiet. */
  private static final int QUIET_ROUNDS = 2;

  /** Compilers are quiet if they compile for less than this share of a round. */
  private static final double QUIET = 0.05;

  private static final double ALLOCATED_TOLERANCE = 0.1;
  private static final double POINTS = 0.05;
  private static final int TASKS = 3;
  private static final String SLOW = "[range(60000)] | map(. * 3) | add";

  private final com.sun.management.ThreadMXBean threads =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final com.sun.management.OperatingSystemMXBean system =
      (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final LongAdder plantedNanos = new LongAdder();
  private final LongAdder plantedBytes = new LongAdder();
  private final Random random = new Random(seed());

  @TempDir private Path folder;

  /** The kinds of hot spots. */
  enum Spot {
    SLOW_EXPRESSION,
    SLOW_HANDLER,
    JSON,
    TLS,
    LOCK,
    ALLOCATION,
    CHATTY_LOG,
    LP_STORM
  }

  private static long seed() {
    long seed = Long.getLong("pinion.seed", System.nanoTime());
    System.out.println("planted hot spots: -Dpinion.seed=" + seed);
    return seed;
  }

  /** The accounting of the JVM. */
  private record Account(
      long allNanos,
      long evaluatorNanos,
      long solverNanos,
      long blockedMillis,
      long allBytes,
      long plantedNanos,
      long plantedBytes) {
    Account since(Account before) {
      return new Account(
          allNanos - before.allNanos,
          evaluatorNanos - before.evaluatorNanos,
          solverNanos - before.solverNanos,
          blockedMillis - before.blockedMillis,
          allBytes - before.allBytes,
          plantedNanos - before.plantedNanos,
          plantedBytes - before.plantedBytes);
    }
  }

  /** The profile, and the accounting of the JVM meanwhile. */
  private record Profiled(Profile profile, Account account) {}

  @ParameterizedTest
  @EnumSource
  void shouldNameThePlantedHotSpot(Spot spot) throws Exception {
    if (spot == Spot.SLOW_HANDLER) {
      plantSlowHandler();
      return;
    }
    int slowTask = spot == Spot.SLOW_EXPRESSION ? random.nextInt(TASKS) : -1;
    InterceptionPoint point =
        random.nextBoolean() ? InterceptionPoint.REQUEST_IN : InterceptionPoint.RESPONSE_OUT;
    boolean beside = random.nextBoolean();
    System.out.println(
        spot
            + (slowTask < 0 ? " at " + point + (beside ? " beside" : " on") + " the loop" : "")
            + (slowTask < 0 ? "" : " in task " + slowTask));
    ExecutorService handlers =
        Executors.newSingleThreadExecutor(task -> new Thread(task, "handler-0"));
    Profiled profiled;
    try (HotSpotWorkload hotSpotWorkload = plant(spot);
        RunningEngine engine =
            engine(planted(hotSpotWorkload, point, beside ? handlers : Runnable::run))) {
      profiled = profile(engine, definition(slowTask));
    } finally {
      handlers.shutdownNow();
    }
    System.out.println(
        ProfileSummary.of(List.of(profiled.profile()), PackageGrouping.DEFAULT_LEVEL));
    System.out.println(profiled.account());
    String group = beside ? "handler" : "request";
    switch (spot) {
      case SLOW_EXPRESSION, SLOW_HANDLER -> assertSlowTask(profiled, slowTask);
      case JSON -> assertPackage(profiled, "com.fasterxml.jackson", group);
      case TLS -> assertPackage(profiled, "io.netty.handler", group);
      case CHATTY_LOG -> assertPackage(profiled, "ch.qos.logback", group);
      case LP_STORM -> assertSolver(profiled);
      case LOCK -> assertLock(profiled, group);
      case ALLOCATION -> assertAllocation(profiled, group);
    }
  }

  /** One of the handlers of a chain is slow, both side by side and one after another. */
  private void plantSlowHandler() throws Exception {
    int slow = random.nextInt(TASKS);
    InterceptionPoint point =
        random.nextBoolean() ? InterceptionPoint.REQUEST_IN : InterceptionPoint.RESPONSE_OUT;
    String order = random.nextBoolean() ? "auto" : "given";
    System.out.println("SLOW_HANDLER step" + slow + " at " + point + ", order " + order);
    Profiled profiled;
    try (RunningEngine engine =
        engine(SlowChain.chain(folder, point, order, slow, this::accounted))) {
      profiled = profile(engine, definition(-1));
    }
    System.out.println(
        ProfileSummary.of(List.of(profiled.profile()), PackageGrouping.DEFAULT_LEVEL));
    List<ProfileRow> cpu = rows(profiled.profile(), ProfileKind.CPU, profileRow -> true);
    Share top = topTask(cpu);
    assertEquals("test/planted/1.0.0 [handler step" + slow + "]", top.name());
    assertEquals(
        "handlers",
        RankedShares.by(cpu, profileRow -> profileRow.place().group()).getFirst().name());
    assertEquals(
        PipelineStage.HANDLERS.label(),
        RankedShares.by(cpu, profileRow -> profileRow.place().stage().label()).getFirst().name());
    Account account = profiled.account();
    near((double) account.plantedNanos() / account.allNanos(), top.exclusive());
  }

  private HotSpotWorkload plant(Spot spot) throws Exception {
    return switch (spot) {
      case SLOW_EXPRESSION, SLOW_HANDLER -> () -> {};
      case JSON -> HotSpotWorkload.json();
      case TLS -> HotSpotWorkload.tls(folder);
      case LOCK -> HotSpotWorkload.lock();
      case ALLOCATION -> HotSpotWorkload.allocation();
      case CHATTY_LOG -> HotSpotWorkload.chattyLog();
      case LP_STORM -> HotSpotWorkload.linearPrograms();
    };
  }

  private Interceptor planted(
      HotSpotWorkload hotSpotWorkload, InterceptionPoint at, java.util.concurrent.Executor where) {
    return new Interceptor() {
      @Override
      public boolean handles(InterceptionPoint point, @Nullable DefinitionKey definition) {
        return point == at;
      }

      @Override
      public void handle(HttpMessage message, Continuation then) {
        where.execute(
            () -> {
              accounted(hotSpotWorkload);
              then.end(new InterceptionVerdict.Proceed(message));
            });
      }
    };
  }

  private void accounted(HotSpotWorkload hotSpotWorkload) {
    long nanos = threads.getCurrentThreadCpuTime();
    long bytes = threads.getCurrentThreadAllocatedBytes();
    hotSpotWorkload.work();
    plantedNanos.add(threads.getCurrentThreadCpuTime() - nanos);
    plantedBytes.add(threads.getCurrentThreadAllocatedBytes() - bytes);
  }

  private static RunningEngine engine(Interceptor interceptor) throws IOException {
    return new CoreEngineLauncher()
        .launch(
            new EngineLauncher.Options(
                ListenSpec.own(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                null,
                Durability.NONE,
                null,
                new StageLayout.Pipelined(1, 1, 1),
                IdleStrategies.PARK,
                EngineLimits.defaults(),
                interceptor,
                new UnboundSource(),
                ThreadSetup.NONE,
                null,
                Set.of(),
                AllowedDocuments.NONE,
                SecretSource.NONE,
                History.NONE,
                BrokerGateway.NONE,
                ExternalEvents.NONE));
  }

  private static String definition(int slowTask) {
    StringBuilder text =
        new StringBuilder(
            "document: { dsl: '1.0.0', namespace: test, name: planted, version: '1.0.0' }\ndo:\n");
    for (int task = 0; task < TASKS; task++) {
      text.append(
          String.format(
              Locale.ROOT,
              "  - step%d: { set: { value: '${ %s }' } }\n",
              task,
              task == slowTask ? SLOW : "1 + 1"));
    }
    return text.toString();
  }

  private Profiled profile(RunningEngine engine, String definition) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI base = URI.create("http://127.0.0.1:" + engine.port());
      assertEquals(
          201, post(client, base.resolve("/v1/definitions"), "application/yaml", definition));
      URI start = base.resolve("/v1/namespaces/test/definitions/planted/instances");
      Callable<Integer> request = () -> post(client, start, "application/json", "{\"input\":{}}");
      warmUp(request);
      return recorded(request);
    }
  }

  /** Starts instances until the compilers of this JVM have become quiet, or the time is up. */
  private static void warmUp(Callable<Integer> request) throws Exception {
    for (int i = 0; i < WARM_UP_REQUESTS; i++) {
      assertEquals(200, request.call());
    }
    CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS);
    int quiet = 0;
    while (quiet < QUIET_ROUNDS && System.nanoTime() - limit < 0) {
      long before = compilers.getTotalCompilationTime();
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ROUND_MILLIS);
      while (System.nanoTime() - end < 0) {
        assertEquals(200, request.call());
      }
      boolean isQuiet = compilers.getTotalCompilationTime() - before < QUIET * ROUND_MILLIS;
      quiet = isQuiet ? quiet + 1 : 0;
    }
    System.out.println(
        quiet < QUIET_ROUNDS ? "compilers are still at work" : "compilers are quiet");
  }

  private static int post(HttpClient client, URI uri, String type, String body)
      throws IOException, InterruptedException {
    HttpResponse<Void> answer =
        client.send(
            HttpRequest.newBuilder(uri)
                .header("content-type", type)
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.discarding());
    return answer.statusCode();
  }

  /** Records while instances are started one after the other. */
  private Profiled recorded(Callable<Integer> request) throws Exception {
    threads.setThreadContentionMonitoringEnabled(true);
    FlightRecording.prepare(folder);
    CountDownLatch over = new CountDownLatch(1);
    Thread looks = new Thread(() -> look(over), "profile");
    try (FlightRecording recording = new FlightRecording()) {
      recording.begin();
      looks.start();
      Account before = account();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MEASURED_SECONDS);
      while (System.nanoTime() - end < 0) {
        assertEquals(200, request.call());
      }
      Account spent = account().since(before);
      Path file = folder.resolve("planted.jfr");
      recording.end(file);
      Profile profile =
          RecordingMerger.read(
              new TreeMap<>(java.util.Map.of(ProfiledProcess.replica(0), file)),
              "planted",
              "now",
              MEASURED_SECONDS,
              List.of());
      assertAllocatedInAll(profile, spent);
      return new Profiled(profile, spent);
    } finally {
      over.countDown();
      looks.join();
    }
  }

  private static void look(CountDownLatch over) {
    try {
      while (!over.await(FlightRecording.WORK_POLL_PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
        ProfilingHook.tick();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Account account() {
    long evaluator = 0;
    long solver = 0;
    long blocked = 0;
    for (ThreadInfo each : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (each != null && each.getThreadName().startsWith("evaluator")) {
        evaluator += threads.getThreadCpuTime(each.getThreadId());
      }
      if (each != null && each.getThreadName().equals(HotSpotWorkload.Storm.GROUP)) {
        solver += threads.getThreadCpuTime(each.getThreadId());
      }
      if (each != null && !each.getThreadName().startsWith("JFR")) {
        blocked += each.getBlockedTime();
      }
    }
    return new Account(
        system.getProcessCpuTime(),
        evaluator,
        solver,
        blocked,
        threads.getTotalThreadAllocatedBytes(),
        plantedNanos.sum(),
        plantedBytes.sum());
  }

  private static List<ProfileRow> rows(
      Profile profile, ProfileKind profileKind, Predicate<ProfileRow> wanted) {
    return profile.rows().stream()
        .filter(profileRow -> profileRow.place().kind() == profileKind)
        .filter(wanted)
        .toList();
  }

  /** Checks the first of the tasks, with the CPU time of the evaluator threads. */
  private static void assertSlowTask(Profiled profiled, int slowTask) {
    List<ProfileRow> cpu = rows(profiled.profile(), ProfileKind.CPU, profileRow -> true);
    Share top = topTask(cpu);

    assertEquals("test/planted/1.0.0 /do/" + slowTask + "/step" + slowTask, top.name());
    Account account = profiled.account();
    near((double) account.evaluatorNanos() / account.allNanos(), top.exclusive());
    assertEquals(
        "evaluator",
        RankedShares.by(cpu, profileRow -> profileRow.place().group()).getFirst().name());
  }

  private static Share topTask(List<ProfileRow> cpu) {
    return RankedShares.by(
            cpu,
            profileRow ->
                profileRow.place().work().definition() + " " + profileRow.place().work().task())
        .stream()
        .filter(each -> !each.name().isBlank())
        .findFirst()
        .orElseThrow();
  }

  /** Checks the first of the packages, on the threads of the plant, with the planted CPU time. */
  private static void assertPackage(Profiled profiled, String name, String group) {
    List<ProfileRow> cpu = rows(profiled.profile(), ProfileKind.CPU, profileRow -> true);
    Share top =
        RankedShares.ofPackages(profiled.profile(), cpu, new PackageGrouping(3, true)).getFirst();
    assertEquals(name, top.name());
    assertEquals(
        group, RankedShares.by(cpu, profileRow -> profileRow.place().group()).getFirst().name());

    Account account = profiled.account();
    near((double) account.plantedNanos() / account.allNanos(), planted(profiled.profile(), cpu));
    near((double) account.plantedNanos() / account.allNanos(), top.inclusive());
  }

  /**
   * Checks the solver's native code as the first of the packages, by the method that calls it, with
   * the planted CPU time and that of the solving thread.
   */
  private static void assertSolver(Profiled profiled) {
    List<ProfileRow> cpu = rows(profiled.profile(), ProfileKind.CPU, profileRow -> true);
    assertEquals(
        "com.google.ortools",
        RankedShares.ofPackages(profiled.profile(), cpu, new PackageGrouping(3, true))
            .getFirst()
            .name());
    assertEquals(
        PipelineStage.BROKER.label(),
        RankedShares.by(cpu, profileRow -> profileRow.place().stage().label()).getFirst().name());
    Share group = RankedShares.by(cpu, profileRow -> profileRow.place().group()).getFirst();
    assertEquals(HotSpotWorkload.Storm.GROUP, group.name());

    Account account = profiled.account();
    near(
        (double) (account.plantedNanos() + account.solverNanos()) / account.allNanos(),
        planted(profiled.profile(), cpu) + group.exclusive());
  }

  /** Share of the plant's rows, including its callees. */
  private static double planted(Profile profile, List<ProfileRow> rows) {
    return RankedShares.ofMethods(profile, rows, true).stream()
        .filter(each -> each.name().endsWith("PlantedHotSpotTest.accounted"))
        .mapToDouble(Share::inclusive)
        .sum();
  }

  /** Checks the first of the locks, with the JVM's time of blocked threads. */
  private static void assertLock(Profiled profiled, String group) {
    List<ProfileRow> waiting = rows(profiled.profile(), ProfileKind.WAITING, profileRow -> true);
    assertEquals(
        HotSpotWorkload.HeldLock.class.getName(),
        RankedShares.by(waiting, profileRow -> profileRow.place().subject()).getFirst().name());
    assertEquals(
        HotSpotWorkload.HeldLock.class.getName() + ".work",
        RankedShares.ofMethods(profiled.profile(), waiting, true).getFirst().name());
    List<ProfileRow> own =
        rows(
            profiled.profile(),
            ProfileKind.WAITING,
            profileRow -> profileRow.place().group().equals(group));
    double nanos = TimeUnit.SECONDS.toNanos(MEASURED_SECONDS);
    near(
        TimeUnit.MILLISECONDS.toNanos(profiled.account().blockedMillis()) / nanos,
        own.stream().mapToDouble(ProfileRow::amount).sum() / nanos);
  }

  /** Allocations before the profile are not part of it. */
  private static void assertAllocatedInAll(Profile profile, Account account) {
    double bytes =
        rows(profile, ProfileKind.ALLOCATION, profileRow -> true).stream()
            .mapToDouble(ProfileRow::amount)
            .sum();
    String both =
        String.format(
            Locale.ROOT, "the JVM accounts %d bytes, the profile %.0f", account.allBytes(), bytes);
    System.out.println(both);
    assertEquals(1, bytes / account.allBytes(), ALLOCATED_TOLERANCE, both);
  }

  /** Checks the first of the classes, with the plant's allocated bytes by the JVM. */
  private static void assertAllocation(Profiled profiled, String group) {
    List<ProfileRow> allocated =
        rows(profiled.profile(), ProfileKind.ALLOCATION, profileRow -> true);
    assertEquals(
        "long[]",
        RankedShares.by(allocated, profileRow -> profileRow.place().subject()).getFirst().name());
    assertEquals(
        HotSpotWorkload.Hoard.class.getName() + ".work",
        RankedShares.ofMethods(profiled.profile(), allocated, true).getFirst().name());
    assertEquals(
        group,
        RankedShares.by(allocated, profileRow -> profileRow.place().group()).getFirst().name());
    Account account = profiled.account();
    near(
        (double) account.plantedBytes() / account.allBytes(),
        planted(profiled.profile(), allocated));
  }

  private static void near(double accounted, double profiled) {
    String both =
        String.format(
            Locale.ROOT, "the JVM accounts %.3f, the profile says %.3f", accounted, profiled);
    System.out.println(both);
    assertTrue(accounted > 0.2, "expected a hot spot: " + both);
    assertTrue(Math.abs(accounted - profiled) <= POINTS, both);
  }
}
