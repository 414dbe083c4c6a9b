package dev.pinion.handlers.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class StagePlannerTest {
  private static Step step(String name, Declaration declared) {
    return Step.of(
        name,
        new Handler() {
          @Override
          public Declaration declaration() {
            return declared;
          }

          @Override
          public Verdict handle(View message) {
            return Verdict.UNCHANGED;
          }
        });
  }

  private static Step slots(String name, List<String> reads, List<String> writes) {
    return step(
        name,
        Declaration.NOTHING.withSlots(
            reads.stream().map(Slot::parse).toList(), writes.stream().map(Slot::parse).toList()));
  }

  private static String plan(Step... steps) {
    return ChainPlan.auto("c", Arrays.asList(steps), ChainOptions.DEFAULT).toString();
  }

  @Test
  void shouldPutIndependentStepsSideBySide() {
    assertEquals(
        "c: a | b | c",
        plan(
            slots("a", List.of("body:/x"), List.of("property:header.a")),
            slots("b", List.of("body:/x"), List.of("property:header.b")),
            slots("c", List.of("body:/x"), List.of("body:/z"))));
  }

  // Field fault 24: the reason given was a layout that nobody had set
  @Test
  void shouldSayWhatKeepsAStepBesideOneOfItsOwnStage() {
    ChainPlan plan =
        ChainPlan.auto(
            "c",
            List.of(
                slots("a", List.of(), List.of("body:/x")),
                slots("b", List.of("body:/x", "body:/y"), List.of("body:/z")),
                slots("c", List.of(), List.of("body:/y"))),
            ChainOptions.DEFAULT);

    assertEquals("c: a -> b | c", plan.toString());
    assertEquals(
        List.of(
            "stage 1: a",
            "stage 2: b | c",
            "  b: b reads what the other writes: body:/x (a)",
            "  c: c writes what the other reads: body:/y (b)"),
        ChainPlanPrinter.lines(plan));
  }

  @Test
  void shouldKeepTheOrderOfWhatReadsWhatIsWritten() {
    assertEquals(
        "c: a | c -> b",
        plan(
            slots("a", List.of(), List.of("body:/x")),
            slots("b", List.of("body:/x/y"), List.of()),
            slots("c", List.of("property:header.*"), List.of())));
  }

  @Test
  void shouldLetAReaderRunBesideALaterWriterAndNeverAfterIt() {
    assertEquals(
        "c: read | write",
        plan(
            slots("read", List.of("bytes"), List.of()),
            slots("write", List.of(), List.of("body:/x"))));
    assertEquals(
        "c: first -> read | write",
        plan(
            slots("first", List.of(), List.of("property:p")),
            slots("read", List.of("property:p", "body:/x"), List.of()),
            slots("write", List.of(), List.of("body:/x"))));
  }

  @Test
  void shouldKeepEffectsBehindWhatMayStopTheMessage() {
    Step auth = step("auth", Declaration.NOTHING.stopping());
    Step audit = step("audit", Declaration.NOTHING.with(EffectClass.ATOMIC));
    Step check = step("check", Declaration.NOTHING);

    assertEquals("c: auth | check -> audit", plan(auth, audit, check));
    assertEquals("c: audit | auth", plan(audit, auth));
  }

  @Test
  void shouldRefuseOverlappingWritesInOneStageNamingBoth() {
    ChainStage chainStage =
        new ChainStage(
            List.of(
                slots("gzip", List.of(), List.of("bytes")),
                slots("total", List.of(), List.of("body:/order/total"))));

    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> new ChainPlan("c", List.of(chainStage), ChainOptions.DEFAULT));

    assertTrue(
        String.valueOf(refused.getMessage())
            .contains("gzip and total both write body:/order/total"));
  }

  @Test
  void shouldSayWhoRunsWithWhomAndWhyNot() {
    ChainPlan plan =
        ChainPlan.auto(
            "c",
            List.of(
                slots("a", List.of(), List.of("body:/x")),
                slots("b", List.of("body:/x"), List.of())),
            ChainOptions.DEFAULT);

    assertEquals(
        List.of("stage 1: a", "stage 2: b", "  b: b reads what the other writes: body:/x (a)"),
        ChainPlanPrinter.lines(plan));
  }

  @Test
  void shouldRefuseEffectsThatCannotBeHandled() {
    Declaration quasi = Declaration.NOTHING.with(EffectClass.QUASI_ATOMIC);
    Declaration transactional = Declaration.NOTHING.with(EffectClass.TRANSACTIONAL).mandatory();
    Declaration stays = Declaration.NOTHING.with(EffectClass.NON_ATOMIC);
    Step plain = step("plain", Declaration.NOTHING.mandatory());

    refused("to be Undoable", step("a", quasi));
    refused("to name a partner in a later stage, found none", step("a", transactional));
    refused("found no handler \"b\"", step("a", transactional).committedBy("b"));
    refused("to be a CommitPoint", step("a", transactional).committedBy("plain"), plain);
    refused("to be the last of its chain, found plain after it", step("a", stays), plain);
    refused("a partner of transactional handlers only", plain.committedBy("b"));
    refused("each name once", plain, plain);
  }

  private static void refused(String why, Step... steps) {
    List<String> problems =
        ChainPlan.problems(
            Arrays.stream(steps).map(each -> new ChainStage(List.of(each))).toList());
    assertTrue(problems.toString().contains(why), problems.toString());
  }
}
