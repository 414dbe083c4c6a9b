package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.plan.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Consequences of failed handlers, by their declarations. */
class HandlerFailuresTest {
  private static final Declaration WRITES = Declaration.NOTHING.writing(Slot.body("/seen"));

  private final Workers here = new CallerRunsWorkers(Clock.system());
  private final List<String> happened = Collections.synchronizedList(new ArrayList<>());

  private Outcome run(Step... steps) throws Exception {
    return Messages.through(Messages.chain(here, steps), Messages.of("{}"));
  }

  private Step good(String name, Declaration declared) {
    return ScriptedHandler.of(
            declared,
            view -> {
              happened.add(name);
              return Verdict.UNCHANGED;
            })
        .undoing(view -> happened.add("undo " + name))
        .rollingBack(view -> happened.add("roll back " + name))
        .as(name);
  }

  private Step failing(String name, Declaration declared) {
    return ScriptedHandler.of(
            declared,
            view -> {
              happened.add(name);
              throw new IllegalStateException("broken");
            })
        .undoing(view -> happened.add("undo " + name))
        .as(name);
  }

  @Test
  void shouldSkipWhatFailsAndNeedNotBePerformed() throws Exception {
    Chain chain =
        Messages.chain(
            here,
            failing("a", WRITES),
            ScriptedHandler.of(
                    WRITES, view -> Verdict.goOn(Changes.NONE.json("/seen", Payload.of("b"))))
                .as("b"));

    Outcome outcome = Messages.through(chain, Messages.of("{}"));

    assertEquals("{\"seen\":\"b\"}", Messages.json(outcome));
    assertEquals(1, chain.statistics().getFirst().failures());
    assertEquals(1, chain.statistics().getFirst().skipped());
  }

  @Test
  void shouldStopWithAProblemWhenWhatMustBePerformedFails() throws Exception {
    Outcome outcome = run(failing("sign", Declaration.NOTHING.mandatory()), good("b", WRITES));

    Outcome.Refused refused = assertInstanceOf(Outcome.Refused.class, outcome);
    assertEquals("sign", refused.handler());
    assertEquals(500, refused.problem().status());
    assertTrue(String.valueOf(refused.problem().detail()).contains("sign"));
    assertEquals(List.of("sign"), happened);
  }

  @Test
  void shouldTellBadJsonAsAMistakeOfTheSender() throws Exception {
    Declaration reads = Declaration.NOTHING.reading(Slot.body("")).mandatory();
    Chain chain =
        Messages.chain(
            here,
            ScriptedHandler.of(reads, view -> Verdict.goOn(Changes.NONE.json("", view.json())))
                .as("parse"));

    Outcome.Refused refused =
        assertInstanceOf(Outcome.Refused.class, Messages.through(chain, Messages.of("{\"half\":")));

    assertEquals(400, refused.problem().status());
  }

  @Test
  void shouldRepeatAsOftenAsDeclaredAndNotMore() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    ScriptedHandler.Script thirdTime =
        view -> {
          if (calls.incrementAndGet() < 3) {
            throw new IllegalStateException("not yet");
          }
          return Verdict.goOn(Changes.NONE.json("/seen", Payload.of(calls.get())));
        };
    assertEquals(
        "{\"seen\":3}",
        Messages.json(run(ScriptedHandler.of(WRITES.mandatory().retried(2), thirdTime).as("a"))));

    calls.set(0);
    assertInstanceOf(
        Outcome.Refused.class,
        run(ScriptedHandler.of(WRITES.mandatory().retried(1), thirdTime).as("a")));
    assertEquals(2, calls.get());
  }

  @Test
  void shouldNeverRepeatWhatHasEffectsThatStay() throws Exception {
    run(failing("a", Declaration.NOTHING.with(EffectClass.NON_ATOMIC).mandatory().retried(5)));

    assertEquals(List.of("a"), happened);
  }

  @Test
  void shouldUndoBeforeItRepeats() throws Exception {
    run(failing("a", Declaration.NOTHING.with(EffectClass.QUASI_ATOMIC).retried(1)));

    assertEquals(List.of("a", "undo a", "a", "undo a"), happened);
  }

  @Test
  void shouldUndoInReverseWhenTheMessageStops() throws Exception {
    Declaration quasi = Declaration.NOTHING.with(EffectClass.QUASI_ATOMIC);
    run(
        good("a", quasi),
        good("b", quasi),
        failing("c", Declaration.NOTHING.mandatory()),
        good("d", quasi));

    assertEquals(List.of("a", "b", "c", "undo b", "undo a"), happened);
  }

  @Test
  void shouldCountWhatCannotBeUndone() throws Exception {
    Step stubborn =
        ScriptedHandler.of(
                Declaration.NOTHING.with(EffectClass.QUASI_ATOMIC).retried(2),
                view -> Verdict.UNCHANGED)
            .undoing(
                view -> {
                  happened.add("undo");
                  throw new IllegalStateException("no");
                })
            .as("a");
    Chain chain = Messages.chain(here, stubborn, failing("b", Declaration.NOTHING.mandatory()));

    Messages.through(chain, Messages.of("{}"));

    assertEquals(List.of("undo", "undo", "undo"), happened.subList(1, 4));
    assertEquals(1, chain.statistics().getFirst().undoFailures());
  }

  @Test
  void shouldCommitByThePartnerOrRollBackByIt() throws Exception {
    Declaration transactional = Declaration.NOTHING.with(EffectClass.TRANSACTIONAL).mandatory();
    Declaration atomic = Declaration.NOTHING.with(EffectClass.ATOMIC).mandatory();
    run(good("prepare", transactional).committedBy("commit"), good("commit", atomic));
    assertEquals(List.of("prepare", "commit"), happened);

    happened.clear();
    run(
        good("prepare", transactional).committedBy("commit"),
        failing("b", Declaration.NOTHING.mandatory()),
        good("commit", atomic));
    assertEquals(List.of("prepare", "b", "roll back commit"), happened);

    happened.clear();
    run(
        good("prepare", transactional).committedBy("commit"),
        good("commit", atomic),
        failing("b", Declaration.NOTHING.mandatory()));
    assertEquals(List.of("prepare", "commit", "b"), happened);
  }

  @Test
  void shouldKeepEffectsAndRollBackOnlyWhatIsPreparedWhenAHandlerAnswers() throws Exception {
    Step answers =
        ScriptedHandler.of(
                Declaration.NOTHING.stopping(),
                view -> Verdict.Answer.of(200, Map.of(), Body.of(Payload.of("known"))))
            .as("cache");
    Outcome outcome =
        run(
            good("count", Declaration.NOTHING.with(EffectClass.QUASI_ATOMIC)),
            good("prepare", Declaration.NOTHING.with(EffectClass.TRANSACTIONAL).mandatory())
                .committedBy("commit"),
            answers,
            good("commit", Declaration.NOTHING.with(EffectClass.ATOMIC).mandatory()));

    assertInstanceOf(Outcome.Answered.class, outcome);
    assertEquals(List.of("count", "prepare", "roll back commit"), happened);
  }

  @Test
  void shouldTakeGarbageForAFailure() throws Exception {
    List<Verdict> garbage =
        List.of(
            Verdict.goOn(Changes.NONE.property("not.declared", "x")),
            Verdict.goOn(
                Changes.NONE
                    .json("/seen/below/an", Payload.of(1))
                    .json("/seen", Payload.of(1))
                    .json("/seen/more", Payload.of(2))),
            Verdict.refuse("urn:x", "no", 403, "did not declare to stop messages"),
            Verdict.goOn(
                Changes.NONE.json(
                    "/seen",
                    Payload.of("x".repeat(Messages.LIMITS.handlers().maxBodyBytes() + 1)))));
    for (Verdict each : garbage) {
      Chain chain = Messages.chain(here, ScriptedHandler.of(WRITES, view -> each).as("a"));
      assertEquals("{}", Messages.json(Messages.through(chain, Messages.of("{}"))));
      assertEquals(1, chain.statistics().getFirst().failures(), each.toString());
    }
  }

  @Test
  void shouldRefuseToShowWhatWasNotDeclared() throws Exception {
    Outcome outcome =
        run(
            ScriptedHandler.of(
                    Declaration.NOTHING.reading(Slot.body("/a")).mandatory(),
                    view -> Verdict.goOn(Changes.NONE.json("/b", view.json())))
                .as("curious"));

    assertInstanceOf(Outcome.Refused.class, outcome);
  }
}
