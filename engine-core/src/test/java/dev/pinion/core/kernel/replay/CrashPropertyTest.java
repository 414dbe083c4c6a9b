package dev.pinion.core.kernel.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.oracle.Definition;
import dev.pinion.oracle.Occurrence;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random processes give the same result as in an independent interpreter, wherever the engine
 * crashes, and however often.
 *
 * <pre>
 *                        ┌──▶ interpreter ──▶ verdict ───────────────────────────────┐
 *   seed ──▶ definition ─┤                                                           ├─▶ equal
 *                        └──▶ YAML ──▶ compiler ──▶ kernel ─┬─▶ end ─────────────────┤
 *                                                           └─▶ crash ──▶ … ──▶ end ─┘
 * </pre>
 *
 * <p>Crashes come before and behind every record of a run; what is not durable then survives or
 * not; those behind the moment of a snapshot are recovered from it as well. Another run crashes
 * behind every record, again and again, and a third moves to another kernel again and again. A
 * client suspends and resumes processes, or cancels them, and the engine crashes. A schedule begins
 * some of them, once over all crashes. {@code -Dpinion.seed=N} runs the process of one seed.
 */
public class CrashPropertyTest {
  /** Processes of the short run, besides those with what does not occur in them. */
  private static final int PROCESSES = 60;

  private static final int MANY_PROCESSES = 10_000;

  private final Map<Occurrence, Integer> occurrences = new EnumMap<>(Occurrence.class);
  private int processes;
  private int records;
  private int crashes;
  private int crashesBehindSnapshots;
  private int repeatedCalls;
  private int lives;
  private int moves;
  private int controls;

  @Test
  void shouldBecomeWhatProcessesMeanWhereverTheEngineCrashes() {
    run(1, PROCESSES);
    if (Long.getLong("pinion.seed") == null) {
      runWhatIsMissing(1 + PROCESSES);
      print(1);
      assertNotDull(PROCESSES);
    }
  }

  @Test
  @Tag("long")
  void shouldBecomeWhatManyProcessesMeanWhereverTheEngineCrashes() {
    long firstSeed = System.nanoTime();
    run(firstSeed, MANY_PROCESSES);
    if (Long.getLong("pinion.seed") == null) {
      print(firstSeed);
      assertNotDull(MANY_PROCESSES);
    }
  }

  /** Keeps the interpreter independent: with shared code it would share the engine's mistakes. */
  @Test
  void shouldCompareWithAnInterpreterThatKnowsNothingOfTheEngine()
      throws IOException, URISyntaxException {
    URL place = Objects.requireNonNull(Definition.class.getResource("Definition.class"));
    List<Path> classes;
    try (Stream<Path> files = Files.list(Path.of(place.toURI()).resolveSibling("."))) {
      classes = files.filter(file -> file.toString().endsWith(".class")).toList();
    }
    assertTrue(classes.size() > 20, () -> "classes: " + classes);
    for (Path file : classes) {
      String constants = Files.readString(file, StandardCharsets.ISO_8859_1);
      assertEquals(-1, constants.indexOf("dev/pinion/core"), () -> "the engine in " + file);
    }
  }

  private void run(long firstSeed, int count) {
    Long only = Long.getLong("pinion.seed");
    if (only != null) {
      run(only);
      print(only);
      return;
    }
    for (int i = 0; i < count; i++) {
      run(firstSeed + i);
    }
  }

  /** Has everything occur that can: only processes are run in which something new occurs. */
  private void runWhatIsMissing(long firstSeed) {
    Set<Occurrence> missing = EnumSet.allOf(Occurrence.class);
    missing.removeAll(occurrences.keySet());
    for (long seed = firstSeed; !missing.isEmpty() && seed < MANY_PROCESSES; seed++) {
      if (!Collections.disjoint(missing, Definition.of(seed).verdict().occurrences())) {
        run(seed);
        missing.removeAll(occurrences.keySet());
      }
    }
  }

  private void run(long seed) {
    try {
      CrashedProcess process = new CrashedProcess(seed);
      process.run();
      count(process);
      ControlledProcess controlled = new ControlledProcess(seed);
      controlled.run();
      controls += controlled.crashes();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          "seed " + seed + " (-Dpinion.seed=" + seed + "): " + e.getMessage(), e);
    }
  }

  private void count(CrashedProcess process) {
    processes++;
    records += process.records();
    crashes += process.crashes();
    crashesBehindSnapshots += process.crashesBehindSnapshots();
    repeatedCalls += process.repeatedCalls();
    lives += process.lives();
    moves += process.moves();
    process.verdict().occurrences().forEach(each -> occurrences.merge(each, 1, Integer::sum));
  }

  private void print(long seed) {
    System.out.printf(
        "seed %d: %d random processes with %d records crashed %d times (%d behind snapshots) and"
            + " had %d lives of one record, %d moves, %d calls repeated; %d crashes of suspended and"
            + " cancelled ones; %s%n",
        seed,
        processes,
        records,
        crashes,
        crashesBehindSnapshots,
        lives,
        moves,
        repeatedCalls,
        controls,
        occurrences);
  }

  /** Checks that everything that can happen has happened, in one of a hundred if there are many. */
  private void assertNotDull(int count) {
    for (Occurrence each : Occurrence.values()) {
      int found = occurrences.getOrDefault(each, 0);
      assertTrue(found >= Math.max(1, count / 100), () -> each + " in " + found + " of " + count);
    }
    assertTrue(crashes > 10 * count, () -> "crashes: " + crashes);
    assertTrue(crashesBehindSnapshots > count, () -> "from snapshots: " + crashesBehindSnapshots);
    assertTrue(repeatedCalls > count, () -> "calls repeated: " + repeatedCalls);
    assertTrue(lives > 3 * count, () -> "lives: " + lives);
    assertTrue(moves > 2 * count, () -> "moves: " + moves);
    assertTrue(controls > 2 * count, () -> "crashes of controlled processes: " + controls);
  }
}
