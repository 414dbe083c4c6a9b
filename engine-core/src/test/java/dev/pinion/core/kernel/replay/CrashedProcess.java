package dev.pinion.core.kernel.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.DeployedGraphs;
import dev.pinion.core.kernel.SimulatedServices;
import dev.pinion.core.kernel.VerdictCheck;
import dev.pinion.core.kernel.replay.CrashPoints.Moment;
import dev.pinion.core.kernel.replay.SimulatedEngine.Remains;
import dev.pinion.core.kernel.replay.SimulatedEngine.Run;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.InstanceId;
import dev.pinion.oracle.Definition;
import dev.pinion.oracle.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One random process: run without a crash, crashed at each moment of that run, run with a crash
 * after every record, and moved from kernel to kernel. Each time it must give the same result as
 * without an engine.
 */
final class CrashedProcess {
  private final Definition definition;
  private final Verdict verdict;
  private final VerdictCheck check;
  private final String yaml;
  private final Random random;
  private final Run run;
  private String doing = "compiling";

  /** A snapshot of the run without a crash, taken at some moment of it, or null. */
  private @Nullable TakenSnapshot snapshot;

  private int recordsBeforeSnapshot;
  private int crashes;
  private int crashesBehindSnapshots;
  private int repeatedCalls;
  private int lives;
  private int moves;
  private int records;

  CrashedProcess(long seed) {
    this.definition = Definition.of(seed);
    this.verdict = definition.verdict();
    this.check = new VerdictCheck(verdict, definition.startMillis());
    this.yaml = text(definition);
    this.random = new Random(~seed);
    this.run = run(definition, random);
  }

  /** A process as the engine runs it. */
  static Run run(Definition definition, Random random) {
    EngineLimits limits = limits(random);
    DeployedGraphs graphs = new DeployedGraphs();
    definition.children().forEach(child -> graphs.put(compiled(limits, child.yaml())));
    ProcessGraph graph = compiled(limits, definition.yaml());
    graphs.put(graph);
    return new Run(limits, graph, graphs, definition);
  }

  private static ProcessGraph compiled(EngineLimits limits, String text) {
    CompilationResult compilationResult =
        new WorkflowCompiler(limits).compile(text, "application/yaml");
    return assertInstanceOf(
            CompilationResult.Compiled.class,
            compilationResult,
            () -> compilationResult + "\n" + text)
        .graph();
  }

  /** The texts of a process and those that it runs. */
  static String text(Definition definition) {
    StringBuilder text = new StringBuilder(definition.yaml());
    definition.children().forEach(child -> text.append("---\n").append(child.yaml()));
    return text.toString();
  }

  /**
   * Small turns and evaluations elsewhere, so that a crash finds instances in the middle of their
   * work.
   */
  private static EngineLimits limits(Random random) {
    return EngineLimits.defaults()
        .with(SimulatedServices.KEEPING)
        .with(
            Map.of(
                "kernel.inboxCapacity", 16,
                "kernel.maxCalls", 64,
                "kernel.maxEvaluations", 64,
                "kernel.stepsPerTurn", 1 + random.nextInt(8),
                "expression.loopSteps", random.nextInt(3) == 0 ? 100 : 10_000));
  }

  Verdict verdict() {
    return verdict;
  }

  /** Number of crashes after a run without one. */
  int crashes() {
    return crashes;
  }

  /** Number of those that were recovered from a snapshot. */
  int crashesBehindSnapshots() {
    return crashesBehindSnapshots;
  }

  /** Number of calls that were made again after a crash. */
  int repeatedCalls() {
    return repeatedCalls;
  }

  /** Number of lives of the engine that crashed after every record. */
  int lives() {
    return lives;
  }

  /** Number of moves of the process to another kernel. */
  int moves() {
    return moves;
  }

  /** Number of records of the run without a crash. */
  int records() {
    return records;
  }

  void run() {
    try {
      runAll();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "%s: %s%n%s%ninput %s%nexpected %s in at least %d ms%ncalls by branch %s",
              doing,
              e.getMessage(),
              yaml,
              definition.input(),
              verdict.outcome(),
              verdict.millis(),
              verdict.calls()),
          e);
    }
  }

  private void runAll() {
    doing = "without a crash";
    SimulatedServices services = new SimulatedServices(definition);
    SimulatedEngine engine = SimulatedEngine.first(run, services, random);
    runOn(engine);
    List<JournalRecord> all = engine.journal().records();
    records = all.size();
    check(engine, List.of(), services);
    assertTrue(services.mostDeliveries() <= 1, "a call was made twice");
    for (Moment moment : distinct(engine.journal().moments())) {
      crashAt(moment, moment.durable(), services, all);
      if (moment.appended() > moment.durable()) {
        crashAt(moment, moment.appended(), services, all);
      }
    }
    crashAfterEveryRecord();
    moveAgainAndAgain();
  }

  /** Runs to the end, and makes a snapshot at one of the moments on the way. */
  private void runOn(SimulatedEngine engine) {
    int steps = 0;
    while (!engine.hasEnded()) {
      engine.step();
      if (engine.journal().isForced() && random.nextInt(++steps) == 0) {
        snapshot = engine.snapshot();
        recordsBeforeSnapshot = (int) engine.journal().appended();
      }
    }
    engine.runToEnd();
  }

  /**
   * Checks the end of the process, and that it is one instance.
   *
   * @param left surviving records of earlier lives
   */
  private void check(SimulatedEngine engine, List<JournalRecord> left, SimulatedServices services) {
    List<JournalRecord> all = new ArrayList<>(left);
    all.addAll(engine.journal().records());
    List<InstanceId> instances = instances(run, all);
    assertEquals(1, instances.size(), () -> "instances of the process: " + instances);
    check.check(engine.view(instances.getFirst()), services, engine.nowNanos());
  }

  /** Instances of a process itself, by the records of their starts. */
  static List<InstanceId> instances(Run run, List<JournalRecord> records) {
    return records.stream()
        .filter(
            each ->
                each.event() instanceof Event.Started started
                    && started.definition().equals(run.graph().key()))
        .map(JournalRecord::id)
        .distinct()
        .toList();
  }

  /** Moments that differ in more than their time and what the log of events was told. */
  static List<Moment> distinct(List<Moment> moments) {
    List<Moment> distinct = new ArrayList<>();
    Set<Moment> seen = new LinkedHashSet<>();
    for (Moment moment : moments) {
      Moment timeless =
          new Moment(
              moment.appended(),
              moment.durable(),
              moment.deliveries(),
              0,
              moment.told(),
              moment.withdrawn(),
              0);
      if (seen.add(timeless)) {
        distinct.add(moment);
      }
    }
    return distinct;
  }

  private void crashAt(
      Moment moment, int survivors, SimulatedServices original, List<JournalRecord> all) {
    doing = "crash at " + moment + ", " + survivors + " records survive";
    if (survivors == 0) {
      assertEquals(0, moment.deliveries(), "calls of a start that is lost");
      assertTrue(!moment.told(), "the end of a lost start was reported");
      return;
    }
    List<JournalRecord> left = all.subList(0, survivors);
    crashAt(moment, new Remains(null, left, List.of()), original, left);
    if (snapshot != null && recordsBeforeSnapshot <= survivors) {
      doing += ", from a snapshot behind " + recordsBeforeSnapshot;
      crashesBehindSnapshots++;
      List<JournalRecord> rest = left.subList(recordsBeforeSnapshot, survivors);
      crashAt(moment, new Remains(snapshot, rest, List.of()), original, left);
    }
  }

  private void crashAt(
      Moment moment, Remains remains, SimulatedServices original, List<JournalRecord> left) {
    crashes++;
    SimulatedServices services = original.after(moment.deliveries(), moment.saves());
    Moment later = moment.plus(downtimeNanos());
    SimulatedEngine engine = SimulatedEngine.recovered(run, services, random, later, remains);
    if (moment.told()) {
      assertTrue(
          !engine.isRunning(left.getFirst().id()), "an instance whose end was reported continues");
    }
    engine.runToEnd();
    check(engine, left, services);
    VerdictCheck.checkNotRepeated(
        left, services.deliveries().subList(moment.deliveries(), services.count()));
    assertTrue(services.mostDeliveries() <= 2, "a call was made more than once more");
    repeatedCalls += services.repeated();
  }

  private long downtimeNanos() {
    return random.nextInt(4) == 0 ? random.nextLong(3_000_000_000L) : random.nextInt(2_000_000);
  }

  /** Runs one process over as many lives as it has records; some of them begin from a snapshot. */
  private void crashAfterEveryRecord() {
    SimulatedServices services = new SimulatedServices(definition);
    List<JournalRecord> left = new ArrayList<>();
    Remains remains = new Remains(null, List.of(), List.of());
    SimulatedEngine engine = SimulatedEngine.first(run, services, random);
    int before = 0;
    lives = 1;
    while (!diesBehindARecord(engine)) {
      VerdictCheck.checkNotRepeated(left, services.deliveries().subList(before, services.count()));
      List<JournalRecord> fresh = engine.journal().records().subList(0, survivors(engine));
      left.addAll(fresh);
      remains =
          engine.journal().isForced() && random.nextInt(3) == 0
              ? new Remains(engine.snapshot(), List.of(), List.of())
              : remains.and(fresh);
      before = services.count();
      lives++;
      doing = "life " + lives + ", begun with " + remains;
      Moment later = engine.now().plus(downtimeNanos());
      engine = SimulatedEngine.recovered(run, services, random, later, remains);
    }
    check(engine, left, services);
    int most = services.mostDeliveries();
    assertTrue(most <= lives, () -> "a call was made " + most + " times");
  }

  /**
   * Runs one process that moves to another kernel every few steps; some of these crash on the way.
   */
  private void moveAgainAndAgain() {
    SimulatedServices services = new SimulatedServices(definition);
    SimulatedEngine engine = SimulatedEngine.first(run, services, random);
    List<JournalRecord> left = new ArrayList<>();
    Remains remains = new Remains(null, List.of(), List.of());
    int hops = 0;
    while (!diesBehindARecord(engine)) {
      boolean crashes = random.nextInt(4) == 0;
      int before = services.count();
      if (!crashes) {
        engine.depart();
      }
      List<JournalRecord> fresh = engine.journal().records().subList(0, survivors(engine));
      left.addAll(fresh);
      remains = new Remains(remains.base(), fresh, List.of()); // no opening in between
      VerdictCheck.checkNotRepeated(left, services.deliveries().subList(before, services.count()));
      hops++;
      doing = "hop " + hops + (crashes ? ", crashed, with " : ", with ") + remains;
      Moment later = engine.now().plus(downtimeNanos());
      TakenSnapshot state = SimulatedEngine.read(run, later.nowNanos(), remains);
      engine = SimulatedEngine.arrived(run, services, random, later, state);
      remains = new Remains(state, List.of(), List.of());
    }
    moves += hops;
    check(engine, left, services);
    int most = services.mostDeliveries();
    int times = hops;
    assertTrue(most <= times + 1, () -> "a call was made " + most + " times in " + times);
  }

  /** Number of surviving records: all that are durable, at least. */
  private int survivors(SimulatedEngine engine) {
    int durable = (int) engine.journal().durable();
    return durable + random.nextInt((int) engine.journal().appended() - durable + 1);
  }

  /** Continues until another record is durable, or to the end; returns whether it is the end. */
  private boolean diesBehindARecord(SimulatedEngine engine) {
    while (engine.journal().durable() == 0) {
      if (engine.hasEnded() && engine.journal().isForced()) {
        engine.runToEnd();
        return true;
      }
      engine.step();
    }
    for (int more = random.nextInt(3); more > 0 && !engine.hasEnded(); more--) {
      engine.step();
    }
    return false;
  }
}
